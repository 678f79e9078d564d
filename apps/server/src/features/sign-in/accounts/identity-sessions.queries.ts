import { and, eq, gt, type SQLWrapper, sql } from 'drizzle-orm';
import { type Database, prepared, type Queryable } from '../../../database/connect.ts';
import {
  identitySessions,
  memberships,
  networkSettings,
  networks,
  signingKeys,
  sites,
  users,
} from '../../../database/schema.ts';
import { ageLimit, consoleHours, consoleIdleMinutes, idleLimit } from '../../../identity/session-limits.ts';
import { hashToken, newToken } from '../../../secrets/tokens.ts';
import { isKeyOfSite } from '../../signing-keys/signing-keys.service.ts';
import { joinedVersion } from '../destination/destinations.queries.ts';
import { accountColumnsAtSite, isMembershipAtSite, siteAccountColumns } from './site-accounts.queries.ts';

const isLive = () => and(gt(identitySessions.last_seen_at, idleLimit), gt(identitySessions.authenticated_at, ageLimit));

/** Whether a session is within limits, and no owner of the network has ended the member's sessions there since it began. */
const isLiveWithin = (minutes: SQLWrapper, hours: SQLWrapper) =>
  and(
    gt(identitySessions.last_seen_at, sql`now() - make_interval(mins => ${minutes})`),
    gt(identitySessions.authenticated_at, sql`now() - make_interval(hours => ${hours})`),
    sql`(${memberships.sessions_ended_at} is null or ${identitySessions.authenticated_at} > ${memberships.sessions_ended_at})`,
  );

/** The limits of the site's network apply to a session at a site, and the limits of `session-limits.ts` at the console. */
const isLiveAt = {
  site: isLiveWithin(networkSettings.session_idle_minutes, networkSettings.session_hours),
  console: isLiveWithin(consoleIdleMinutes, consoleHours),
};

/**
 * The sessions at the identity provider that are valid at a site, with the account at the site and the site's version. Every single
 * sign-on reads one. The arrays come from subqueries, so that the planner does not know their length: it would otherwise make a new plan
 * for each length, which takes longer than the query.
 */
const identitiesAt = (kind: SiteKind, columns: typeof siteAccountColumns) =>
  prepared((db) =>
    db
      .select({
        at: sql<number>`given.at::int`,
        version: joinedVersion.version,
        session: identitySessions,
        user: columns,
      })
      .from(
        sql`unnest((select ${sql.placeholder('tokenHashes')}::bytea[]), (select ${sql.placeholder('siteIds')}::bigint[])) with ordinality as given (token_hash, site_id, at)`,
      )
      .innerJoin(sites, and(eq(sites.id, sql`given.site_id`), eq(sites.kind, kind)))
      .innerJoin(networks, eq(networks.id, sites.network_id))
      .innerJoin(networkSettings, eq(networkSettings.network_id, sites.network_id))
      .innerJoin(signingKeys, isKeyOfSite)
      .leftJoin(joinedVersion.nextKeys, joinedVersion.isNextKey)
      .innerJoin(identitySessions, eq(identitySessions.token_hash, sql`given.token_hash`))
      .innerJoin(users, eq(users.id, identitySessions.user_id))
      .leftJoin(memberships, isMembershipAtSite)
      .where(isLiveAt[kind])
      .prepare(`identities_at_${kind}`),
  );

type SiteKind = (typeof sites.$inferSelect)['kind'];
const identitiesAtKind = {
  site: identitiesAt('site', accountColumnsAtSite),
  console: identitiesAt('console', siteAccountColumns),
};

export type PresentedToken = { siteId: number; token: string };

/** The identities at sites of one kind, in the order of the tokens; undefined for a token without a valid session. */
export const findIdentities = async (db: Database, kind: SiteKind, presented: readonly PresentedToken[]) => {
  const found = await identitiesAtKind[kind](db).execute({
    tokenHashes: presented.map(({ token }) => hashToken(token)),
    siteIds: presented.map(({ siteId }) => siteId),
  });
  const byPosition = new Map(found.map((identity) => [identity.at, identity]));
  return presented.map((_, index) => byPosition.get(index + 1));
};
export type Identity = Pick<NonNullable<Awaited<ReturnType<typeof findIdentities>>[number]>, 'session' | 'user'>;

type IdentitySession = typeof identitySessions.$inferSelect;

/** An account, and the time of the credentials that it was identified by. */
export type IdentifiedAccount = { id: number; credentialsAt: Date };

/** The row lock waits for a concurrent change of the password or second factor; the session is then not inserted. */
const identitySessionInsert = `
  insert into identity_sessions (token_hash, session_index, user_id, login_from, mfa, ip_address, user_agent, authenticated_at)
  select $1, $2, id, $3, $4, $5, $6, $7 from users
  where id = $8 and date_trunc('milliseconds', credentials_at) = $9 and status = 'Confirmed' and user_mode = 'Active' for share
  returning id, last_seen_at, created_at`;

/** Creates a session, unless the account's credentials have changed since it was identified, or it may not sign in any more. */
export const insertIdentitySession = async (
  { $client }: Database,
  user: IdentifiedAccount,
  session: Omit<IdentitySession, 'id' | 'token_hash' | 'user_id' | 'last_seen_at' | 'created_at'>,
): Promise<{ token: string; session: IdentitySession } | undefined> => {
  const token = newToken();
  const token_hash = hashToken(token);
  const { session_index, login_from, mfa, ip_address, user_agent, authenticated_at } = session;
  const values = [token_hash, session_index, login_from, mfa, ip_address, user_agent, authenticated_at];
  const { rows } = await $client.query<{ id: string; last_seen_at: Date; created_at: Date }>({
    name: 'insert_identity_session',
    text: identitySessionInsert,
    values: [...values, user.id, user.credentialsAt],
  });
  const [inserted] = rows;
  return (
    inserted && { token, session: { ...session, ...inserted, id: Number(inserted.id), user_id: user.id, token_hash } }
  );
};

/** Gives a session a new token after its owner has authenticated again. */
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
    .where(and(eq(identitySessions.token_hash, hashToken(former)), eq(identitySessions.user_id, userId), isLive()))
    .returning();
  return renewed && { token, session: renewed };
};

/** The email address of a session's owner. It is also found for an expired session, until its row is deleted. */
export const findIdentityEmail = async (db: Queryable, token: string): Promise<string | undefined> => {
  const [found] = await db
    .select({ email: users.email })
    .from(identitySessions)
    .innerJoin(users, eq(users.id, identitySessions.user_id))
    .where(eq(identitySessions.token_hash, hashToken(token)));
  return found?.email;
};

/** The owner of a live session. */
export const findIdentityOwner = async (db: Queryable, token: string): Promise<number | undefined> => {
  const [found] = await db
    .select({ userId: identitySessions.user_id })
    .from(identitySessions)
    .where(and(eq(identitySessions.token_hash, hashToken(token)), isLive()));
  return found?.userId;
};
