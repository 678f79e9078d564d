import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import type { Database, Queryable, Transaction } from '../../database/connect.ts';
import {
  consoleSessions,
  identitySessionSites,
  identitySessions,
  type LogoutParticipant,
  logouts,
  signIns,
  sites,
} from '../../database/schema.ts';
import { hashToken, newToken } from '../../secrets/tokens.ts';

export const minutesToSignOut = 30;

type Asked = { siteId: number; nameId: string; sessionIndexes: string[] };

/** The sessions that a site may end for a subject: those it names, or, naming none, all in which it signed the subject in. */
export const findSessionsToEnd = (db: Queryable, { siteId, nameId, sessionIndexes }: Asked) =>
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

/** Ends sessions for good, the console's too, and tells which sites have to hear of it. */
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
  // What they have begun and not yet finished is over too.
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

/** The applications among these, by name. The console has heard already: its session ends with ours. */
export const findSiteNames = async (db: Queryable, ids: number[]): Promise<string[]> => {
  const found = await db
    .select({ name: sites.site_name })
    .from(sites)
    .where(and(inArray(sites.id, ids), eq(sites.kind, 'site')))
    .orderBy(sites.site_name);
  return found.map(({ name }) => name);
};

/** Ends the session of a browser, and names the sites that nobody tells. */
export const endIdentityOf = (db: Database, token: string): Promise<string[]> =>
  db.transaction(async (tx) => {
    const [session] = await tx
      .select()
      .from(identitySessions)
      .where(eq(identitySessions.token_hash, hashToken(token)));
    if (!session) return [];
    const participants = await endIdentitySessions(tx, [session.id]);
    return findSiteNames(
      tx,
      participants.map(({ site_id }) => site_id),
    );
  });

/**
 * A single logout is found by both values. Every site that is told sees the token, which is the RelayState of the messages;
 * the secret is only in a cookie of the browser that began the logout.
 */
export type LogoutKey = { token: string; secret: string };

const hashOf = ({ token, secret }: LogoutKey): Buffer => hashToken(`${token} ${secret}`);

export const insertLogout = async (
  db: Queryable,
  logout: Omit<typeof logouts.$inferInsert, 'token_hash' | 'expires_at'>,
) => {
  const key: LogoutKey = { token: newToken(), secret: newToken() };
  const [made] = await db
    .insert(logouts)
    .values({ ...logout, token_hash: hashOf(key), expires_at: new Date(Date.now() + minutesToSignOut * 60_000) })
    .returning();
  if (!made) throw new Error('A logout that was just begun is gone.');
  return { key, logout: made };
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

/** The sites that a logout of the console's did not reach, for the page that ends it. What others asked for is not shown there. */
export const findUntold = async (db: Queryable, askingRequestId: string): Promise<string[]> => {
  const [found] = await db
    .select({ failed: logouts.failed })
    .from(logouts)
    .innerJoin(sites, and(eq(sites.id, logouts.asking_site_id), eq(sites.kind, 'console')))
    .where(eq(logouts.asking_request_id, askingRequestId));
  return found?.failed ?? [];
};

/** A sign-out that is told of within these seconds may still be under way in another tab. */
const secondsUnderWay = 5;

/** The sites that a sign-out has not reached, where one of them has kept the browser. */
export const findUnreached = async (db: Queryable, key: LogoutKey): Promise<string[]> => {
  const [logout] = await db
    .select()
    .from(logouts)
    .where(
      and(
        eq(logouts.token_hash, hashOf(key)),
        lt(logouts.created_at, sql`now() - make_interval(secs => ${secondsUnderWay})`),
      ),
    );
  if (!logout?.told_site_id) return [];
  const ids = [logout.told_site_id, ...logout.waiting.map(({ site_id }) => site_id)];
  return [...logout.failed, ...(await findSiteNames(db, ids))];
};
