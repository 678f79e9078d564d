import {
  changePassword,
  changeUser,
  endUserSessions,
  leaveNetwork,
  removeDevice,
  removeUser,
} from '@opensocial/contract';
import { asc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { identitySessions, networkSettings, oidcGrants, type sites, users } from '../database/schema.ts';
import { disableInactive } from '../features/settings/settings.service.ts';
import { newUid } from '../secrets/tokens.ts';
import { makeUser, networkNamed, password, signInto } from '../testing/app/builders.ts';
import { makeClient } from '../testing/app/oidc-site.ts';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';

let testApp: TestApp;
let owner: ReturnType<TestApp['as']>;
let north: typeof sites.$inferSelect;
let south: typeof sites.$inferSelect;
beforeAll(async () => {
  testApp = await buildTestApp();
  owner = testApp.as(await signInto(testApp.db, testApp.browser(), await makeUser(testApp.db, { owns: ['northlab'] })));
  north = await makeClient(testApp.db);
  south = await makeClient(testApp.db, {}, { network: 'southlab' });
});

const northId = async () => (await networkNamed(testApp.db, 'northlab')).id;

type Grants = 'own north' | 'own south' | 'other north' | 'other south' | 'offline north' | 'offline south';

/** A person with two sessions, one of them in the returned browser, and with grants at a site of each of two networks. */
const makePerson = async (draft: Parameters<typeof makeUser>[1] = {}) => {
  const user = await makeUser(testApp.db, draft);
  const browser = await signInto(testApp.db, testApp.browser(), user);
  await signInto(testApp.db, testApp.browser(), user);
  const [own, other] = await testApp.db
    .select()
    .from(identitySessions)
    .where(eq(identitySessions.user_id, user.id))
    .orderBy(asc(identitySessions.id));
  const sessions = { own: own?.id, other: other?.id, offline: null };
  for (const [name, session_id] of Object.entries(sessions))
    for (const [place, site] of Object.entries({ north, south }))
      await testApp.db.insert(oidcGrants).values({
        uid: `${name} ${place} ${newUid()}`,
        site_id: site.id,
        user_id: user.id,
        session_id,
        expires_at: new Date(Date.now() + 60_000),
      });
  return { user, call: testApp.as(browser), other };
};

const grantsOf = async ({ id }: { id: number }) =>
  (await testApp.db.select().from(oidcGrants).where(eq(oidcGrants.user_id, id)).orderBy(asc(oidcGrants.id))).map(
    ({ uid }) => uid.split(' ').slice(0, 2).join(' ') as Grants,
  );

const inSouthlab: Grants[] = ['own south', 'other south', 'offline south'];

describe('the grants of a person end', () => {
  test('everywhere if the account is disabled', async () => {
    const { user } = await makePerson();
    await owner(changeUser, { params: { userId: user.id, mode: 'Disable', serverName: 'northlab' } });
    expect(await grantsOf(user)).toEqual([]);
  });

  test('in one network if the person is disabled in it, removed from it or leaves it, or an owner ends the sessions', async () => {
    const [disabled, removed, ended, left] = [
      await makePerson({ alsoIn: ['southlab'] }),
      await makePerson({ alsoIn: ['southlab'] }),
      await makePerson({ alsoIn: ['southlab'] }),
      await makePerson({ alsoIn: ['southlab'] }),
    ];
    await owner(changeUser, { params: { userId: disabled.user.id, mode: 'Disable', serverName: 'northlab' } });
    await owner(removeUser, {
      body: { id: removed.user.id, uid: removed.user.uid, server_id: await northId(), sso_server: 'northlab' },
    });
    await owner(endUserSessions, { body: { user_id: ended.user.id, server_id: await northId() } });
    await left.call(leaveNetwork, { params: { server: 'northlab' } });
    for (const { user } of [disabled, removed, ended, left]) expect(await grantsOf(user)).toEqual(inSouthlab);
    // The sessions stay for the other network.
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, ended.user.id))).toBe(2);
  });

  test('except those of the current session if the password changes', async () => {
    const { user, call } = await makePerson();
    await call(changePassword, {
      body: { email: user.email, current_password: password, password: 'another correct horse battery' },
    });
    expect(await grantsOf(user)).toEqual(['own north', 'own south']);
  });

  test('with their session if the person signs out a browser', async () => {
    const { user, call, other } = await makePerson();
    await call(removeDevice, { params: { id: other?.id ?? 0 } });
    expect(await grantsOf(user)).toEqual(['own north', 'own south', 'offline north', 'offline south']);
  });

  test('if the account is disabled because nobody uses it', async () => {
    const unused = { last_login_at: new Date(0), created_at: new Date(0) };
    const [alone, elsewhere] = [await makePerson(unused), await makePerson({ ...unused, alsoIn: ['southlab'] })];
    await testApp.db
      .update(networkSettings)
      .set({ user_inactivity: 30 })
      .where(eq(networkSettings.network_id, await northId()));
    await disableInactive(testApp.parts);
    expect(await testApp.db.select().from(users).where(eq(users.id, alone.user.id))).toMatchObject([
      { user_mode: 'Disable' },
    ]);
    expect(await grantsOf(alone.user)).toEqual([]);
    expect(await grantsOf(elsewhere.user)).toEqual(inSouthlab);
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, alone.user.id))).toBe(0);
  });
});
