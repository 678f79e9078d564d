import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { isOwnerOfNetwork, mainNetworkName } from '../../database/membership.ts';
import { consoleSessions, identitySessions, networks, users } from '../../database/schema.ts';
import { hashToken, newToken } from '../../secrets/tokens.ts';

/**
 * The oldest last use, and the oldest sign-in, with which a session can still count at some network. Each network sets its own
 * limits, so this only tells which sessions are over everywhere; `readSession` and the sign-on apply the limits of the place.
 */
export const idleLimit = sql`now() - make_interval(mins => (select max(session_idle_minutes) from network_settings))`;
export const ageLimit = sql`now() - make_interval(hours => (select max(session_hours) from network_settings))`;

/**
 * The console is a site of the main network and open to the members of all: a session in it lives by the stricter of the main
 * network's limits and those of the person's home network. For queries that join `users`.
 */
const consoleLimit = (column: 'session_idle_minutes' | 'session_hours') => sql`(
  select min(limits.${sql.identifier(column)}) from network_settings limits join networks ruling on ruling.id = limits.network_id
  where ruling.id = ${users.home_network_id} or ruling.name = ${mainNetworkName})`;
export const consoleIdleMinutes = consoleLimit('session_idle_minutes');
export const consoleHours = consoleLimit('session_hours');

const selected = alias(networks, 'selected');
const standard = alias(networks, 'standard');

/** Looks only: the session grows as old as it would have without. */
export const readSession = async (db: Queryable, token: string) => {
  const [found] = await db
    .select({
      id: consoleSessions.id,
      token: sql<string>`${token}`,
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
        eq(consoleSessions.token_hash, hashToken(token)),
        gt(consoleSessions.last_seen_at, sql`now() - make_interval(mins => ${consoleIdleMinutes})`),
        gt(consoleSessions.authenticated_at, sql`now() - make_interval(hours => ${consoleHours})`),
        eq(users.user_mode, 'Active'),
        eq(users.status, 'Confirmed'),
      ),
    );
  return found;
};
export type SessionRow = NonNullable<Awaited<ReturnType<typeof readSession>>>;

/** The session of somebody who does something: it has been used now. */
export const findSession = async (db: Queryable, token: string): Promise<SessionRow | undefined> => {
  const found = await readSession(db, token);
  if (found && Date.now() - found.lastSeenAt.getTime() > 60_000) await touchSession(db, found.id);
  return found;
};

/** Whoever works in the console is not idle at the identity provider either. A session that is just ending is not waited for. */
const touchSession = (db: Queryable, id: number) =>
  db.execute(sql`
    with seen as (update console_sessions set last_seen_at = now() where id = ${id} returning session_index)
    update identity_sessions set last_seen_at = now() where id in (
      select id from identity_sessions join seen using (session_index) for no key update of identity_sessions skip locked)`);

export type NewSession = Omit<typeof consoleSessions.$inferInsert, 'token_hash'>;

/** Whether the sign-in that an answer comes from still counts. It cannot end before this transaction does. */
export const holdIdentity = async (tx: Transaction, sessionIndex: string, userId: number): Promise<boolean> => {
  const held = await tx
    .select({ id: identitySessions.id })
    .from(identitySessions)
    .where(and(eq(identitySessions.session_index, sessionIndex), eq(identitySessions.user_id, userId)))
    .for('share');
  return held.length > 0;
};

/** A session always gets a new id: one that was set before the sign-in is worth nothing after it. */
export const insertSession = async (db: Queryable, session: NewSession): Promise<string> => {
  const token = newToken();
  await db.insert(consoleSessions).values({ ...session, token_hash: hashToken(token) });
  return token;
};

/** Whether a session has not ended yet. */
export const isOpen = async (tx: Queryable, id: number): Promise<boolean> =>
  (await tx.$count(consoleSessions, eq(consoleSessions.id, id))) === 1;

export const deleteSession = (db: Queryable, token: string) =>
  db.delete(consoleSessions).where(eq(consoleSessions.token_hash, hashToken(token)));

export const deleteSessionsByIndex = (db: Queryable, sessionIndexes: string[], nameId: string) =>
  db
    .delete(consoleSessions)
    .where(
      and(
        sql`${consoleSessions.session_index} = any(${sql.param(sessionIndexes)})`,
        eq(consoleSessions.name_id, nameId),
      ),
    );

export const deleteStaleSessions = (db: Queryable) =>
  db
    .delete(consoleSessions)
    .where(sql`${lt(consoleSessions.last_seen_at, idleLimit)} or ${lt(consoleSessions.authenticated_at, ageLimit)}`);

export const updateSelectedNetwork = (db: Queryable, sessionId: number, networkId: number) =>
  db.update(consoleSessions).set({ selected_network_id: networkId }).where(eq(consoleSessions.id, sessionId));

export const updateDefaultNetwork = (db: Queryable, userId: number, networkId: number) =>
  db.update(users).set({ default_network_id: networkId }).where(eq(users.id, userId));
