import { type Attribute, previewClaims } from '@opensocial/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { groupUsers, type users } from '../../database/schema.ts';
import { makeGroup, makeUser, password, signInto } from '../../testing/app/builders.ts';
import { makeOidcSite, RelyingParty } from '../../testing/app/relying-party.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
let owner: typeof users.$inferSelect;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  owner = await makeUser(testApp.db, { owns: ['northlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
});

const constant = (name: string, values: string[]): Attribute => ({
  name,
  source: 'constant',
  values,
  friendly_name: '',
  name_format: 'unspecified',
});

describe('§2.7 Claims: the preview', () => {
  test('has exactly the claims that a sign-on gets', async () => {
    const group = await makeGroup(testApp.db, { name: 'Analysts' });
    const attributes = [constant('role', ['viewer']), constant('sites', ['a', 'b'])];
    const made = await makeOidcSite(testApp, { groups: [group.id], attributes });
    const user = await makeUser(testApp.db);
    await testApp.db.insert(groupUsers).values({ group_id: group.id, user_id: user.id });
    const party = await RelyingParty.of(testApp, made);
    const tokens = await party.signIn(testApp.browser(), { email: user.email, password });
    const params = { site_id: made.site.id };
    const saved = await call(previewClaims, { params, body: { user_id: user.id, attributes } });
    expect(saved.refusal).toBeNull();
    expect(saved.claims).toEqual([
      { name: 'role', scope: 'openid', value: 'viewer' },
      { name: 'sites', scope: 'openid', value: ['a', 'b'] },
      { name: 'sub', scope: 'openid', value: user.uid },
    ]);
    expect(tokens.claims()).toMatchObject({ role: 'viewer', sites: ['a', 'b'], sub: user.uid });
    expect(tokens.claims()).not.toHaveProperty('email');
    const standard = await call(previewClaims, { params, body: { user_id: user.id, attributes: null } });
    expect(JSON.parse(standard.id_token)).toMatchObject({
      sub: user.uid,
      email: user.email,
      email_verified: true,
      groups: ['Analysts'],
      exp: 0,
    });
  });

  test('says why a person could not sign in, and refuses names of the protocol', async () => {
    const { site } = await makeOidcSite(testApp, { groups: [(await makeGroup(testApp.db)).id] });
    const user = await makeUser(testApp.db);
    const params = { site_id: site.id };
    const refused = await call(previewClaims, { params, body: { user_id: user.id, attributes: null } });
    expect(refused).toEqual({ refusal: 'not in a group of the site', claims: [], id_token: '' });
    const body = { user_id: user.id, attributes: [constant('sub', ['somebody else'])] };
    await expect(call(previewClaims, { params, body })).rejects.toMatchObject({ code: 'claims_refused' });
  });
});
