import { hash } from 'node:crypto';
import {
  type AccessCheck,
  type AccessStepId,
  ApiError,
  explainAccess,
  listDesktopApps,
  listUserDesktopApps,
  type NetworkMode,
  viewDesktop,
} from '@opensocial/contract';
import { and, eq, or, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  groupUsers,
  loginLog,
  memberships,
  networks,
  owners,
  sites,
  siteVisits,
  socialIdentities,
  throttles,
  users,
} from '../../database/schema.ts';
import { newUid } from '../../secrets/tokens.ts';
import { newTotpSecret, toBase32 } from '../../secrets/totp.ts';
import { Browser, type Page } from '../../testing/app/browser.ts';
import { makeGroup, makeSite, makeUser, networkNamed, password, signInto } from '../../testing/app/builders.ts';
import { isSignedIn, mailedCode, postForm, setPolicy, setupKeyIn } from '../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { codeOf } from '../../testing/services/authenticator.ts';
import { type OpenIdProvider, startOpenIdProvider, walkThrough } from '../../testing/services/openid-provider.ts';

/** The random states besides the given ones. */
const randomRuns = 20;

let provider: OpenIdProvider;
let testApp: TestApp;
let owner: ReturnType<TestApp['as']>;
let north: { id: number; sso_id: string };

beforeAll(async () => {
  provider = await startOpenIdProvider([{ id: 'client', secret: 'secret', names: ['work'] }]);
  testApp = await buildTestApp({
    OUTBOUND_PRIVATE: 'allow',
    OIDC_ISSUERS: `Work=${provider.issuer}|client|secret`,
    TRUST_PROXY: '127.0.0.1',
  });
  north = await networkNamed(testApp.db, 'northlab');
  owner = testApp.as(await signInto(testApp.db, testApp.browser(), await makeUser(testApp.db, { owns: ['northlab'] })));
});
afterAll(() => provider.stop());

/** Everything that decides whether a person enters a site and sees its tile. */
type State = {
  status: 'Confirmed' | 'NonConfirmed';
  user_mode: 'Active' | 'Disable';
  isUnused: boolean;
  neverDisabled: boolean;
  membership: 'active' | 'disabled' | 'unconfirmed' | 'absent';
  isElsewhere: boolean;
  isOwner: boolean;
  siteStatus: 'Active' | 'Disable';
  siteMode: 'Open' | 'Closed';
  groups: 'none' | 'inside' | 'outside';
  testers: 'none' | 'inside' | 'outside';
  emailLogin: boolean;
  offersMain: boolean;
  offersWork: boolean;
  work: 'unknown' | 'linked' | 'verified';
  hasPassword: boolean;
  isPasswordOld: boolean;
  isLocked: boolean;
  areCodesLocked: boolean;
  hasTotp: boolean;
  emailMfa: boolean;
  siteMfa: 'Enable' | 'Disable';
  networkMfa: string[] | null;
  desktopMode: NetworkMode;
  isPlaced: boolean;
  isVisited: boolean;
};

/** A member who enters with a password, and sees the tile. */
const usual: State = {
  status: 'Confirmed',
  user_mode: 'Active',
  isUnused: false,
  neverDisabled: false,
  membership: 'active',
  isElsewhere: false,
  isOwner: false,
  siteStatus: 'Active',
  siteMode: 'Open',
  groups: 'inside',
  testers: 'none',
  emailLogin: true,
  offersMain: false,
  offersWork: false,
  work: 'unknown',
  hasPassword: true,
  isPasswordOld: false,
  isLocked: false,
  areCodesLocked: false,
  hasTotp: false,
  emailMfa: false,
  siteMfa: 'Disable',
  networkMfa: null,
  desktopMode: 'AdminManaged',
  isPlaced: true,
  isVisited: false,
};

/** A member who enters with a login at a provider. */
const social: State = { ...usual, emailLogin: false, offersWork: true, work: 'linked' };

/** The other values of each part of a state. */
const deviations: { [Part in keyof State]: readonly State[Part][] } = {
  status: ['NonConfirmed'],
  user_mode: ['Disable'],
  isUnused: [true],
  neverDisabled: [true],
  membership: ['disabled', 'unconfirmed', 'absent'],
  isElsewhere: [true],
  isOwner: [true],
  siteStatus: ['Disable'],
  siteMode: ['Closed'],
  groups: ['none', 'outside'],
  testers: ['inside', 'outside'],
  emailLogin: [false],
  offersMain: [true],
  offersWork: [true],
  work: ['linked', 'verified'],
  hasPassword: [false],
  isPasswordOld: [true],
  isLocked: [true],
  areCodesLocked: [true],
  hasTotp: [true],
  emailMfa: [true],
  siteMfa: ['Enable'],
  networkMfa: [['email'], ['google'], ['google', 'email'], []],
  desktopMode: ['All', 'Visited'],
  isPlaced: [false],
  isVisited: [true],
};

/** Each deviation alone, so that every check decides at least once. */
const singles = Object.entries(deviations).flatMap(([part, values]) =>
  values.map((value): State => ({ ...usual, [part]: value })),
);

/** Deviations that matter only together. */
const pairs: State[] = [
  { ...social, networkMfa: ['google'] },
  { ...social, networkMfa: ['google'], hasTotp: true },
  { ...social, work: 'verified' },
  { ...social, isLocked: true },
  { ...usual, siteMode: 'Closed', isOwner: true },
  { ...usual, siteMode: 'Closed', testers: 'inside' },
  { ...usual, siteMode: 'Closed', testers: 'outside' },
  { ...usual, hasTotp: true, areCodesLocked: true },
  { ...usual, emailLogin: false, offersMain: true },
  { ...usual, isUnused: true, neverDisabled: true },
  { ...usual, desktopMode: 'Visited', isVisited: true },
];

/** Up to four deviations at once. With more, the first refusals would hide all others. */
const State: fc.Arbitrary<State> = fc
  .tuple(fc.constantFrom(usual, social), fc.uniqueArray(fc.constantFrom(...singles), { minLength: 1, maxLength: 4 }))
  .map(([base, changed]) => Object.assign({}, base, ...changed.map(deviationOf)));

const deviationOf = (single: State): Partial<State> =>
  Object.fromEntries(Object.entries(single).filter(([part, value]) => value !== usual[part as keyof State]));

const longAgo = new Date('2020-01-01');

type World = Awaited<ReturnType<typeof makeWorld>>;

const makePerson = async (state: State) => {
  const { db, parts } = testApp;
  const secret = newTotpSecret();
  const isAbsent = state.membership === 'absent';
  const user = await makeUser(db, {
    network: isAbsent ? 'southlab' : 'northlab',
    alsoIn: state.isElsewhere ? ['southlab'] : [],
    status: state.status,
    user_mode: state.user_mode,
    bypass_inactivity: state.neverDisabled,
    ...(state.isUnused && { created_at: longAgo, last_login_at: longAgo }),
    ...(state.isPasswordOld && { password_changed_at: longAgo }),
    ...(!state.isPasswordOld && { password_changed_at: new Date() }),
    ...(!state.hasPassword && { password_hash: null }),
    ...(state.hasTotp && { totp_secret: parts.vault.encrypt(secret) }),
    email_mfa: state.emailMfa,
  });
  const inNetwork = {
    status: state.membership === 'unconfirmed' ? ('NonConfirmed' as const) : ('Confirmed' as const),
    user_mode: state.membership === 'disabled' ? ('Disable' as const) : ('Active' as const),
  };
  await db
    .update(memberships)
    .set(inNetwork)
    .where(and(eq(memberships.user_id, user.id), eq(memberships.network_id, north.id)));
  if (state.isOwner) await db.insert(owners).values({ network_id: north.id, email: user.email });
  return { user, secret };
};

const makeWorld = async (state: State) => {
  const { db } = testApp;
  await db.delete(throttles);
  await setPolicy(testApp, {
    mfa: state.networkMfa ? 'Enable' : 'Disable',
    mfa_options: state.networkMfa ?? [],
    user_inactivity: 30,
    password_expiration: 3,
  });
  await db.update(networks).set({ mode: state.desktopMode }).where(eq(networks.id, north.id));
  const { user, secret } = await makePerson(state);
  const group = state.groups === 'none' ? undefined : await makeGroup(db);
  if (group && state.groups === 'inside') await db.insert(groupUsers).values({ group_id: group.id, user_id: user.id });
  const testers = state.testers === 'none' ? undefined : await makeGroup(db);
  if (testers && state.testers === 'inside')
    await db.insert(groupUsers).values({ group_id: testers.id, user_id: user.id });
  const site = await makeSite(db, {
    status: state.siteStatus,
    site_mode: state.siteMode,
    testers_group_id: testers?.id ?? null,
    mfa: state.siteMfa,
    email_login: state.emailLogin,
    auth_options: state.offersMain ? ['opensocial'] : [],
    custom_auth_options: state.offersWork ? ['work'] : [],
    desktop_position: state.isPlaced ? 1 : null,
    groups: group ? [group.id] : [],
  });
  if (state.isVisited) await db.insert(siteVisits).values({ user_id: user.id, site_id: site.id });
  const subject = newUid();
  provider.present = subject;
  provider.people.set(subject, { email: user.email, email_verified: state.work === 'verified' });
  if (state.work === 'linked')
    await db
      .insert(socialIdentities)
      .values({ user_id: user.id, provider: 'work', subject: `${provider.issuer} ${subject}` });
  const lock = (key: string) => ({ key, failures: 100, blocked_until: sql`now() + interval '1 hour'` });
  if (state.isLocked) await db.insert(throttles).values(lock(`account:${hash('sha256', user.email)}`));
  if (state.areCodesLocked) await db.insert(throttles).values(lock(`mfa:${user.id}`));
  return { state, user, secret, site };
};

const newPassword = 'another correct horse battery';

let addresses = 0;

/** A browser with an address of its own, so that the runs do not share the limits of an address. */
const newBrowser = (): Browser => {
  addresses += 1;
  const address = `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
  return new Browser({
    inject: (options) =>
      testApp.app.inject({ ...options, headers: { ...options.headers, 'x-forwarded-for': address } }),
  });
};

/** Answers the pages after a login as the person would. Returns the last page. */
const answerPages = async (browser: Browser, { secret }: World, first: Page): Promise<Page> => {
  let page = first;
  for (let pages = 0; pages < 8 && page.status < 400 && !isSignedIn(page); pages += 1) {
    if (page.form?.action.endsWith('/go-on')) page = await browser.submit(page);
    else if (page.url.includes('/verify')) page = await answerFactor(browser, secret, page);
    else if (page.url.endsWith('/password'))
      page = await browser.submit(page, { password: newPassword, confirmation: newPassword });
    else throw new Error(`An unexpected page: ${page.url}`);
  }
  return page;
};

const answerFactor = async (browser: Browser, secret: Buffer, page: Page): Promise<Page> => {
  // The page that offers to mail a code has no field for it yet.
  const factor = page.form?.fields['factor'] ?? 'email';
  const codes: Record<string, () => Promise<string> | string> = {
    totp: () => codeOf(toBase32(secret)),
    setup: () => codeOf(setupKeyIn(page)),
    email: () => mailedCode(testApp, browser, page),
  };
  const code = (await codes[factor]?.()) ?? '';
  return postForm(browser, page, 'verify', { factor, code });
};

const withPassword = (browser: Browser, { user }: World, page: Page) =>
  page.html.includes('name="password"') ? browser.submit(page, { email: user.email, password }) : undefined;

const withMain = async (browser: Browser, world: World, page: Page) =>
  page.html.includes('/with/opensocial')
    ? withPassword(browser, world, await postForm(browser, page, 'with/opensocial'))
    : undefined;

const withWork = async (browser: Browser, _world: World, page: Page) => {
  if (!page.html.includes('/with/work')) return undefined;
  const leaving = await postForm(browser, page, 'with/work');
  const address = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(leaving.html)?.[1] ?? '';
  return browser.get(await walkThrough(address.replaceAll('&amp;', '&')));
};

/**
 * Tries the logins that the sign-in page offers, until one of them enters the site or the site refuses the person. Returns whether the
 * person has entered, and the reasons in the login log.
 */
const signIn = async (world: World): Promise<{ enters: boolean; reasons: string[] }> => {
  let end: Page | undefined;
  for (const login of [withPassword, withMain, withWork]) {
    const browser = newBrowser();
    const page = await login(browser, world, await browser.get(`/saml/northlab/start/${world.site.id}`));
    end = page && (await answerPages(browser, world, page));
    if (end && (isSignedIn(end) || end.status === 403)) break;
  }
  const enters = end !== undefined && isSignedIn(end);
  // A refusal at the main network is in its own log.
  const ofPerson = or(eq(loginLog.site_id, world.site.id), eq(loginLog.email, world.user.email));
  const lines = await testApp.db
    .select({ reason: loginLog.reason })
    .from(loginLog)
    .where(and(ofPerson, eq(loginLog.login_status, 'Failed')));
  return { enters, reasons: lines.map(({ reason }) => reason ?? '') };
};

/** The reasons in the login log with which each stage refuses a person. */
const reasonsOf: Partial<Record<AccessStepId, string[]>> = {
  lock: ['account locked'],
  confirmed: ['account not confirmed'],
  active: ['account disabled'],
  in_use: ['account not used for too long'],
  unblocked: ['disabled in the network'],
  site_status: ['site disabled'],
  site_mode: ['site closed'],
  groups: ['not in a group of the site'],
};

/** A person who belongs to other networks too: the account and the membership are one step. */
const sharedReasons = {
  ...reasonsOf,
  active: ['account disabled', 'account not confirmed', 'disabled in the network'],
};

/** The reasons with which a person is refused who cannot prove who they are. */
const proofReasons = [
  'wrong password',
  'account locked',
  'no second factor set up',
  'work: address not verified',
  'work: no account',
];

/** Whether the explanation knows that the person has a login and a factor, so that a sign-in gets to the refused stage. */
const isProven = ({ state }: World, { steps }: AccessCheck): boolean => {
  const isNoted = steps.some(({ id, outcome }) => outcome === 'note' && (id === 'login' || id === 'lock'));
  return !state.isElsewhere && (!isNoted || state.work === 'linked');
};

const explain = async ({ site, user }: World): Promise<AccessCheck | undefined> => {
  try {
    return await owner(explainAccess, { params: { site_id: site.id, user_id: user.id } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
};

const expectAgreement = async (world: World): Promise<void> => {
  const { state } = world;
  const explained = await explain(world);
  const { enters, reasons } = await signIn(world);
  expect(explained === undefined).toBe(state.membership === 'absent');
  if (!explained) {
    expect(enters).toBe(false);
    return;
  }
  const { verdict, refused_at, steps } = explained;
  expect(steps.find(({ outcome }) => outcome === 'no')?.id ?? null).toBe(refused_at);
  expect(verdict === 'no').toBe(refused_at !== null);
  if (verdict !== 'conditional') expect(enters).toBe(verdict === 'yes');
  // The only condition is that the provider confirms the address, unless the logins of the person are not disclosed.
  else if (!state.isElsewhere) expect(enters).toBe(state.work === 'verified');
  if (refused_at === null) return;
  const wanted = (state.isElsewhere ? sharedReasons : reasonsOf)[refused_at];
  // Without a usable login, or with locked codes, the log has no line of this stage.
  if (!wanted) expect(['login', 'factor']).toContain(refused_at);
  else if (isProven(world, explained)) expect(wanted.some((reason) => reasons.includes(reason))).toBe(true);
  else expect(reasons.every((reason) => [...wanted, ...proofReasons].includes(reason))).toBe(true);
};

/** The desktop that the person gets, if they can open it. */
const findOwnDesktop = async ({ user, state }: World): Promise<number[]> => {
  const own = testApp.as(await signInto(testApp.db, testApp.browser(), user));
  const params = {
    selectedId: north.id,
    ssoId: north.sso_id,
    serverId: north.id,
    selectedServer: 'northlab',
    uid: user.uid,
  };
  try {
    const apps = state.isOwner
      ? await own(listDesktopApps, { params: { server_id: north.id } })
      : await own(listUserDesktopApps, { params });
    return apps.map(({ id }) => id);
  } catch (error) {
    if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return [];
    throw error;
  }
};

/** An account that nobody has used for too long cannot sign in, although a session that it still has would work. */
const expectSameDesktop = async (world: World): Promise<void> => {
  const { state, user, site } = world;
  const explained = await explain(world);
  if (!explained || (state.isUnused && !state.neverDisabled)) return;
  const own = await findOwnDesktop(world);
  const { apps } = await owner(viewDesktop, { params: { user_id: user.id, server_id: north.id } });
  expect(apps.map(({ id }) => id)).toEqual(own);
  expect(explained.tile.shown).toBe(own.includes(site.id));
  const { refusal } = apps.find(({ id }) => id === site.id) ?? { refusal: null };
  const siteSteps: AccessStepId[] = ['member', 'unblocked', 'site_status', 'site_mode', 'groups'];
  const isRefused = explained.steps.some(({ id, outcome }) => outcome === 'no' && siteSteps.includes(id));
  if (explained.tile.shown) expect(refusal !== null).toBe(isRefused);
};

test('§2.16 the explanation agrees with the real sign-in and the real desktop in every state', async () => {
  const examples = [...singles, ...pairs].map((state): [State] => [state]);
  await fc.assert(
    fc.asyncProperty(State, async (state) => {
      const world = await makeWorld(state);
      await expectSameDesktop(world);
      await expectAgreement(world);
      await testApp.db.delete(sites).where(eq(sites.id, world.site.id));
      await testApp.db.delete(users).where(eq(users.id, world.user.id));
      await testApp.db.delete(owners).where(eq(owners.email, world.user.email));
    }),
    { numRuns: examples.length + randomRuns, examples, endOnFailure: true },
  );
}, 60_000);
