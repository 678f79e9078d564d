import { and, eq, gt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Database, prepared, type Queryable } from '../database/connect.ts';
import { consoleSessions, networks, users } from '../database/schema.ts';
import { hashToken } from '../secrets/tokens.ts';
import { isOwnerOfNetwork } from './membership.ts';
import { consoleHours, consoleIdleMinutes } from './session-limits.ts';

const selected = alias(networks, 'selected');
const standard = alias(networks, 'standard');

/** Nearly every call reads a session, and planning this query takes longer than running it. */
const liveSession = prepared((db) =>
  db
    .select({
      id: consoleSessions.id,
      sessionIndex: consoleSessions.session_index,
      nameId: consoleSessions.name_id,
      loginFrom: consoleSessions.login_from,
      lastSeenAt: consoleSessions.last_seen_at,
      authenticatedAt: consoleSessions.authenticated_at,
      user: {
        id: users.id,
        uid: users.uid,
        email: users.email,
        fullname: users.fullname,
        picture: users.picture,
        emailMfa: users.email_mfa,
        credentialsAt: users.credentials_at,
        homeNetworkId: users.home_network_id,
      },
      selected: { id: selected.id, name: selected.name, sso_id: selected.sso_id },
      standard: { id: standard.id, name: standard.name },
      isAdmin: isOwnerOfNetwork(users.id, selected.id),
    })
    .from(consoleSessions)
    .innerJoin(users, eq(users.id, consoleSessions.user_id))
    .innerJoin(selected, eq(selected.id, consoleSessions.selected_network_id))
    .innerJoin(standard, eq(standard.id, users.default_network_id))
    .where(
      and(
        eq(consoleSessions.token_hash, sql.placeholder('tokenHash')),
        gt(consoleSessions.last_seen_at, sql`now() - make_interval(mins => ${consoleIdleMinutes})`),
        gt(consoleSessions.authenticated_at, sql`now() - make_interval(hours => ${consoleHours})`),
        eq(users.user_mode, 'Active'),
        eq(users.status, 'Confirmed'),
      ),
    )
    .prepare('live_session'),
);

/** Finds a live session of the console without prolonging it. */
export const readSession = async (db: Database, token: string) => {
  const [found] = await liveSession(db).execute({ tokenHash: hashToken(token) });
  return found && { ...found, token };
};
export type SessionRow = NonNullable<Awaited<ReturnType<typeof readSession>>>;

/** Finds a live session of the console and notes its use, at most once a minute. */
export const findSession = async (db: Database, token: string): Promise<SessionRow | undefined> => {
  const found = await readSession(db, token);
  if (found && Date.now() - found.lastSeenAt.getTime() > 60_000) await touchSession(db, found.id);
  return found;
};

/**
 * Notes the use of a session in the console and of the identity provider's session that it comes from. `skip locked` avoids waiting for
 * a transaction that is just ending the latter.
 */
const touchSession = (db: Queryable, id: number) =>
  db.execute(sql`
    with seen as (update console_sessions set last_seen_at = now() where id = ${id} returning session_index)
    update identity_sessions set last_seen_at = now() where id in (
      select id from identity_sessions join seen using (session_index) for no key update of identity_sessions skip locked)`);
