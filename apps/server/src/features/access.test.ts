import { json } from 'node:stream/consumers';
import {
  type AnyCall,
  ApiError,
  type Caller,
  callsByNoun,
  changeUser,
  client,
  type ErrorAnswer,
  removeOwner,
} from '@opensocial/contract';
import { and, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { desktopSections, networks, owners, socialIdentities, throttles, type users } from '../database/schema.ts';
import type { Browser } from '../testing/app/browser.ts';
import { makePasskey, makeUser, networkNamed, password, signInto } from '../testing/app/builders.ts';
import { type CallInput, inputOf, makeThings, type Things, type World } from '../testing/app/call-inputs.ts';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';
import { testOrigin } from '../testing/app/test-parts.ts';

/** What the caller is to the network of the object. A stranger may own another network, also the main one. */
type Standing = 'nobody' | 'member' | 'owner' | 'stranger';
type Who = AnyCall['access']['who'];
type Outcome = 'in' | ApiError['code'];

const labs = ['northlab', 'southlab'] as const;
type Lab = (typeof labs)[number];

/** Each actor with the network whose owner or member it is. Without a network, the session does not count. */
const actors = {
  nobody: {},
  'a session before the second factor': {},
  'a disabled user with the former session': {},
  'a member of northlab': { member: 'northlab' },
  'a member of southlab': { member: 'southlab' },
  'a removed owner of northlab': { member: 'northlab' },
  'an owner of the main network': { owner: 'opensocial' },
  // The last ones, because they may remove the object.
  'an owner of northlab': { owner: 'northlab' },
  'an owner of southlab': { owner: 'southlab' },
} as const satisfies Record<string, { member?: string; owner?: string }>;
type Actor = keyof typeof actors;
const actorNames = Object.keys(actors) as Actor[];

const standingIn = (actor: Actor, lab: Lab): Standing => {
  const { member, owner }: { member?: string; owner?: string } = actors[actor];
  if (member === undefined && owner === undefined) return 'nobody';
  if (owner === lab) return 'owner';
  return member === lab ? 'member' : 'stranger';
};

/** The result of each access: 'in' is any answer that does not refuse the caller. */
const expectedOf = (who: Who, actor: Actor, lab: Lab): Outcome => {
  const standing = standingIn(actor, lab);
  if (who === 'anyone') return 'in';
  if (standing === 'nobody') return 'auth_required';
  switch (who) {
    case 'signedIn':
    case 'self':
      return 'in';
    case 'mainAdmin':
      return actor === 'an owner of the main network' ? 'in' : 'forbidden';
    // The selected network of each actor is their own one.
    case 'selectedAdmin':
      return 'owner' in actors[actor] ? 'in' : 'forbidden';
    case 'networkMember':
      return standing === 'stranger' ? 'not_found' : 'in';
    case 'networkAdmin':
      if (standing === 'stranger') return 'not_found';
      return standing === 'owner' ? 'in' : 'forbidden';
    // The owner of the main network is a stranger to both networks.
    case 'mainAdminInNetwork':
      return standing === 'stranger' ? 'not_found' : 'forbidden';
  }
};

const refusals = new Set<ApiError['code']>(['auth_required', 'forbidden', 'not_found', 'cross_site']);
/** The network is named in the body: the call itself refuses a foreign one, after the access check has admitted the caller. */
const ownNetworkChecks = new Set(['setSelected', 'setDefault']);
/** Sites that are not on the person's desktop are left out, without an error. */
const leavesOutForeign = new Set(['saveDesktopSections']);
/** A member finds only their own lines, and these are of somebody else. */
const ownLineChecks = new Set(['getActivityLine']);

type Person = { user: typeof users.$inferSelect; passkey: number; login: number; browser: Browser };

let testApp: TestApp;
const networkOf = {} as Record<Lab, World['network']>;
/** A section that each member has made on the desktop of a network, by both. */
const sections = new Map<string, number>();
const people = {} as Record<Actor, Person>;

const makePerson = async (actor: Actor): Promise<Person> => {
  const { member, owner }: { member?: string; owner?: string } = actors[actor];
  const isRemoved = actor === 'a removed owner of northlab';
  // An account that another network relies on is disabled only in the network of the owner who disables it.
  const isShared = actor !== 'a disabled user with the former session';
  const user = await makeUser(testApp.db, {
    network: owner ?? member ?? 'northlab',
    owns: isRemoved ? ['northlab'] : [owner ?? []].flat(),
    alsoIn: isShared ? ['leavelab'] : [],
    email_mfa: actor === 'a session before the second factor',
  });
  for (const network of isShared ? ['acceptlab', 'declinelab'] : [])
    await makeUser(testApp.db, { network, email: user.email, provisional: true });
  const link = { user_id: user.id, provider: 'google', subject: user.uid };
  const [login = { id: 0 }] = await testApp.db.insert(socialIdentities).values(link).returning();
  return { user, passkey: await makePasskey(testApp.db, user), login: login.id, browser: testApp.browser() };
};

const makeSections = async (actor: Actor): Promise<void> => {
  for (const lab of labs) {
    if (!['member', 'owner'].includes(standingIn(actor, lab))) continue;
    const owned = { network_id: networkOf[lab].id, user_id: people[actor].user.id, name: 'Daily', position: 0 };
    const [section = { id: 0 }] = await testApp.db.insert(desktopSections).values(owned).returning();
    sections.set(`${actor} ${lab}`, section.id);
  }
};

const signInAs = async (actor: Actor): Promise<void> => {
  const { user, browser } = people[actor];
  if (actor === 'nobody') return;
  if (actor !== 'a session before the second factor') {
    await signInto(testApp.db, browser, user, new Date(), { mfa: 'passkey' });
    return;
  }
  const page = await browser.submit(await browser.get('/server/saml/login'), { email: user.email, password });
  expect(page.html).toContain('Verify it’s you');
};

beforeAll(async () => {
  testApp = await buildTestApp();
  for (const lab of labs) networkOf[lab] = await networkNamed(testApp.db, lab);
  for (const name of ['acceptlab', 'declinelab', 'leavelab'])
    await testApp.db.insert(networks).values({ name, sso_id: name });
  for (const actor of actorNames) {
    people[actor] = await makePerson(actor);
    await makeSections(actor);
    await signInAs(actor);
  }
  // The sessions of these two remain in their browsers.
  const owner = testApp.as(people['an owner of northlab'].browser);
  const { user: disabled } = people['a disabled user with the former session'];
  await owner(changeUser, { params: { userId: disabled.id, mode: 'Disable', serverName: 'northlab' } });
  const { user: removed } = people['a removed owner of northlab'];
  const [owned = { id: 0 }] = await testApp.db
    .select()
    .from(owners)
    .where(and(eq(owners.email, removed.email), eq(owners.network_id, networkOf.northlab.id)));
  await owner(removeOwner, { params: { serverName: 'northlab', ownerId: owned.id } });
});

const worldOf = (actor: Actor, lab: Lab, things: Things): World => ({
  ...people[actor],
  network: networkOf[lab],
  section: sections.get(`${actor} ${lab}`) ?? 1,
  things,
});

/** Listens until the call is admitted. */
const listen = async (declared: AnyCall, actor: Actor, { params }: CallInput): Promise<void> => {
  const { status, stream } = await people[actor].browser.listen(declared.path.build(params as never));
  if (status === 200) stream.destroy();
  else throw new ApiError(((await json(stream)) as ErrorAnswer).code);
};

/** Whatever the answer is, a browser must not take it for a page of ours, or run it. */
const expectStrictHeaders = (headers: Headers, { method, path }: AnyCall): void => {
  const about = `${method} ${path.template}`;
  expect(headers.get('content-security-policy'), about).toMatch(/^default-src 'none'/);
  expect(headers.get('x-content-type-options'), about).toBe('nosniff');
  expect(headers.get('referrer-policy'), about).toBe('no-referrer');
  expect(headers.get('cross-origin-opener-policy'), about).toBe('same-origin');
  expect(headers.get('cross-origin-resource-policy'), about).toBe('same-origin');
};

/** A caller that also keeps the text of the answers, because the typed client hides that of a refusal. */
const recordingCaller = (browser: Browser, declared: AnyCall): { call: Caller; answers: string[] } => {
  const answers: string[] = [];
  const call = client({
    origin: testOrigin,
    fetch: async (url, init) => {
      const answer = await browser.fetch(url as string, init, { 'sec-fetch-site': 'same-origin' });
      answers.push(await answer.clone().text());
      expectStrictHeaders(answer.headers, declared);
      return answer;
    },
  });
  return { call, answers };
};

const tryCall = async (
  declared: AnyCall,
  actor: Actor,
  input: CallInput,
): Promise<{ outcome: Outcome; answer: string }> => {
  const { call, answers } = recordingCaller(people[actor].browser, declared);
  try {
    if (declared.stream) await listen(declared, actor, input);
    else await call(declared, input as never);
    return { outcome: 'in', answer: answers.join('') };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.status).not.toBe(500);
    return { outcome: refusals.has(error.code) ? error.code : 'in', answer: answers.join('') };
  }
};

const isReading = ({ method }: AnyCall): boolean => method === 'GET';

/** Those that change nothing come first, because they share what they are about. */
const allCalls = Object.values(callsByNoun)
  .flatMap((calls) => Object.entries(calls))
  .toSorted(([, one], [, other]) => Number(isReading(other)) - Number(isReading(one)));

/** Makes the things of a call, once for all calls that change nothing. */
const makingThings = () => {
  const shared = new Map<Lab, Things>();
  return async (declared: AnyCall, lab: Lab): Promise<Things> => {
    const things = (isReading(declared) && shared.get(lab)) || (await makeThings(testApp, networkOf[lab]));
    if (isReading(declared)) shared.set(lab, things);
    return things;
  };
};

describe('§6 every call answers each actor as it declares', () => {
  // Thousands of requests of one address.
  beforeEach(async () => {
    await testApp.db.delete(throttles);
  });

  let cells = 0;
  const thingsFor = makingThings();
  const mixedThingsFor = makingThings();

  test.for(allCalls)('%s', async ([name, declared]) => {
    const tried = new Set<string>();
    for (const lab of labs) {
      const things = await thingsFor(declared, lab);
      for (const actor of actorNames) {
        const input = inputOf(name, worldOf(actor, lab, things));
        // A call about the caller alone is made once, because some of them remove what they are about.
        const asked = `${actor} ${JSON.stringify(input)}`;
        if (tried.has(asked)) continue;
        tried.add(asked);
        const { outcome, answer } = await tryCall(declared, actor, input);
        const standing = standingIn(actor, lab);
        const isOutside = standing === 'stranger' || standing === 'nobody';
        const isNotFound =
          (ownNetworkChecks.has(name) && standing === 'stranger') || (ownLineChecks.has(name) && standing === 'member');
        expect(outcome, `${actor}, ${lab}`).toBe(
          isNotFound ? 'not_found' : expectedOf(declared.access.who, actor, lab),
        );
        const mayRead = !isOutside && outcome === 'in';
        expect(!mayRead && answer.includes(things.word), `${actor}, ${lab}: ${answer}`).toBe(false);
        cells += 1;
      }
    }
  });

  test.for(allCalls)(
    "%s does not reach a foreign object through the caller's own network",
    async ([name, declared]) => {
      const actor = 'an owner of northlab';
      const foreign = await mixedThingsFor(declared, 'southlab');
      const mixed = inputOf(name, worldOf(actor, 'northlab', foreign));
      const own = inputOf(name, worldOf(actor, 'northlab', await mixedThingsFor(declared, 'northlab')));
      if (JSON.stringify(mixed) === JSON.stringify(own)) return;
      const { outcome, answer } = await tryCall(declared, actor, mixed);
      expect(outcome).toBe(leavesOutForeign.has(name) ? 'in' : 'not_found');
      expect(answer).not.toContain(foreign.word);
      cells += 1;
    },
  );

  test('in at least 2,600 cells', () => {
    expect(cells).toBeGreaterThanOrEqual(2_600);
  });

  test.for(allCalls.filter(([, { access }]) => 'self' in access))(
    '%s refuses another user',
    async ([name, declared]) => {
      const things = await makeThings(testApp, networkOf.northlab);
      const other = inputOf(name, worldOf('an owner of northlab', 'northlab', things));
      expect((await tryCall(declared, 'a member of northlab', other)).outcome).toBe('forbidden');
    },
  );

  const freshCalls = allCalls.filter(([, { access }]) => 'needs' in access && access.needs === 'freshSignIn');

  test.for(freshCalls)('%s refuses a session whose sign-in is not fresh', async ([name, declared]) => {
    const things = await makeThings(testApp, networkOf.northlab);
    for (const actor of ['an owner of northlab', 'an owner of the main network'] as const) {
      const { user } = people[actor];
      const hourAgo = new Date(Date.now() - 3_600_000);
      const stale = testApp.as(await signInto(testApp.db, testApp.browser(), user, hourAgo));
      const input = inputOf(name, worldOf(actor, 'northlab', things));
      const answer = expectedOf(declared.access.who, actor, 'northlab');
      // Without the permission, the answer does not depend on the sign-in.
      const code = answer === 'in' ? 'reauth_required' : answer;
      await expect(stale(declared, input as never), actor).rejects.toMatchObject({ code });
    }
  });

  test('the calls that need a fresh sign-in are declared', () => {
    expect(freshCalls.map(([name]) => name).toSorted()).toEqual([
      'applySiteRefresh',
      'copyUserInvitation',
      'createNetwork',
      'createOidcSecret',
      'createOwner',
      'emptyTrash',
      'endUserSessions',
      'fixSite',
      'inviteOwner',
      'removeFromTrash',
      'removeLogin',
      'removeOidcSecret',
      'removeOwner',
      'removeSigningKey',
      'removeSite',
      'replaceOidcKey',
      'resetUserFactors',
      'retireSigningKey',
      'switchAllSites',
      'switchSite',
    ]);
  });

  const keysOf = ({ access }: AnyCall) => ('network' in access ? Object.values(access.network) : []);
  const isOf = (key: 'samlSite' | 'oidcSite') => allCalls.filter(([, declared]) => keysOf(declared).includes(key));

  test.for([...isOf('samlSite'), ...isOf('oidcSite')])(
    '%s does not find a site of the other protocol',
    async ([name, declared]) => {
      const things = await makeThings(testApp, networkOf.northlab);
      const swapped = { ...things, site: things.client, client: things.site };
      const owner = 'an owner of northlab';
      const outcomeOf = async (present: Things) =>
        (await tryCall(declared, owner, inputOf(name, worldOf(owner, 'northlab', present)))).outcome;
      expect(await outcomeOf(swapped)).toBe('not_found');
      expect(await outcomeOf(things)).toBe('in');
    },
  );

  test('the calls that are about one protocol are declared', () => {
    expect(isOf('samlSite').map(([name]) => name)).toEqual([
      'getSubscriber',
      'getSiteRefresh',
      'updateSubscriber',
      'previewSiteAttributes',
      'refreshSite',
      'applySiteRefresh',
      'switchSite',
    ]);
    expect(isOf('oidcSite').map(([name]) => name)).toEqual([
      'getOidcClient',
      'updateOidcClient',
      'createOidcSecret',
      'removeOidcSecret',
      'previewClaims',
    ]);
  });

  test('a call from another site is refused for every role', async () => {
    const url = '/server/sso/network_mode';
    const body = JSON.stringify({ server: 'northlab', mode: 'All' });
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      // A link that somebody put on one of our own pages.
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' },
      { origin: 'https://evil.example' },
      {},
    ]) {
      const answer = await people['an owner of northlab'].browser.fetch(
        url,
        { method: 'PUT', body, headers: { 'content-type': 'application/json' } },
        headers,
      );
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ code: 'cross_site' });
    }
  });

  test('the cookie user_role is never read', async () => {
    const member = 'a member of northlab';
    const owner = 'an owner of northlab';
    people[member].browser.cookies.set('user_role', 'admin');
    people[owner].browser.cookies.set('user_role', 'user');
    const [, declared] = allCalls.find(([name]) => name === 'listDesktopApps') ?? [];
    const input = { params: { server_id: networkOf.northlab.id } };
    expect((await tryCall(declared as AnyCall, member, input)).outcome).toBe('forbidden');
    expect((await tryCall(declared as AnyCall, owner, input)).outcome).toBe('in');
  });
});
