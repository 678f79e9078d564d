import { join } from 'node:path';
import { changeGettingStarted, confirmBackups, getGettingStarted, testMailServer } from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { networkSettings, passkeys, users } from '../../database/schema.ts';
import { makePasskey, makeSite, makeUser, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { startMailServer } from '../../testing/services/mail-server.ts';
import { createNetwork } from '../networks/networks.service.ts';

const mailServer = await startMailServer();
let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp({ SMTP_URL: mailServer.url });
});

const makeNetwork = (name: string) => testApp.db.transaction((tx) => createNetwork(tx, testApp.parts, name));

type Call = ReturnType<TestApp['as']>;
const ownerOf = async (...owns: string[]) => {
  const owner = await makeUser(testApp.db, { network: owns[0] ?? '', owns });
  return { owner, call: testApp.as(await signInto(testApp.db, testApp.browser(), owner)) };
};
const stepsOf = async (call: Call, server: string) => {
  const { steps } = await call(getGettingStarted, { params: { server } });
  return Object.fromEntries(steps.map(({ step, done }) => [step, done]));
};

describe('§2.3 first steps of a network', () => {
  test('nothing is done in a new network, and mail and backups belong to the main network', async () => {
    await makeNetwork('newlab');
    const { call } = await ownerOf('newlab');
    const nothing = { application: false, people: false, second_factor: false, branding: false };
    expect(await stepsOf(call, 'newlab')).toEqual(nothing);
    const main = await ownerOf('opensocial');
    expect(await stepsOf(main.call, 'opensocial')).toMatchObject({ mail: false, network: true, backup: false });
  });

  test('other owners, and the owner of the main network who created the network, are not invited people', async () => {
    await makeNetwork('creatorlab');
    const { call } = await ownerOf('creatorlab');
    await makeUser(testApp.db, { network: 'opensocial', alsoIn: ['creatorlab'], owns: ['opensocial'] });
    await makeUser(testApp.db, { network: 'creatorlab', owns: ['creatorlab'] });
    expect(await stepsOf(call, 'creatorlab')).toMatchObject({ people: false });
    await makeUser(testApp.db, { network: 'creatorlab', provisional: true, status: 'NonConfirmed' });
    expect(await stepsOf(call, 'creatorlab')).toMatchObject({ people: true });
  });

  test('each step is done once it was done elsewhere', async () => {
    const { id } = await makeNetwork('steplab');
    const { owner, call } = await ownerOf('steplab');
    const expectDone = async (step: string) => expect((await stepsOf(call, 'steplab'))[step], step).toBe(true);
    await makeSite(testApp.db, { network: 'steplab' });
    await expectDone('application');
    await makeUser(testApp.db, { network: 'steplab' });
    await expectDone('people');
    await testApp.db.update(users).set({ email_mfa: true }).where(eq(users.id, owner.id));
    await expectDone('second_factor');
    await testApp.db.update(networkSettings).set({ logo: 'logo.png' }).where(eq(networkSettings.network_id, id));
    await expectDone('branding');
  });

  test('a second factor of every owner counts, and the rule of the network does not', async () => {
    const { id } = await makeNetwork('factorlab');
    const { owner, call } = await ownerOf('factorlab');
    const other = await makeUser(testApp.db, { network: 'factorlab', owns: ['factorlab'] });
    const isDone = async () => (await stepsOf(call, 'factorlab'))['second_factor'];
    await testApp.db.update(users).set({ email_mfa: true }).where(eq(users.id, owner.id));
    expect(await isDone()).toBe(false);
    await makePasskey(testApp.db, other);
    expect(await isDone()).toBe(true);
    await testApp.db.delete(passkeys).where(eq(passkeys.user_id, other.id));
    await testApp.db.update(networkSettings).set({ mfa: 'Enable' }).where(eq(networkSettings.network_id, id));
    expect(await isDone()).toBe(false);
  });

  test('it says nothing about the second factor of an owner who belongs to another network', async () => {
    await makeNetwork('sharedlab');
    const { owner, call } = await ownerOf('sharedlab');
    await testApp.db.update(users).set({ email_mfa: true }).where(eq(users.id, owner.id));
    const guest = await makeUser(testApp.db, { network: 'northlab', alsoIn: ['sharedlab'], owns: ['sharedlab'] });
    expect((await stepsOf(call, 'sharedlab'))['second_factor']).toBe(true);
    const asGuest = testApp.as(await signInto(testApp.db, testApp.browser(), guest));
    expect((await stepsOf(asGuest, 'sharedlab'))['second_factor']).toBe(false);
  });

  test('the list is hidden and shown again for one network', async () => {
    await makeNetwork('hidelab');
    const { call } = await ownerOf('hidelab', 'northlab');
    const hide = (dismissed: boolean) =>
      call(changeGettingStarted, { params: { server: 'hidelab' }, body: { dismissed } });
    expect(await hide(true)).toMatchObject({ dismissed: true });
    expect(await call(getGettingStarted, { params: { server: 'northlab' } })).toMatchObject({ dismissed: false });
    expect(await hide(false)).toMatchObject({ dismissed: false });
  });

  test('an owner of the main network confirms backups', async () => {
    const { call } = await ownerOf('opensocial');
    await call(confirmBackups, { body: { done: true } });
    expect(await stepsOf(call, 'opensocial')).toMatchObject({ backup: true });
    await call(confirmBackups, { body: { done: false } });
    expect(await stepsOf(call, 'opensocial')).toMatchObject({ backup: false });
  });

  test('a test mail goes to the owner who asked, and the answer of the mail server is shown', async () => {
    const { owner, call } = await ownerOf('opensocial');
    const send = () => call(testMailServer, {});
    expect(await send()).toEqual({ to: owner.email, failure: '' });
    expect(mailServer.received.at(-1)).toMatchObject({ to: [owner.email] });
    expect(await stepsOf(call, 'opensocial')).toMatchObject({ mail: true });
    for (let count = 1; count < 5; count += 1) await send();
    await expect(send()).rejects.toMatchObject({ code: 'too_many' });
  });

  test('a mail server that cannot be reached is reported and undoes the step', async () => {
    const unreachable = await buildTestApp({ SMTP_URL: 'smtp://127.0.0.1:9' });
    const owner = await makeUser(unreachable.db, { network: 'opensocial', owns: ['opensocial'] });
    const call = unreachable.as(await signInto(unreachable.db, unreachable.browser(), owner));
    const { failure } = await call(testMailServer, {});
    expect(failure).toContain('ECONNREFUSED');
    expect(await stepsOf(call, 'opensocial')).toMatchObject({ mail: false });
  });

  test('without a mail server, the test is refused and the step is open', async () => {
    const without = await buildTestApp();
    const owner = await makeUser(without.db, { network: 'opensocial', owns: ['opensocial'] });
    const call = without.as(await signInto(without.db, without.browser(), owner));
    await expect(call(testMailServer, {})).rejects.toMatchObject({ code: 'mail_server_missing' });
    const started = await call(getGettingStarted, { params: { server: 'opensocial' } });
    expect(started).toMatchObject({ sends_mail: false, outbox: join(without.parts.config.dataDir, 'outbox') });
    const tenant = await makeUser(without.db, { owns: ['northlab'] });
    const asTenant = without.as(await signInto(without.db, without.browser(), tenant));
    expect(await asTenant(getGettingStarted, { params: { server: 'northlab' } })).toMatchObject({ outbox: null });
  });
});
