import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import type { Database, Queryable, Transaction } from '../../../database/connect.ts';
import {
  consoleSessions,
  identitySessionSites,
  identitySessions,
  type LogoutParticipant,
  logouts,
  signIns,
  sites,
} from '../../../database/schema.ts';
import { hashToken, newToken } from '../../../secrets/tokens.ts';

export const minutesToSignOut = 30;

type LogoutSubject = { siteId: number; nameId: string; sessionIndexes: string[] };

/** The sessions that a site may end for a subject: those with the given indexes, or all that have signed the subject in to the site. */
export const findSessionsToEnd = (db: Queryable, { siteId, nameId, sessionIndexes }: LogoutSubject) =>
  db
    .select({ id: identitySessions.id, tokenHash: identitySessions.token_hash })
    .from(identitySessionSites)
    .innerJoin(identitySessions, eq(identitySessions.id, identitySessionSites.session_id))
    .where(
      and(
        eq(identitySessionSites.site_id, siteId),
        eq(identitySessionSites.name_id, nameId),
        sessionIndexes.length > 0 ? inArray(identitySessions.session_index, sessionIndexes) : undefined,
      ),
    );

export const hasSession = async (db: Queryable, sessionIndexes: string[]): Promise<boolean> => {
  const found = await db
    .select({ id: identitySessions.id })
    .from(identitySessions)
    .where(inArray(identitySessions.session_index, sessionIndexes))
    .limit(1);
  return found.length > 0;
};

/** Ends sessions, with those of the console that come from them, and returns the sites that have to be notified. */
export const endIdentitySessions = async (db: Transaction, sessionIds: number[]): Promise<LogoutParticipant[]> => {
  const participants = await db
    .select({
      site_id: identitySessionSites.site_id,
      name_id: identitySessionSites.name_id,
      name_id_format: identitySessionSites.name_id_format,
      session_index: identitySessions.session_index,
    })
    .from(identitySessionSites)
    .innerJoin(identitySessions, eq(identitySessions.id, identitySessionSites.session_id))
    .where(inArray(identitySessionSites.session_id, sessionIds));
  const ended = await db
    .delete(identitySessions)
    .where(inArray(identitySessions.id, sessionIds))
    .returning({ index: identitySessions.session_index, userId: identitySessions.user_id });
  // Their unfinished sign-ins end too.
  await db.delete(signIns).where(
    inArray(
      signIns.user_id,
      ended.map(({ userId }) => userId),
    ),
  );
  await db.delete(consoleSessions).where(
    inArray(
      consoleSessions.session_index,
      ended.map(({ index }) => index),
    ),
  );
  return participants;
};

/** The names of sites. The console is left out: its sessions have ended with the others. */
export const findSiteNames = async (db: Queryable, ids: number[]): Promise<string[]> => {
  const found = await db
    .select({ name: sites.site_name })
    .from(sites)
    .where(and(inArray(sites.id, ids), eq(sites.kind, 'site')))
    .orderBy(sites.site_name);
  return found.map(({ name }) => name);
};

export const findSessionByToken = async (db: Queryable, token: string): Promise<{ id: number } | undefined> => {
  const [session] = await db
    .select({ id: identitySessions.id })
    .from(identitySessions)
    .where(eq(identitySessions.token_hash, hashToken(token)));
  return session;
};

/** Ends the session of a browser, and returns the names of the sites that are not notified. */
export const endSessionByToken = (db: Database, token: string): Promise<string[]> =>
  db.transaction(async (tx) => {
    const session = await findSessionByToken(tx, token);
    if (!session) return [];
    const participants = await endIdentitySessions(tx, [session.id]);
    return findSiteNames(
      tx,
      participants.map(({ site_id }) => site_id),
    );
  });

/**
 * Both values are needed to find a single logout. Every site that is notified sees the token, which is the RelayState of the messages;
 * the secret is only in a cookie of the browser that began the logout.
 */
export type LogoutKey = { token: string; secret: string };

const hashOf = ({ token, secret }: LogoutKey): Buffer => hashToken(`${token} ${secret}`);

export const insertLogout = async (
  db: Queryable,
  logout: Omit<typeof logouts.$inferInsert, 'token_hash' | 'expires_at'>,
) => {
  const key: LogoutKey = { token: newToken(), secret: newToken() };
  const [inserted] = await db
    .insert(logouts)
    .values({ ...logout, token_hash: hashOf(key), expires_at: new Date(Date.now() + minutesToSignOut * 60_000) })
    .returning();
  if (!inserted) throw new Error('The insert returned no logout.');
  return { key, logout: inserted };
};
export type Logout = typeof logouts.$inferSelect;

export const findLogout = async (db: Queryable, key: LogoutKey) => {
  const [found] = await db
    .select()
    .from(logouts)
    .where(and(eq(logouts.token_hash, hashOf(key)), gt(logouts.expires_at, sql`now()`)));
  return found;
};

export const updateLogout = (db: Queryable, id: number, progress: Partial<typeof logouts.$inferInsert>) =>
  db.update(logouts).set(progress).where(eq(logouts.id, id));

/** The sites that a logout of the console did not reach, for its last page. Logouts of other sites are not shown there. */
export const findUnnotifiedSitesByRequest = async (db: Queryable, requestId: string): Promise<string[]> => {
  const [found] = await db
    .select({ failed: logouts.failed })
    .from(logouts)
    .innerJoin(sites, and(eq(sites.id, logouts.requesting_site_id), eq(sites.kind, 'console')))
    .where(eq(logouts.logout_request_id, requestId));
  return found?.failed ?? [];
};

/** A logout that is younger than this may still be running in another tab. */
const secondsRunning = 5;

/** The sites that a logout has not reached because one of them did not send the browser back. */
export const findUnnotifiedSitesByKey = async (db: Queryable, key: LogoutKey): Promise<string[]> => {
  const [logout] = await db
    .select()
    .from(logouts)
    .where(
      and(
        eq(logouts.token_hash, hashOf(key)),
        lt(logouts.created_at, sql`now() - make_interval(secs => ${secondsRunning})`),
      ),
    );
  if (!logout?.notified_site_id) return [];
  const ids = [logout.notified_site_id, ...logout.waiting.map(({ site_id }) => site_id)];
  return [...logout.failed, ...(await findSiteNames(db, ids))];
};
