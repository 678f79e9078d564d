import type { OidcParameters } from '@opensocial/contract';
import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import {
  groupSites,
  groups,
  groupUsers,
  identitySessions,
  images,
  memberships,
  networks,
  owners,
  passkeys,
  passwordHistory,
  sites,
  users,
} from '../../database/schema.ts';
import { insertSession } from '../../features/session/session.queries.ts';
import { hashPassword } from '../../secrets/passwords.ts';
import { hashToken, newToken, newUid } from '../../secrets/tokens.ts';
import type { Browser } from './browser.ts';

export const password = 'correct horse battery staple';
const passwordHash = hashPassword(password);

export const networkNamed = async (db: Queryable, name: string) => {
  const [network] = await db.select().from(networks).where(eq(networks.name, name));
  if (!network) throw new Error(`There is no network ${name}.`);
  return network;
};

type UserDraft = Partial<typeof users.$inferInsert> & { network?: string; owns?: string[]; alsoIn?: string[] };

/** A confirmed member of northlab, unless the draft says otherwise. */
export const makeUser = async (
  db: Queryable,
  { network = 'northlab', owns = [], alsoIn = [], ...draft }: UserDraft = {},
) => {
  const home = await networkNamed(db, network);
  const uid = newUid();
  const [user] = await db
    .insert(users)
    .values({
      uid,
      email: `${uid}@northlab.org`,
      firstname: 'Ana',
      lastname: 'Moreno',
      status: 'Confirmed',
      password_hash: await passwordHash,
      home_network_id: home.id,
      default_network_id: home.id,
      ...draft,
    })
    .returning();
  if (!user) throw new Error('No user was made.');
  for (const name of new Set([network, ...alsoIn, ...owns])) {
    await db.insert(memberships).values({ network_id: (await networkNamed(db, name)).id, user_id: user.id });
  }
  for (const name of owns)
    await db.insert(owners).values({ network_id: (await networkNamed(db, name)).id, email: user.email });
  return user;
};

export type SiteDraft = Partial<typeof sites.$inferInsert> & { network?: string; groups?: number[] };

/** A site on the desktop of northlab, unless the draft says otherwise. */
export const makeSite = async (
  db: Queryable,
  { network = 'northlab', groups: groupIds = [], ...draft }: SiteDraft = {},
) => {
  const { id: networkId } = await networkNamed(db, network);
  const domain = `${newUid()}.northlab.org`;
  const [site] = await db
    .insert(sites)
    .values({
      network_id: networkId,
      identity: `https://${domain}/metadata`,
      acs: `https://${domain}/acs`,
      sls: `https://${domain}/sls`,
      domain,
      site_name: 'Reports',
      desktop_position: 1,
      ...draft,
    })
    .returning();
  if (!site) throw new Error('No site was made.');
  for (const group of groupIds) await db.insert(groupSites).values({ group_id: group, site_id: site.id });
  return site;
};

/** The parameters of a client that authenticates with a secret. */
export const oidcParameters = (changes: Partial<OidcParameters> = {}): OidcParameters => ({
  authentication: 'secret',
  redirect_uris: ['https://app.northlab.org/callback'],
  post_logout_uris: [],
  backchannel_logout_uri: '',
  frontchannel_logout_uri: '',
  algorithm: 'RS256',
  requires_pkce: true,
  allows_offline: false,
  jwks: null,
  jwks_uri: '',
  ...changes,
});

/** A site that uses OpenID Connect, without a secret. */
export const makeOidcSite = (db: Queryable, draft: SiteDraft = {}) =>
  makeSite(db, { protocol: 'oidc', identity: newUid(), acs: '', sls: null, oidc: oidcParameters(), ...draft });

/** An image in a library of northlab, without its files. */
export const makeImage = async (
  db: Queryable,
  { network = 'northlab', ...draft }: Partial<typeof images.$inferInsert> & { network?: string } = {},
) => {
  const { id } = await networkNamed(db, network);
  const [image] = await db
    .insert(images)
    .values({
      network_id: id,
      kind: 'image',
      name: `${newUid()}.png`,
      media_type: 'image/png',
      size: 2_000,
      width: 40,
      height: 20,
      ...draft,
    })
    .returning();
  if (!image) throw new Error('No image was made.');
  return image;
};

/** A passkey without a device, for tests that do not use it. Returns its id. */
export const makePasskey = async (db: Queryable, user: { id: number }, name = 'My phone'): Promise<number> => {
  const [made] = await db
    .insert(passkeys)
    .values({ user_id: user.id, credential_id: Buffer.from(newUid()), public_key: Buffer.from('none'), name })
    .returning();
  if (!made) throw new Error('No passkey was made.');
  return made.id;
};

type GroupDraft = { network?: string; name?: string; users?: number[]; sites?: number[] };

export const makeGroup = async (db: Queryable, draft: GroupDraft = {}) => {
  const { id: networkId } = await networkNamed(db, draft.network ?? 'northlab');
  const [group] = await db
    .insert(groups)
    .values({ network_id: networkId, name: draft.name ?? newUid(), description: 'People who read reports' })
    .returning();
  if (!group) throw new Error('No group was made.');
  for (const user of draft.users ?? []) await db.insert(groupUsers).values({ group_id: group.id, user_id: user });
  for (const site of draft.sites ?? []) await db.insert(groupSites).values({ group_id: group.id, site_id: site });
  return group;
};

/** Whether a network already exists. */
export const isSeeded = async (db: Queryable, name: string): Promise<boolean> =>
  (await db.select({ id: networks.id }).from(networks).where(eq(networks.name, name))).length > 0;

type Person = { firstname: string; lastname: string; email: string };

/** Inserts many confirmed members at once; the first owns the network. Returns their ids in the same order. */
export const insertPeople = async (db: Queryable, network: string, people: Person[]): Promise<number[]> => {
  const { id } = await networkNamed(db, network);
  const hash = await passwordHash;
  const drafts = people.map((person) => ({
    ...person,
    uid: newUid(),
    status: 'Confirmed' as const,
    password_hash: hash,
    home_network_id: id,
    default_network_id: id,
  }));
  const made = await db.insert(users).values(drafts).returning({ id: users.id });
  await db.insert(memberships).values(made.map((user) => ({ network_id: id, user_id: user.id })));
  await db.insert(passwordHistory).values(made.map((user) => ({ user_id: user.id, password_hash: hash })));
  await db.insert(owners).values({ network_id: id, email: people[0]?.email ?? '' });
  return made.map((user) => user.id);
};

const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
];

/** Inserts sign-ins of the last 90 days, by any member at any site of the network; one in twelve failed. */
export const insertLogLines = async (db: Queryable, lines: number): Promise<void> => {
  await db.execute(
    sql`select add_login_log_month((now() - months * interval '1 month')::date) from generate_series(0, 3) as months`,
  );
  // In batches, because a query may take at most five seconds.
  const piece = 5_000;
  for (let first = 1; first <= lines; first += piece)
    await insertSomeLogLines(db, { first, last: Math.min(first + piece - 1, lines), lines });
};

const insertSomeLogLines = (db: Queryable, { first, last, lines }: { first: number; last: number; lines: number }) =>
  db.execute(sql`
    with site as (
      select *, row_number() over () - 1 as place from sites where kind = 'site'
    ), member as (
      select users.id, users.email, memberships.network_id,
        row_number() over (partition by memberships.network_id) - 1 as place
      from users join memberships on memberships.user_id = users.id
    ), members as (
      select network_id, count(*) as total from member group by network_id
    ), visit as (
      select line, site.id, site.network_id, site.domain
      from generate_series(${first}::int, ${last}::int) as line join site on site.place = line * 7 % (select count(*) from site)
    )
    insert into login_log
      (network_id, site_id, user_id, email, site, login_status, reason, mfa, session_id, user_agent, ip_address, login_time)
    select visit.network_id, visit.id, member.id, member.email, visit.domain,
      case when line % 12 = 0 then 'Failed' else 'Success' end, way.reason, way.mfa,
      -- Of sessions that are over: no session has such an id.
      case when line % 12 <> 0 then -line end,
      -- One person, one or two browsers.
      (${sql.param(browsers)}::text[])[1 + (member.place * 7 + case when line % 9 = 0 then 1 else 0 end) % ${browsers.length}],
      ('10.' || line % 4 || '.' || line % 200 || '.' || line % 250 + 1)::inet,
      now() - interval '90 days' * (1 - line::float / ${lines}::int)
    from visit
    join members on members.network_id = visit.network_id
    join member on member.network_id = visit.network_id and member.place = visit.line * 13 % members.total
    cross join lateral (
      select case line % 12 when 0
        then (array['wrong password', 'wrong password', 'wrong code of the second factor', 'account locked', 'site closed'])[1 + line / 12 % 5]
        else (array['session', 'session', 'session', 'password', 'password, totp', 'password, email', 'google'])[1 + line * 5 % 7]
      end as reason
    ) as chosen
    cross join lateral (
      select chosen.reason, case
        when chosen.reason in ('password, totp', 'wrong code of the second factor') then 'totp'
        when chosen.reason = 'password, email' then 'email'
      end as mfa
    ) as way
    order by line`);

/** How a session was opened: with email and password and without a second factor, unless the draft says otherwise. */
type SessionDraft = Partial<Pick<typeof identitySessions.$inferInsert, 'mfa' | 'login_from'>>;

/**
 * Opens a console session in a browser, for tests that are not about signing in, together with the identity session
 * that it would come from. The browser gets no cookie for the latter.
 */
export const signInto = async (
  db: Queryable,
  browser: Browser,
  user: typeof users.$inferSelect,
  authenticatedAt = new Date(),
  { mfa = null, login_from = 'OpenSocial' }: SessionDraft = {},
): Promise<Browser> => {
  const opened = {
    user_id: user.id,
    session_index: `_${newUid()}`,
    login_from,
    authenticated_at: authenticatedAt,
  };
  await db.insert(identitySessions).values({ ...opened, mfa, token_hash: hashToken(newToken()) });
  const token = await insertSession(db, {
    ...opened,
    name_id: user.email,
    selected_network_id: user.default_network_id,
  });
  browser.cookies.set('opensocial_session', token);
  return browser;
};
