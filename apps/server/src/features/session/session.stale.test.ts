import {
  createUser,
  getSession,
  getSite,
  removeOwner,
  removeSite,
  removeUser,
  setSelected,
  submitToken,
  updateSite,
} from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { owners, sites } from '../../database/schema.ts';
import { makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';
import { codeOf } from '../../testing/services/authenticator.ts';
import { beginTotp } from '../mfa/mfa.service.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

describe('an old session of the console', () => {
  const anHourAgo = () => new Date(Date.now() - 3_600_000);
  const staleOwner = async () => {
    const user = await makeUser(testApp.db, { owns: ['northlab'] });
    return { user, call: testApp.as(await signInto(testApp.db, testApp.browser(), user, anHourAgo())) };
  };
  const asksAnew = { code: 'reauth_required' };

  test('cannot remove an owner', async () => {
    const { call } = await staleOwner();
    const other = await makeUser(testApp.db, { owns: ['northlab'] });
    const [row] = await testApp.db.select().from(owners).where(eq(owners.email, other.email));
    const params = { serverName: 'northlab', ownerId: row?.id ?? 0 };
    await expect(call(removeOwner, { params })).rejects.toMatchObject(asksAnew);
    expect(await testApp.db.$count(owners, eq(owners.email, other.email))).toBe(1);
  });

  test('cannot remove a site, which could then be created again with another ACS URL', async () => {
    const { call } = await staleOwner();
    const site = await makeSite(testApp.db);
    const params = { site_id: site.id, sso_server: 'northlab' };
    await expect(call(removeSite, { params })).rejects.toMatchObject(asksAnew);
    expect(await testApp.db.$count(sites, eq(sites.id, site.id))).toBe(1);
  });

  test('cannot switch off the second factor of a site, but can change everything else', async () => {
    const { call } = await staleOwner();
    const guarded = await makeSite(testApp.db, { mfa: 'Enable' });
    const params = { site_id: guarded.id, siteId: guarded.id };
    const { version: _version, ...read } = await call(getSite, { params });
    const save = (changes: object, caller = call) =>
      caller(updateSite, {
        params,
        body: { ...read, domain_level_settings: 'yes', with_out_group: 'yes', ...changes },
      });
    await expect(save({ mfa: 'Disable', site_name: 'Unguarded' })).rejects.toMatchObject(asksAnew);
    expect(await call(getSite, { params })).toMatchObject(read);
    expect(await save({ site_name: 'Renamed' })).toMatchObject({ mfa: 'Enable', site_name: 'Renamed' });
    const owner = await makeUser(testApp.db, { owns: ['northlab'] });
    const fresh = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
    expect(await save({ mfa: 'Disable' }, fresh)).toMatchObject({ mfa: 'Disable' });
    expect(await save({ mfa: 'Disable' })).toMatchObject({ mfa: 'Disable' });
    expect(await save({ mfa: 'Enable' })).toMatchObject({ mfa: 'Enable' });
  });

  test('cannot set up an authenticator, and therefore gets no new recovery codes', async () => {
    const { user, call } = await staleOwner();
    const { key } = await beginTotp(testApp.parts, user);
    const body = { secret: key, token: codeOf(key), email: user.email };
    await expect(call(submitToken, { body })).rejects.toMatchObject(asksAnew);
  });
});

test('the owner of one network cannot sign out people of another by inviting and removing them', async () => {
  const victim = await makeUser(testApp.db);
  const theirs = testApp.as(await signInto(testApp.db, testApp.browser(), victim));
  const owner = await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] });
  const call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  const { id: server_id } = await networkNamed(testApp.db, 'southlab');
  const invited = await call(createUser, {
    body: {
      email: victim.email,
      firstname: 'x',
      lastname: 'y',
      groups: [],
      signup_from: testOrigin,
      signup_server: 'southlab',
      sso_server_id: server_id,
    },
  });
  const selected = { selected_server: 'southlab', selected_id: server_id };
  await expect(theirs(setSelected, { params: { userId: victim.id }, body: selected })).rejects.toMatchObject({
    status: 404,
  });
  await call(removeUser, {
    body: { id: invited.id, uid: invited.uid, server_id, sso_server: 'southlab' },
  });
  // Their sessions at their own network continue.
  expect((await theirs(getSession, {})).user).toMatchObject({ username: victim.email, selected_server: 'northlab' });
});
