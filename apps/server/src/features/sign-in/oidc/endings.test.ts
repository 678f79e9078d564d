import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  groupUsers,
  identitySessions,
  memberships,
  networkSettings,
  oidcSecrets,
  sites,
  users,
} from '../../../database/schema.ts';
import { hashPassword } from '../../../secrets/passwords.ts';
import { hashToken, newToken } from '../../../secrets/tokens.ts';
import { makeGroup, makeUser, networkNamed } from '../../../testing/app/builders.ts';
import { OidcClient, toTokens } from '../../../testing/app/oidc-client.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { storePassword } from '../../users/users.passwords.service.ts';
import { findArtifact, upsertArtifact } from './artifacts.queries.ts';

let testApp: TestApp;
let networkId: number;
beforeAll(async () => {
  testApp = await buildTestApp();
  networkId = (await networkNamed(testApp.db, 'northlab')).id;
});

type Scene = {
  client: OidcClient;
  user: Awaited<ReturnType<typeof makeUser>>;
  browser: ReturnType<TestApp['browser']>;
};
let scene: Scene;
beforeEach(async () => {
  const user = await makeUser(testApp.db);
  const group = await makeGroup(testApp.db, { users: [user.id] });
  const client = await OidcClient.of(testApp, { groups: [group.id], oidc: { allows_offline: false } });
  scene = { client, user, browser: testApp.browser() };
});

const endings: [string, (scene: Scene) => Promise<unknown>][] = [
  [
    'the person is disabled',
    ({ user }) => testApp.db.update(users).set({ user_mode: 'Disable' }).where(eq(users.id, user.id)),
  ],
  [
    'the person is removed from the network',
    ({ user }) => testApp.db.delete(memberships).where(eq(memberships.user_id, user.id)),
  ],
  [
    'the person is disabled in the network',
    ({ user }) => testApp.db.update(memberships).set({ user_mode: 'Disable' }).where(eq(memberships.user_id, user.id)),
  ],
  [
    'the person leaves the groups of the site',
    ({ user }) => testApp.db.delete(groupUsers).where(eq(groupUsers.user_id, user.id)),
  ],
  ['the person is deleted', ({ user }) => testApp.db.delete(users).where(eq(users.id, user.id))],
  [
    'an owner ends the sessions of the person in the network',
    ({ user }) =>
      testApp.db
        .update(memberships)
        .set({ sessions_ended_at: sql`now()` })
        .where(and(eq(memberships.user_id, user.id), eq(memberships.network_id, networkId))),
  ],
  [
    'the site is disabled',
    ({ client }) => testApp.db.update(sites).set({ status: 'Disable' }).where(eq(sites.id, client.site.id)),
  ],
  [
    'the site is closed',
    ({ client }) => testApp.db.update(sites).set({ site_mode: 'Closed' }).where(eq(sites.id, client.site.id)),
  ],
  ['the site is deleted', ({ client }) => testApp.db.delete(sites).where(eq(sites.id, client.site.id))],
  [
    'the person gets a new password',
    async ({ user }) => {
      const hash = await hashPassword('another good password 7');
      await testApp.db.transaction((tx) => storePassword(tx, testApp.parts, user, hash));
    },
  ],
];
const sessionEndings: typeof endings = [
  ['the session ends', ({ user }) => testApp.db.delete(identitySessions).where(eq(identitySessions.user_id, user.id))],
  [
    'the session is not used for too long',
    ({ user }) =>
      testApp.db
        .update(identitySessions)
        .set({ last_seen_at: sql`now() - interval '400 days'` })
        .where(eq(identitySessions.user_id, user.id)),
  ],
  [
    'the session is too old',
    ({ user }) =>
      testApp.db
        .update(identitySessions)
        .set({ authenticated_at: sql`now() - interval '400 days'` })
        .where(eq(identitySessions.user_id, user.id)),
  ],
];

describe('codes and tokens end at once', () => {
  test.for([...endings, ...sessionEndings])('when %s', async ([, end]) => {
    const { client, user, browser } = scene;
    const tokens = await client.tokens(browser, user.email);
    const code = await client.code(browser);
    expect((await client.userinfo(tokens.access)).status).toBe(200);
    expect(await client.isActive(tokens.refresh)).toBe(true);
    await end(scene);
    expect((await client.userinfo(tokens.access)).status).toBe(401);
    expect(await client.isActive(tokens.access)).toBe(false);
    expect(await client.isActive(tokens.refresh)).toBe(false);
    expect((await client.refresh(tokens.refresh)).body['access_token']).toBeUndefined();
    expect((await client.exchange(code)).body['access_token']).toBeUndefined();
    const page = await browser.get(client.authorizationUrl({ prompt: 'none' }));
    expect(page.url).not.toContain('code=');
  });

  test.for(endings)('of offline access too, when %s', async ([, end]) => {
    const client = await OidcClient.of(testApp, {
      oidc: { allows_offline: true },
      groups: [(await makeGroup(testApp.db, { users: [scene.user.id] })).id],
    });
    const { refresh, access } = await client.tokens(scene.browser, scene.user.email, { prompt: 'consent' });
    await testApp.db.delete(identitySessions).where(eq(identitySessions.user_id, scene.user.id));
    expect(await client.isActive(refresh)).toBe(true);
    await end({ ...scene, client });
    expect((await client.refresh(refresh)).body['access_token']).toBeUndefined();
    expect((await client.userinfo(access)).status).toBe(401);
    expect(await client.isActive(refresh)).toBe(false);
  });
});

test('a token whose grant has just ended is not stored', async () => {
  const key = { networkId, kind: 'AccessToken', id: newToken() };
  const store = (payload: object) => upsertArtifact(testApp.db, key, { ...payload }, { seconds: 60, isOnce: false });
  expect(await store({ grantId: 'one that has ended' })).toBe(false);
  expect(await findArtifact(testApp.db, key)).toBeUndefined();
  expect(await store({})).toBe(true);
});

test('offline access outlives the session, and other tokens of the session do not', async () => {
  const { user, browser } = scene;
  const client = await OidcClient.of(testApp, { oidc: { allows_offline: true } });
  const offline = await client.tokens(browser, user.email);
  const online = toTokens(await client.exchange(await client.code(browser)));
  await testApp.db.delete(identitySessions).where(eq(identitySessions.user_id, user.id));
  expect((await client.userinfo(online.access)).status).toBe(401);
  const renewed = toTokens(await client.refresh(offline.refresh));
  expect((await client.userinfo(renewed.access)).body).toMatchObject({ sub: user.uid });
});

test('a shorter session of the network applies to tokens that exist', async () => {
  const { client, user, browser } = scene;
  const { access } = await client.tokens(browser, user.email);
  const [former] = await testApp.db.select().from(networkSettings).where(eq(networkSettings.network_id, networkId));
  const setHours = (session_hours: number) =>
    testApp.db.update(networkSettings).set({ session_hours }).where(eq(networkSettings.network_id, networkId));
  await testApp.db
    .update(identitySessions)
    .set({ authenticated_at: sql`now() - interval '2 hours'` })
    .where(eq(identitySessions.user_id, user.id));
  expect((await client.userinfo(access)).status).toBe(200);
  await setHours(1);
  expect((await client.userinfo(access)).status).toBe(401);
  await setHours(former?.session_hours ?? 12);
});

test('two secrets work, and one that was removed does not', async () => {
  const { client, user, browser } = scene;
  const second = newToken();
  const { access } = await client.tokens(browser, user.email);
  const [made] = await testApp.db
    .insert(oidcSecrets)
    .values({ site_id: client.site.id, secret_hash: hashToken(second), hint: second.slice(-4) })
    .returning();
  const statusWith = async (secret: string) =>
    (await client.post('introspect', { token: access }, client.basic(secret))).status;
  expect([await statusWith(client.secret), await statusWith(second)]).toEqual([200, 200]);
  await testApp.db.delete(oidcSecrets).where(eq(oidcSecrets.id, made?.id ?? 0));
  expect([await statusWith(client.secret), await statusWith(second)]).toEqual([200, 401]);
});
