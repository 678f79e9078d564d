import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import { type Database, nested, prepared, type Queryable } from '../../database/connect.ts';
import {
  groupSites,
  groupUsers,
  identitySessions,
  memberships,
  networkSettings,
  passkeys,
  recoveryCodes,
  sites,
  users,
} from '../../database/schema.ts';
import { belongsElsewhere, isActiveMemberAnywhere, isOwnerOfNetwork } from '../../identity/membership.ts';
import { ageLimit, consoleHours, consoleIdleMinutes, idleLimit } from '../../identity/session-limits.ts';
import { hashToken, newToken } from '../../secrets/tokens.ts';
import { ownerSince } from '../mfa/mfa.owners.service.ts';
import { isInactive } from '../settings/settings.service.ts';
import { type Destination, stampOf } from './destinations.queries.ts';

/** Tries that somebody who belongs to several networks has at least, however few the home network allows. */
const fewestTries = 5;

/**
 * Failures that lock an account, as its home network has set them; 0 is no limit. One network must not lock a person out of others
 * after a single slip.
 */
const failedTries = nested<number>(
  sql`(select case when ${networkSettings.failed_tries} between 1 and ${sql.raw(String(fewestTries))}
      and ${belongsElsewhere(users.id, users.home_network_id)} then ${sql.raw(String(fewestTries))}
      else ${networkSettings.failed_tries} end
    from ${networkSettings} where ${networkSettings.network_id} = ${users.home_network_id})`,
);

/** What there is to know of an account before it may enter a site. Queries join the site and the account's membership there. */
const standing = {
  id: users.id,
  uid: users.uid,
  email: users.email,
  firstname: users.firstname,
  lastname: users.lastname,
  fullname: users.fullname,
  passwordHash: users.password_hash,
  failedTries,
  status: users.status,
  mode: users.user_mode,
  isInactive: nested<boolean>(isInactive),
  homeNetworkId: users.home_network_id,
  /** Whether its password has reached the age that its home network allows. */
  isPasswordOld: nested<boolean>(
    sql`exists (select 1 from ${networkSettings} where ${networkSettings.network_id} = ${users.home_network_id}
      and ${networkSettings.password_expiration} > 0 and ${users.password_hash} is not null
      and coalesce(${users.password_changed_at}, ${users.created_at})
        < now() - make_interval(months => ${networkSettings.password_expiration}))`,
  ),
  hasTotp: sql<boolean>`${users.totp_secret} is not null`,
  hasPasskey: nested<boolean>(sql`exists (select 1 from ${passkeys} where ${passkeys.user_id} = ${users.id})`),
  emailMfa: users.email_mfa,
  hasRecoveryCodes: nested<boolean>(
    sql`exists (select 1 from ${recoveryCodes} where ${recoveryCodes.user_id} = ${users.id} and ${recoveryCodes.used_at} is null)`,
  ),
  /** The console has no policy of its own: whoever enters it owes what their home network asks for. */
  homeMfaOptions: nested<string[] | null>(
    sql`(select ${networkSettings.mfa_options} from ${networkSettings} where ${networkSettings.network_id} = ${users.home_network_id}
      and ${networkSettings.mfa} = 'Enable' and ${sites.kind} = 'console')`,
  ),
  /** Asked at the console only. */
  ownsMainSince: nested<number | null>(sql`case when ${sites.kind} = 'console' then ${ownerSince.ownsMainSince} end`),
  ownsAnySince: nested<number | null>(sql`case when ${sites.kind} = 'console' then ${ownerSince.ownsAnySince} end`),
  credentialsAt: users.credentials_at,
  lastLoginAt: users.last_login_at,
  /** The console is open to the members of every network. */
  isMember: sql<boolean>`case ${sites.kind} when 'console' then ${isActiveMemberAnywhere(users.id)}
    else ${memberships.user_id} is not null end`,
  /** A member whom the owners of this network have disabled or un-confirmed in it. */
  isShutOut: sql<boolean>`${sites.kind} = 'site'
    and coalesce(${memberships.status} <> 'Confirmed' or ${memberships.user_mode} <> 'Active', false)`,
  isOwner: isOwnerOfNetwork(users.id, sites.network_id),
  isInGroup: nested<boolean>(sql`not exists (select 1 from ${groupSites} where ${groupSites.site_id} = ${sites.id})
    or exists (select 1 from ${groupSites} join ${groupUsers} on ${groupUsers.group_id} = ${groupSites.group_id}
      where ${groupSites.site_id} = ${sites.id} and ${groupUsers.user_id} = ${users.id})`),
  groups: nested<string[]>(sql`array(select name from groups join ${groupUsers} on ${groupUsers.group_id} = groups.id
    where ${groupUsers.user_id} = ${users.id} and groups.network_id = ${sites.network_id} order by name)`),
};

const isMembershipAtSite = and(eq(memberships.user_id, users.id), eq(memberships.network_id, sites.network_id));

const standingWhere = (name: string, where: SQL) =>
  prepared((db) =>
    db
      .select(standing)
      .from(users)
      .innerJoin(sites, eq(sites.id, sql.placeholder('siteId')))
      .leftJoin(memberships, isMembershipAtSite)
      .where(where)
      .prepare(`standing_by_${name}`),
  );
const standingByEmail = standingWhere(
  'email',
  sql`${eq(users.email, sql.placeholder('email'))} and not ${users.provisional}`,
);
const standingById = standingWhere('id', eq(users.id, sql.placeholder('id')));

export const findStandingByEmail = async (db: Database, { site }: Destination, email: string) => {
  const [found] = await standingByEmail(db).execute({ siteId: site.id, email });
  return found;
};
export const findStandingById = async (db: Database, { site }: Destination, id: number) => {
  const [found] = await standingById(db).execute({ siteId: site.id, id });
  return found;
};
export type Standing = NonNullable<Awaited<ReturnType<typeof findStandingByEmail>>>;

const isAlive = () =>
  and(gt(identitySessions.last_seen_at, idleLimit), gt(identitySessions.authenticated_at, ageLimit));

/** At a site a session lives by the limits of the site's network; at the console by the stricter ones of `consoleLimit`. */
const isAliveAtSite = and(
  gt(
    identitySessions.last_seen_at,
    sql`now() - make_interval(mins => case ${sites.kind} when 'console' then ${consoleIdleMinutes} else ${networkSettings.session_idle_minutes} end)`,
  ),
  gt(
    identitySessions.authenticated_at,
    sql`now() - make_interval(hours => case ${sites.kind} when 'console' then ${consoleHours} else ${networkSettings.session_hours} end)`,
  ),
  // An owner of the network may have ended the sessions of the member there.
  sql`(${memberships.sessions_ended_at} is null or ${identitySessions.authenticated_at} > ${memberships.sessions_ended_at})`,
);

/**
 * The sessions of browsers at the identity provider that count at a site, with their accounts' standing there and the site's stamp:
 * every single sign-on asks for one. Arrays come from a subquery, so that the planner cannot count them: it would plan anew for
 * each, which takes longer than to look.
 */
const identitiesAt = prepared((db) =>
  db
    .select({
      at: sql<number>`given.at::int`,
      stamp: stampOf(sites.id),
      session: identitySessions,
      user: standing,
    })
    .from(
      sql`unnest((select ${sql.placeholder('tokenHashes')}::bytea[]), (select ${sql.placeholder('siteIds')}::bigint[])) with ordinality as given (token_hash, site_id, at)`,
    )
    .innerJoin(sites, eq(sites.id, sql`given.site_id`))
    .innerJoin(networkSettings, eq(networkSettings.network_id, sites.network_id))
    .innerJoin(identitySessions, eq(identitySessions.token_hash, sql`given.token_hash`))
    .innerJoin(users, eq(users.id, identitySessions.user_id))
    .leftJoin(memberships, isMembershipAtSite)
    .where(isAliveAtSite)
    .prepare('identities_at'),
);

export type Presented = { siteId: number; token: string };

/** In the order of what was presented; nothing where there is no live session. */
export const findIdentities = async (db: Database, presented: readonly Presented[]) => {
  const found = await identitiesAt(db).execute({
    tokenHashes: presented.map(({ token }) => hashToken(token)),
    siteIds: presented.map(({ siteId }) => siteId),
  });
  const byPlace = new Map(found.map((identity) => [identity.at, identity]));
  return presented.map((_, index) => byPlace.get(index + 1));
};
export type Identity = Pick<NonNullable<Awaited<ReturnType<typeof findIdentities>>[number]>, 'session' | 'user'>;

type IdentitySession = typeof identitySessions.$inferSelect;

/** An account, and when the credentials were made by which it was known. */
export type Known = { id: number; credentialsAt: Date };

/** Waits for a change of password or second factor that is under way, and is none the wiser after it. */
const identitySessionInsert = `
  insert into identity_sessions (token_hash, session_index, user_id, login_from, mfa, ip_address, user_agent, authenticated_at)
  select $1, $2, id, $3, $4, $5, $6, $7 from users
  where id = $8 and date_trunc('milliseconds', credentials_at) = $9 and status = 'Confirmed' and user_mode = 'Active' for share
  returning id, last_seen_at, created_at`;

/** A session for whoever was known by the credentials that the account still has, and may still sign in; else nothing. */
export const insertIdentitySession = async (
  { $client }: Database,
  user: Known,
  session: Omit<IdentitySession, 'id' | 'token_hash' | 'user_id' | 'last_seen_at' | 'created_at'>,
): Promise<{ token: string; session: IdentitySession } | undefined> => {
  const token = newToken();
  const token_hash = hashToken(token);
  const { session_index, login_from, mfa, ip_address, user_agent, authenticated_at } = session;
  const known = [token_hash, session_index, login_from, mfa, ip_address, user_agent, authenticated_at];
  const { rows } = await $client.query<{ id: string; last_seen_at: Date; created_at: Date }>({
    name: 'insert_identity_session',
    text: identitySessionInsert,
    values: [...known, user.id, user.credentialsAt],
  });
  const [made] = rows;
  return made && { token, session: { ...session, ...made, id: Number(made.id), user_id: user.id, token_hash } };
};

/** The same session under a new id, for a user who has proved it again. */
export const renewIdentitySession = async (
  db: Queryable,
  former: string,
  userId: number,
  changes: Pick<IdentitySession, 'login_from' | 'mfa' | 'authenticated_at' | 'ip_address' | 'user_agent'>,
) => {
  const token = newToken();
  const [renewed] = await db
    .update(identitySessions)
    .set({
      ...changes,
      token_hash: hashToken(token),
      last_seen_at: sql`now()`,
    })
    .where(and(eq(identitySessions.token_hash, hashToken(former)), eq(identitySessions.user_id, userId), isAlive()))
    .returning();
  return renewed && { token, session: renewed };
};

export const findFailedTries = async (db: Queryable, userId: number): Promise<number> => {
  const [found] = await db.select({ failedTries }).from(users).where(eq(users.id, userId));
  return found?.failedTries ?? 0;
};

/** The account that a device says it is known by. */
export const findDeviceOwner = async (db: Queryable, uid: string) => {
  const [found] = await db
    .select({ uid: users.uid, email: users.email, credentialsAt: users.credentials_at })
    .from(users)
    .where(eq(users.uid, uid));
  return found;
};
export type DeviceOwner = NonNullable<Awaited<ReturnType<typeof findDeviceOwner>>>;

/** The address of the person whose session a token opens or has opened: an expired session tells it until its row is deleted. */
export const findIdentityEmail = async (db: Queryable, token: string): Promise<string | undefined> => {
  const [found] = await db
    .select({ email: users.email })
    .from(identitySessions)
    .innerJoin(users, eq(users.id, identitySessions.user_id))
    .where(eq(identitySessions.token_hash, hashToken(token)));
  return found?.email;
};

/** Whose live session a token opens. */
export const findIdentityOwner = async (db: Queryable, token: string): Promise<number | undefined> => {
  const [found] = await db
    .select({ userId: identitySessions.user_id })
    .from(identitySessions)
    .where(and(eq(identitySessions.token_hash, hashToken(token)), isAlive()));
  return found?.userId;
};
