import {
  getSession,
  listDevices,
  listLogins,
  removeDevice,
  removeLogin,
  removeOtherDevices,
} from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, socialIdentities } from '../../database/schema.ts';
import { newUid } from '../../secrets/tokens.ts';
import { makeSite, makeUser, password, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp({ OIDC_ISSUERS: 'Keycloak=https://id.example|a|b azure=https://login.example|a|b' });
});

const signedIn = async (draft: Parameters<typeof makeUser>[1] = {}, authenticatedAt?: Date) => {
  const user = await makeUser(testApp.db, draft);
  const browser = await signInto(testApp.db, testApp.browser(), user, authenticatedAt);
  return { user, call: testApp.as(browser) };
};

const link = async (user: { id: number }, provider: string) => {
  const subject = newUid();
  const [made] = await testApp.db.insert(socialIdentities).values({ user_id: user.id, provider, subject }).returning();
  if (!made) throw new Error('Nothing was linked.');
  return made.id;
};

describe('linked logins', () => {
  test('are those of the caller, with display names', async () => {
    const { user, call } = await signedIn();
    const other = await signedIn();
    await link(other.user, 'google');
    for (const provider of ['twitter', 'azure', 'keycloak', 'gone']) await link(user, provider);
    const { logins } = await call(listLogins, {});
    expect(logins.map(({ label }) => label)).toEqual(['X', 'Microsoft', 'Keycloak', 'gone']);
    expect(logins[0]).toEqual({
      id: expect.any(Number),
      provider: 'twitter',
      label: 'X',
      linked: expect.any(String),
      last_used: null,
    });
  });

  test('are unlinked one by one: audited, notified by mail, and other sessions end', async () => {
    const { user, call } = await signedIn();
    const elsewhere = testApp.as(await signInto(testApp.db, testApp.browser(), user));
    const id = await link(user, 'google');
    const mails = await mailsQueuedBy(testApp, async () => {
      expect(await call(removeLogin, { params: { id } })).toEqual({
        message: 'Google was unlinked from your account.',
      });
    });
    expect(mails).toEqual([
      expect.objectContaining({ to: user.email, subject: 'Google was unlinked from your account' }),
    ]);
    expect((await call(listLogins, {})).logins).toEqual([]);
    expect((await elsewhere(getSession, {})).user).toBe('no session');
    expect((await call(getSession, {})).user).not.toBe('no session');
    const written = await testApp.db.select().from(auditRecords).where(eq(auditRecords.actor_id, user.id));
    expect(written).toMatchObject([{ action: 'update', old_data: { provider: 'google' } }]);
    await expect(call(removeLogin, { params: { id } })).rejects.toMatchObject({ status: 404 });
  });

  test('of other users are not found', async () => {
    const { call } = await signedIn();
    const other = await signedIn();
    const id = await link(other.user, 'google');
    await expect(call(removeLogin, { params: { id } })).rejects.toMatchObject({ status: 404 });
    expect((await other.call(listLogins, {})).logins).toHaveLength(1);
  });

  test('the last way to sign in cannot be removed, also with two concurrent requests', async () => {
    const { user, call } = await signedIn({ password_hash: null });
    const ids = [await link(user, 'google'), await link(user, 'github')];
    const taken = await Promise.allSettled(ids.map((id) => call(removeLogin, { params: { id } })));
    expect(taken.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [last] = (await call(listLogins, {})).logins;
    await expect(call(removeLogin, { params: { id: last?.id ?? 0 } })).rejects.toMatchObject({
      status: 409,
      code: 'login_last',
    });
    expect((await call(listLogins, {})).logins).toEqual([last]);
  });

  test('are unlinked only with a fresh sign-in', async () => {
    const { user, call } = await signedIn({}, new Date(Date.now() - 11 * 60_000));
    const id = await link(user, 'google');
    await expect(call(removeLogin, { params: { id } })).rejects.toMatchObject({ code: 'reauth_required' });
    expect((await call(listLogins, {})).logins).toHaveLength(1);
  });
});

describe('§2.5 devices', () => {
  /** The real sign-in to the console, and then to some sites. */
  const enter = async (email: string, sites: { id: number }[]) => {
    const browser = testApp.browser();
    await browser.submit(await browser.submit(await browser.get('/server/saml/login'), { email, password }));
    for (const { id } of sites) await browser.get(`/saml/northlab/start/${id}`);
    return testApp.as(browser);
  };

  test('list the opened applications, which are not notified when the browser is signed out remotely', async () => {
    const { email } = await makeUser(testApp.db);
    const reports = await makeSite(testApp.db, { site_name: 'Reports' });
    const archive = await makeSite(testApp.db, { site_name: 'Archive' });
    const call = await enter(email, [archive]);
    await enter(email, [reports, archive]);
    await enter(email, [reports]);
    await enter(email, []);
    const { devices } = await call(listDevices, {});
    expect(devices.map(({ sites }) => sites)).toEqual([['Archive'], [], ['Reports'], ['Archive', 'Reports']]);
    const end = (place: number) => call(removeDevice, { params: { id: devices[place]?.id ?? 0 } });
    expect(await end(1)).toEqual({ message: 'That browser has been signed out.' });
    expect(await end(2)).toEqual({
      message: 'That browser has been signed out. Reports may keep its own session there until it ends.',
    });
    expect(await call(removeOtherDevices, {})).toEqual({
      message:
        'Your other browsers have been signed out. Archive and Reports may keep their own sessions there until they end.',
    });
    expect(await call(removeOtherDevices, {})).toEqual({ message: 'Your other browsers have been signed out.' });
  });
});
