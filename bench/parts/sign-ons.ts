import { buildAuthnRequest, newSamlId, redirectUrl } from '@opensocial/saml';
import {
  type IdentifiedAccount,
  insertIdentitySession,
} from '../../apps/server/src/features/sign-in/accounts/identity-sessions.queries.ts';
import { newDeviceCookie } from '../../apps/server/src/features/sign-in/credentials/known-devices.ts';
import type { Parts } from '../../apps/server/src/parts.ts';
import { password } from '../../apps/server/src/testing/app/builders.ts';
import { type Answer, createClient, repeat } from '../http.ts';
import { argon2Limit, signatureLimit } from '../limits.ts';
import { measureReference } from '../reference.ts';
import type { Result } from '../report.ts';
import { network, openParts, postgresCpu, type Server, startServerOn, type World } from '../world.ts';

export const connections = 16;
const people = 200;
const seconds = 15;
/** A new server is still compiling its code; after about a thousand sign-ons it is warmed up. */
const secondsToWarmUp = 30;

type Site = { identity: string; acs: string };
/** Where requests are sent, and the recipient that they name. */
type Place = { address: string; publicUrl?: string };

/** An AuthnRequest as a service provider sends it, each with a new id. */
const requestUrl = ({ address, publicUrl = address }: Place, name: string, { identity, acs }: Site): string => {
  const location = `${publicUrl}/saml/${name}/sso`;
  const draft = { id: newSamlId(), issuer: identity, destination: location, acsUrl: acs, issueInstant: new Date() };
  return redirectUrl({ location, kind: 'SAMLRequest', xml: buildAuthnRequest(draft) }).replace(publicUrl, address);
};

type SessionParts = Pick<Parts, 'db' | 'vault'>;
type Person = IdentifiedAccount & { uid: string };

/** Opens a session for a person. Returns the cookies of the browser. */
export const openSession = async ({ db, vault }: SessionParts, user: Person): Promise<string> => {
  const session = {
    session_index: newSamlId(),
    login_from: 'OpenSocial',
    authenticated_at: new Date(),
    mfa: null,
    ip_address: null,
    user_agent: null,
  };
  const opened = await insertIdentitySession(db, user, session);
  return `opensocial_identity=${opened?.token}; opensocial_device=${newDeviceCookie(vault, user)}`;
};

/** People with an open session each, and sites that they may enter. */
export const gather = async (world: World) => {
  const { parts, close } = await openParts(world, 'full');
  try {
    const members = await world.query<{ id: string; uid: string; email: string; credentials_at: Date }>(
      'full',
      `select id, uid, email, credentials_at from users where status = 'Confirmed' and user_mode = 'Active' and uid like 'bench-%' and id % 10 = 1 order by id limit ${people}`,
    );
    const sites = await world.query<Site>(
      'full',
      `select identity, acs from sites where kind = 'site' and protocol = 'saml' and status = 'Active' and site_mode = 'Open' and network_id = (select id from networks where name = $1) order by id limit 50`,
      [network],
    );
    const cookies: string[] = [];
    for (const { id, uid, credentials_at: credentialsAt } of members)
      cookies.push(await openSession(parts, { id: Number(id), uid, credentialsAt }));
    return { network, sites, cookies, emails: members.map(({ email }) => email) };
  } finally {
    await close();
  }
};

type Gathered = Awaited<ReturnType<typeof gather>>;

type Load = { count: number; perSecond: number; perCpuSecond: number; postgresShare: number };

/** Measures the throughput of a server, by the clock and by CPU time. */
export const measure = async (
  server: Server,
  work: (turn: number) => Promise<void>,
  workers = connections,
): Promise<Load> => {
  await repeat(workers, secondsToWarmUp, work);
  const [cpu, databaseCpu, begun] = [await server.cpu(), await postgresCpu(), performance.now()];
  const count = await repeat(workers, seconds, work);
  const elapsed = (performance.now() - begun) / 1_000;
  const used = (await server.cpu()) - cpu;
  return {
    count,
    perSecond: count / elapsed,
    perCpuSecond: count / used,
    postgresShare: ((await postgresCpu()) - databaseCpu) / used,
  };
};

type Act = (turn: number) => Promise<void>;
type Acts = { signOn: Act; signIn: Act; close: () => void };

export const ratioOf = ({ perCpuSecond }: Load, limit: number): number => perCpuSecond / limit;

export const said = ({ perSecond, perCpuSecond, postgresShare }: Load): string =>
  `${perSecond.toFixed(0)}/s; ${perCpuSecond.toFixed(0)} a CPU-second, PostgreSQL ${(postgresShare * 100).toFixed(0)} % on top`;

/**
 * The CPU time of server and PostgreSQL that is not spent on cryptography, of which there are `cryptography` seconds. Divided by the time
 * of the reference work, it can be compared between processors.
 */
export const rowBesides = (
  what: string,
  { perCpuSecond, postgresShare }: Pick<Load, 'perCpuSecond' | 'postgresShare'>,
  { cryptography, reference, most }: { cryptography: number; reference: number; most?: number },
): Result => {
  const server = 1_000 / perCpuSecond - 1_000 * cryptography;
  const postgres = (1_000 / perCpuSecond) * postgresShare;
  const total = server + postgres;
  return {
    what,
    measured: `${total.toFixed(2)} ms of CPU, PostgreSQL ${postgres.toFixed(2)} of them`,
    against: `${reference.toFixed(2)} ms for the reference work`,
    ratio: total / reference,
    ...(most !== undefined && { goal: `≤ ${most.toFixed(1)} ms`, isMet: total <= most }),
  };
};

/** The actions of users at a server. */
export const actsAt = (
  server: Place,
  { network: name, sites, cookies, emails }: Gathered,
  atOnce = connections,
): Acts => {
  const { send, close } = createClient(atOnce);
  const devices = new Map<string, string[]>();
  const urlFor = (turn: number) => requestUrl(server, name, sites[turn % sites.length] ?? { identity: '', acs: '' });
  const assertAnswered = ({ status, body }: Answer) => {
    if (status !== 200 || !body.includes('SAMLResponse')) throw new Error(`Answered ${status}: ${body.slice(0, 300)}`);
  };
  return {
    close,
    signOn: async (turn) => assertAnswered(await send(urlFor(turn), cookies[turn % cookies.length])),
    signIn: async (turn) => {
      const person = turn % emails.length;
      const email = emails[person] ?? '';
      // The number of sign-ins that one address may begin is limited.
      const address = `127.0.1.${person + 1}`;
      // From a known browser, like nearly all sign-ins.
      const device = devices.get(email) ?? [];
      const begun = await send(urlFor(turn), device.join('; '), undefined, address);
      const browser = [...begun.cookies, ...device].join('; ');
      const at = `${server.address}${begun.location}`;
      const page = await send(at, browser, undefined, address);
      const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
      const done = await send(at, browser, { csrf, email, password }, address);
      assertAnswered(done);
      devices.set(
        email,
        done.cookies.filter((cookie) => cookie.startsWith('opensocial_device=')),
      );
    },
  };
};

/** Starts a server on the full database, with one process by default. */
const withActs = async <T>(world: World, work: (server: Server, acts: Acts) => Promise<T>, workers = 1): Promise<T> => {
  const gathered = await gather(world);
  const server = await startServerOn(world, 'full', { WORKERS: String(workers) });
  const acts = actsAt(server, gathered);
  try {
    return await work(server, acts);
  } finally {
    acts.close();
    await server.stop();
  }
};

/**
 * A request by the redirect binding; session, policy and site are checked; a log line is written durably; a signed
 * response is returned.
 */
export const measureSignOns = async (world: World): Promise<Result[]> => {
  const limit = await signatureLimit('RS256');
  const reference = await measureReference();
  const measureWith = (workers: number) => withActs(world, (server, { signOn }) => measure(server, signOn), workers);
  const alone = await measureWith(1);
  const together = await measureWith(2);
  const once = await signingOnlyAssertions(world, () => measureWith(1));
  const ratio = ratioOf(alone, limit);
  return [
    {
      what: 'single sign-ons with a live session',
      measured: said(alone),
      against: `${limit.toFixed(0)} RSA-2048 signatures a CPU-second; an answer has two`,
      ratio,
      goal: '≥ 0.4',
      isMet: ratio >= 0.4,
    },
    rowBesides('… besides its two signatures', alone, { cryptography: 2 / limit, reference, most: 1 }),
    {
      what: '… with two workers, by the clock',
      measured: `${together.perSecond.toFixed(0)}/s`,
      against: `${alone.perSecond.toFixed(0)}/s with one; the clients and PostgreSQL share the cores`,
      ratio: together.perSecond / alone.perSecond,
    },
    {
      what: '… at sites for which only the assertion is signed',
      measured: said(once),
      against: `${alone.perCpuSecond.toFixed(0)} a CPU-second with two signatures; ${limit.toFixed(0)} RSA-2048 signatures`,
      ratio: once.perCpuSecond / alone.perCpuSecond,
    },
    rowBesides('… besides its one signature', once, { cryptography: 1 / limit, reference, most: 1 }),
  ];
};

/** Runs a measurement while the responses to all sites have one signature instead of two. */
const signingOnlyAssertions = async <T>(world: World, work: () => Promise<T>): Promise<T> => {
  const setSigns = (signs: string) =>
    world.query(
      'full',
      `update sites set signs = $1 where kind = 'site' and network_id = (select id from networks where name = $2)`,
      [signs, network],
    );
  await setSigns('assertion');
  try {
    return await work();
  } finally {
    await setSigns('both');
  }
};

/** From the request through page and password to the signed response. */
export const measureSignIns = (world: World): Promise<Result[]> =>
  withActs(world, async (server, { signIn }) => {
    const limit = await argon2Limit();
    const withAnswer = 1 / (1 / limit + 2 / (await signatureLimit('RS256')));
    const reference = await measureReference();
    for (let turn = 0; turn < people; turn += 8)
      await Promise.all(Array.from({ length: 8 }, (_, each) => signIn(turn + each)));
    const load = await measure(server, signIn, 8);
    const ratio = ratioOf(load, withAnswer);
    const against = `${withAnswer.toFixed(0)} argon2id verifications with two signatures each; ${limit.toFixed(0)} without signatures`;
    return [
      { what: 'sign-ins with a password', measured: said(load), against, ratio, goal: '≥ 0.85', isMet: ratio >= 0.85 },
      rowBesides('… besides argon2id and the two signatures', load, { cryptography: 1 / withAnswer, reference }),
    ];
  });
