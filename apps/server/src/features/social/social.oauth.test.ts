import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { socialIdentities } from '../../database/schema.ts';
import { newUid } from '../../secrets/tokens.ts';
import { makeUser } from '../../testing/app/builders.ts';
import { giveKeys, makeSocialSite, startSocialFlow, switchOff } from '../../testing/app/social-flow.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { movedTo, type OauthServer, startOauthServer } from '../../testing/services/oauth-server.ts';
import { walkThrough } from '../../testing/services/openid-provider.ts';
import { wellKnown } from './social.providers.ts';

const providers = ['github', 'twitter', 'facebook'] as const;
type Name = (typeof providers)[number];

const labels: Record<Name, string> = { github: 'GitHub', twitter: 'X', facebook: 'Facebook' };
const servers = {} as Record<Name, OauthServer>;
let app: TestApp;
let flow: Awaited<ReturnType<typeof startSocialFlow>>;
let site: Awaited<ReturnType<typeof makeSocialSite>>;

beforeAll(async () => {
  for (const name of providers) servers[name] = await startOauthServer(wellKnown[name]);
  app = await buildTestApp({ OUTBOUND_PRIVATE: 'allow' });
  flow = await startSocialFlow(app, {
    ...wellKnown,
    github: movedTo(servers.github.origin, wellKnown.github),
    twitter: movedTo(servers.twitter.origin, wellKnown.twitter),
    facebook: movedTo(servers.facebook.origin, wellKnown.facebook),
  });
  for (const name of providers) await giveKeys(app, 'northlab', name, servers[name].client);
  site = await makeSocialSite(app, [...providers]);
});
afterAll(async () => {
  for (const name of providers) await servers[name].stop();
});

let people = 0;

/** Registers a person at a provider, who is signed in there. */
const sitDown = (name: Name, email: string | undefined, isVerified = true): string => {
  people += 1;
  const id = 1_000_000 + people;
  const { answers } = servers[name];
  if (name === 'github') {
    answers.set('/user', { id, login: 'ana', name: 'Ana Moreno Ruiz', email: 'shown@elsewhere.example' });
    answers.set('/user/emails', [
      { email: 'second@elsewhere.example', primary: false, verified: true },
      ...(email === undefined ? [] : [{ email, primary: true, verified: isVerified }]),
    ]);
  } else if (name === 'twitter') {
    const confirmed = email !== undefined && isVerified ? { confirmed_email: email } : {};
    answers.set('/2/users/me?user.fields=confirmed_email', { data: { id: `${id}`, name: 'Ana', ...confirmed } });
  } else {
    const known = { id: `${id}`, first_name: 'Ana', last_name: 'Moreno', ...(email !== undefined && { email }) };
    answers.set('/me?fields=id,email,first_name,last_name', known);
  }
  return `${id}`;
};

const signInWith = async (name: Name) => {
  const { browser, token } = await flow.begin(site);
  return flow.comeBack(browser, await walkThrough((await flow.press(browser, token, name)).href));
};

const linksOf = (userId: number) => app.db.select().from(socialIdentities).where(eq(socialIdentities.user_id, userId));

describe.each(providers)('§2.7 social login: %s', (name) => {
  test('recognises a linked person by the subject alone, without an address', async () => {
    const user = await makeUser(app.db);
    const subject = sitDown(name, undefined);
    await app.db.insert(socialIdentities).values({ user_id: user.id, provider: name, subject });
    expect(await signInWith(name)).toEqual({ status: 200, userId: user.id, loginFrom: name });
  });

  test('gets a challenge and a state, and its answer is accepted once, in the same sign-in', async () => {
    const user = await makeUser(app.db);
    const subject = sitDown(name, undefined);
    await app.db.insert(socialIdentities).values({ user_id: user.id, provider: name, subject });
    const { browser, token } = await flow.begin(site);
    const url = await flow.press(browser, token, name);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: servers[name].client.id,
      redirect_uri: `http://localhost:8080/signin/callback/${name}`,
      scope: wellKnown[name].scope,
      state: expect.stringMatching(/^[\w-]{80,}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const answer = await walkThrough(url.href);
    const other = await flow.begin(site);
    const state = (await flow.press(other.browser, other.token, name)).searchParams.get('state') ?? '';
    const swapped = new URL(answer);
    swapped.searchParams.set('state', state);
    expect((await flow.comeBack(browser, swapped.href)).status).toBe(410);
    expect((await flow.comeBack(browser, answer)).userId).toBe(user.id);
    expect(await flow.comeBack(browser, answer)).toEqual({
      status: 403,
      message: `This answer from ${labels[name]} was already used. Please start again.`,
      reason: `${name}: answer used`,
    });
  });

  test('refuses a code that was issued for another request', async () => {
    sitDown(name, 'ana@northlab.org');
    const [mine, theirs] = [await flow.begin(site), await flow.begin(site)];
    const answer = new URL(await walkThrough((await flow.press(mine.browser, mine.token, name)).href));
    const stolen = new URL(await walkThrough((await flow.press(theirs.browser, theirs.token, name)).href));
    answer.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expect(await flow.comeBack(mine.browser, answer.href)).toEqual({
      status: 403,
      message: `The answer from ${labels[name]} could not be verified. Please try again, or sign in another way.`,
      reason: `${name}: answer not verified (invalid_grant)`,
    });
  });

  test('may have been cancelled, or switched off meanwhile', async () => {
    const closing = await makeSocialSite(app, [name]);
    const { browser, token } = await flow.begin(closing);
    const state = (await flow.press(browser, token, name)).searchParams.get('state') ?? '';
    const denied = `/signin/callback/${name}?${new URLSearchParams({ error: 'access_denied', state })}`;
    expect(await flow.comeBack(browser, denied)).toMatchObject({
      status: 403,
      message: `You were not signed in, because the sign-in was cancelled at ${labels[name]}.`,
    });
    const answer = await walkThrough((await flow.press(browser, token, name)).href);
    await switchOff(app, closing);
    expect(await flow.comeBack(browser, answer)).toMatchObject({ status: 403, reason: 'login type not offered' });
  });

  test('with an unusable profile signs nobody in', async () => {
    sitDown(name, undefined);
    for (const path of servers[name].answers.keys()) servers[name].answers.set(path, { id: null });
    expect((await signInWith(name)).reason).toMatch(`${name}: answer not verified`);
    servers[name].answers.clear();
    expect((await signInWith(name)).reason).toMatch(`${name}: answer not verified`);
  });
});

describe.each(['github', 'twitter'] as const)('§2.7 social login: an address that %s has verified', (name) => {
  test('links its account, and creates none', async () => {
    const user = await makeUser(app.db);
    const subject = sitDown(name, user.email);
    expect(await signInWith(name)).toEqual({ status: 200, userId: user.id, loginFrom: name, linked: name });
    expect(await linksOf(user.id)).toEqual([expect.objectContaining({ provider: name, subject })]);
    sitDown(name, `${newUid()}@northlab.org`);
    expect((await signInWith(name)).message).toBe('There is no account for this address in this network.');
  });
});

describe('§2.7 social login: an unverified address', () => {
  test.for([
    ['github', 'address not verified'],
    ['twitter', 'no address'],
  ] as const)('of %s links nothing', async ([name, reason]) => {
    const user = await makeUser(app.db);
    sitDown(name, user.email, false);
    expect(await signInWith(name)).toMatchObject({ status: 403, reason: `${name}: ${reason}` });
    expect(await linksOf(user.id)).toEqual([]);
  });

  test('is any address of Facebook, which never says whether it is verified', async () => {
    const user = await makeUser(app.db);
    sitDown('facebook', user.email);
    expect(await signInWith('facebook')).toMatchObject({ status: 403, reason: 'facebook: address not verified' });
    expect(await linksOf(user.id)).toEqual([]);
  });
});
