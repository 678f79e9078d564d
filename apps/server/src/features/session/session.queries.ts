import { and, eq, lt, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { consoleSessions, identitySessions, users } from '../../database/schema.ts';
import { ageLimit, idleLimit } from '../../identity/session-limits.ts';
import { hashToken, newToken } from '../../secrets/tokens.ts';

export type NewSession = Omit<typeof consoleSessions.$inferInsert, 'token_hash'>;

/** Whether the session at the identity provider still exists. Its row stays locked until the transaction ends. */
export const lockIdentitySession = async (tx: Transaction, sessionIndex: string, userId: number): Promise<boolean> => {
  const locked = await tx
    .select({ id: identitySessions.id })
    .from(identitySessions)
    .where(and(eq(identitySessions.session_index, sessionIndex), eq(identitySessions.user_id, userId)))
    .for('share');
  return locked.length > 0;
};

/** Each sign-in creates a session with a new token, which prevents session fixation. */
export const insertSession = async (db: Queryable, session: NewSession): Promise<string> => {
  const token = newToken();
  await db.insert(consoleSessions).values({ ...session, token_hash: hashToken(token) });
  return token;
};

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
