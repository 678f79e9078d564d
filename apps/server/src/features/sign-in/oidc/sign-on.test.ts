import { eq } from 'drizzle-orm';
import * as oidc from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { loginLog } from '../../../database/schema.ts';
import { makeUser, password } from '../../../testing/app/builders.ts';
import { makeOidcSite, RelyingParty } from '../../../testing/app/relying-party.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

const person = async (changes = {}) => {
  const user = await makeUser(testApp.db, changes);
  return { user, browser: testApp.browser(), credentials: { email: user.email, password } };
};
const linesOf = (userId: number) =>
  testApp.db.select().from(loginLog).where(eq(loginLog.user_id, userId)).orderBy(loginLog.id);

describe('a sign-on by OpenID Connect', () => {
  test('signs a person in with the password, and afterwards with the session alone', async () => {
    const party = await RelyingParty.of(testApp);
    const { user, browser, credentials } = await person();
    const tokens = await party.signIn(browser, credentials);
    expect(tokens.claims()).toMatchObject({
      sub: user.uid,
      email: user.email,
      email_verified: true,
      groups: [],
      amr: ['pwd'],
    });
    const again = await party.signIn(browser);
    expect(again.claims()?.sub).toBe(user.uid);
    const info = await oidc.fetchUserInfo(party.configuration, again.access_token, user.uid);
    expect(info).toMatchObject({ email: user.email, name: user.fullname });
    expect((await linesOf(user.id)).map(({ login_status, reason }) => [login_status, reason])).toEqual([
      ['Success', 'password'],
      ['Success', 'session'],
    ]);
  });

  test('with ES256, client_secret_post and a public client', async () => {
    const { browser, credentials } = await person();
    const made = await makeOidcSite(testApp, { oidc: { algorithm: 'ES256' } });
    const party = await RelyingParty.of(testApp, made, { authentication: oidc.ClientSecretPost(made.secret) });
    const first = await party.signIn(browser, credentials);
    expect(JSON.parse(Buffer.from(first.id_token?.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({
      alg: 'ES256',
    });
    const open = await makeOidcSite(testApp, { oidc: { authentication: 'none' } });
    const publicParty = await RelyingParty.of(testApp, open, { authentication: oidc.None() });
    expect((await publicParty.signIn(browser)).claims()?.aud).toBe(open.site.identity);
  });
});
