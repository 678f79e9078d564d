import { and, eq, gt, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { identitySessionSites, identitySessions, type LogoutParticipant, logouts } from '../../database/schema.ts';
import { hashToken, newToken } from '../../secrets/tokens.ts';

/** Whether a site has signed this subject in within this session: what a logout without a signature has to know. */
export const findParticipant = async (db: Queryable, siteId: number, sessionIndexes: string[], nameId: string) => {
  const [found] = await db
    .select({ session: identitySessions })
    .from(identitySessionSites)
    .innerJoin(identitySessions, eq(identitySessions.id, identitySessionSites.session_id))
    .where(
      and(
        eq(identitySessionSites.site_id, siteId),
        eq(identitySessionSites.name_id, nameId),
        sql`${identitySessions.session_index} = any(${sql.param(sessionIndexes)})`,
      ),
    );
  return found?.session;
};

/** Ends a session for good and tells which sites have to hear of it. */
export const endIdentitySession = async (db: Queryable, sessionId: number): Promise<LogoutParticipant[]> => {
  const participants = await db
    .select({
      site_id: identitySessionSites.site_id,
      name_id: identitySessionSites.name_id,
      name_id_format: identitySessionSites.name_id_format,
    })
    .from(identitySessionSites)
    .where(eq(identitySessionSites.session_id, sessionId));
  await db.delete(identitySessions).where(eq(identitySessions.id, sessionId));
  return participants;
};

export const insertLogout = async (
  db: Queryable,
  logout: Omit<typeof logouts.$inferInsert, 'token_hash' | 'expires_at'>,
) => {
  const token = newToken();
  const [made] = await db
    .insert(logouts)
    .values({ ...logout, token_hash: hashToken(token), expires_at: new Date(Date.now() + 30 * 60_000) })
    .returning();
  if (!made) throw new Error('A logout that was just begun is gone.');
  return { token, logout: made };
};
export type Logout = typeof logouts.$inferSelect;

export const findLogout = async (db: Queryable, token: string) => {
  const [found] = await db
    .select()
    .from(logouts)
    .where(and(eq(logouts.token_hash, hashToken(token)), gt(logouts.expires_at, sql`now()`)));
  return found;
};

export const updateLogout = (db: Queryable, id: number, progress: Partial<typeof logouts.$inferInsert>) =>
  db.update(logouts).set(progress).where(eq(logouts.id, id));

/** The sites that a logout did not reach, for the page that ends it. */
export const findUntold = async (db: Queryable, askingRequestId: string): Promise<string[]> => {
  const [found] = await db
    .select({ failed: logouts.failed })
    .from(logouts)
    .where(eq(logouts.asking_request_id, askingRequestId));
  return found?.failed ?? [];
};
