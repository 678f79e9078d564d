import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { type Database, prepared, type Queryable } from '../../database/connect.ts';
import { deleteInPieces } from '../../database/delete-in-pieces.ts';
import {
  identitySessions,
  logouts,
  oneTimeTokens,
  samlReplays,
  signIns,
  throttles,
  users,
} from '../../database/schema.ts';
import { ageLimit, idleLimit } from '../../identity/session-limits.ts';
import { hashToken, newToken } from '../../secrets/tokens.ts';
import { stampOf } from './destinations.queries.ts';
import type { Known } from './identity.queries.ts';

const signInInsert = prepared((db) =>
  db
    .insert(signIns)
    .values({
      token_hash: sql.placeholder('token_hash'),
      browser_hash: sql.placeholder('browser_hash'),
      known_hash: sql.placeholder('known_hash'),
      network_id: sql.placeholder('network_id'),
      site_id: sql.placeholder('site_id'),
      request_id: sql.placeholder('request_id'),
      name_id_format: sql.placeholder('name_id_format'),
      relay_state: sql.placeholder('relay_state'),
      is_forced: sql.placeholder('is_forced'),
      user_id: sql.placeholder('user_id'),
      login_from: sql.placeholder('login_from'),
      // As it stands: Drizzle makes no moment of null.
      authenticated_at: sql`${sql.placeholder('authenticated_at')}::timestamptz`,
      expires_at: sql.placeholder('expires_at'),
    })
    .prepare('insert_sign_in'),
);

export type SignIn = typeof signIns.$inferSelect;

export const insertSignIn = async (
  db: Database,
  signIn: Omit<SignIn, 'id' | 'token_hash' | 'mfa' | 'social' | 'passkey_challenge' | 'created_at'>,
) => {
  const token = newToken();
  await signInInsert(db).execute({ ...signIn, token_hash: hashToken(token) });
  return token;
};

const signInUnderWay = prepared((db) =>
  db
    .select({ signIn: signIns, stamp: stampOf(signIns.site_id) })
    .from(signIns)
    .where(
      and(
        eq(signIns.token_hash, sql.placeholder('tokenHash')),
        eq(signIns.browser_hash, sql.placeholder('browserHash')),
        gt(signIns.expires_at, sql`now()`),
      ),
    )
    .prepare('sign_in_under_way'),
);

/** A sign-in under way, for the browser that began it and nobody else, and the stamp of the site that it leads to. */
export const findSignIn = async (db: Database, token: string, browser: string) => {
  const hashes = { tokenHash: hashToken(token), browserHash: hashToken(browser) };
  const [found] = await signInUnderWay(db).execute(hashes);
  return found;
};

/** A sign-in that nobody else, in another tab of the same browser, has taken over meanwhile. */
const stillOf = ({ id, user_id, network_id }: SignIn) =>
  and(
    eq(signIns.id, id),
    eq(signIns.network_id, network_id),
    sql`${signIns.user_id} is not distinct from ${user_id}::bigint`,
  );

/** Whether the same person is still known in a sign-in, with the same factor proven. */
export const isStill = async (tx: Queryable, signIn: SignIn): Promise<boolean> => {
  const hasSameProof = sql`${signIns.mfa} is not distinct from ${signIn.mfa}::text`;
  return (await tx.$count(signIns, and(stillOf(signIn), hasSameProof))) === 1;
};

/**
 * How far the browser has come; nothing where it has ended meanwhile. What was proven counts for whoever proved it: only a change
 * that says anew who it is takes a sign-in over.
 */
export const updateSignIn = async (db: Queryable, former: SignIn, changes: Partial<SignIn>) => {
  const isWhole = 'user_id' in changes;
  const [signIn] = await db
    .update(signIns)
    .set(changes)
    .where(isWhole ? eq(signIns.id, former.id) : stillOf(former))
    .returning();
  return signIn;
};

/** The same for whoever was just known by the credentials that the account still has. It waits for a change that is under way. */
export const noteKnown = (db: Database, former: SignIn, user: Known, changes: Partial<SignIn>) =>
  db.transaction(async (tx) => {
    const isSame = sql`date_trunc('milliseconds', ${users.credentials_at}) = ${user.credentialsAt.toISOString()}`;
    const [held] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, user.id), isSame))
      .for('share');
    return held && updateSignIn(tx, former, changes);
  });

/** Puts another challenge in the place of the one that was answered; of two answers at the same moment, one does. */
export const replaceChallenge = async (db: Queryable, former: SignIn, next: Buffer) => {
  const [signIn] = await db
    .update(signIns)
    .set({ passkey_challenge: next })
    .where(and(stillOf(former), eq(signIns.passkey_challenge, former.passkey_challenge)))
    .returning();
  return signIn;
};

const signInDelete = prepared((db) =>
  db
    .delete(signIns)
    .where(eq(signIns.id, sql.placeholder('id')))
    .prepare('delete_sign_in'),
);

/** Ends a sign-in; of two tabs that finish it at the same moment, one does. */
export const deleteSignIn = async (db: Database, id: number): Promise<boolean> => {
  const { rowCount } = await signInDelete(db).execute({ id });
  return rowCount === 1;
};

/** Whether a message is seen for the first time. */
export const takeMessage = async (db: Queryable, messageId: string, expiresAt: Date): Promise<boolean> => {
  const { rowCount } = await db.execute(
    sql`insert into saml_replays (message_id, expires_at) values (${messageId}, ${expiresAt.toISOString()}) on conflict do nothing`,
  );
  return rowCount === 1;
};

/** What has run out, by table. */
const stale: [PgTable, SQL][] = [
  [identitySessions, sql`last_seen_at < ${idleLimit} or authenticated_at < ${ageLimit}`],
  [signIns, sql`expires_at < now()`],
  [logouts, sql`expires_at < now()`],
  [samlReplays, sql`expires_at < now() - interval '1 hour'`],
  [oneTimeTokens, sql`expires_at < now() - interval '30 days'`],
  [throttles, sql`updated_at < now() - interval '2 days'`],
];

/** More sign-ins than this in which nobody has said who they are; the oldest go first, long before they expire. */
const mostAnonymous = 100_000;

export const deleteStaleSignIns = async (db: Queryable, most = mostAnonymous): Promise<void> => {
  for (const [table, isStale] of stale) await deleteInPieces(db, table, isStale);
  const isExcess = sql`user_id is null and id <= (
    select id from ${signIns} where user_id is null order by id desc limit 1 offset ${most})`;
  await deleteInPieces(db, signIns, isExcess);
};
