import { and, eq, gt, sql } from 'drizzle-orm';
import { type Database, prepared, type Queryable } from '../../../database/connect.ts';
import { signIns, users } from '../../../database/schema.ts';
import { hashToken, newToken } from '../../../secrets/tokens.ts';
import type { IdentifiedAccount } from '../accounts/identity-sessions.queries.ts';
import { versionOf } from '../destination/destinations.queries.ts';

export const minutesToSignIn = 30;

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
      requested: sql.placeholder('requested'),
      is_forced: sql.placeholder('is_forced'),
      user_id: sql.placeholder('user_id'),
      login_from: sql.placeholder('login_from'),
      // With a cast, because Drizzle cannot convert null to a timestamp in a placeholder.
      authenticated_at: sql`${sql.placeholder('authenticated_at')}::timestamptz`,
      // By the clock of the database, which also decides whether it has expired.
      expires_at: sql`now() + make_interval(mins => ${minutesToSignIn})`,
    })
    .prepare('insert_sign_in'),
);

export type SignIn = typeof signIns.$inferSelect;

export const insertSignIn = async (
  db: Database,
  signIn: Omit<SignIn, 'id' | 'token_hash' | 'mfa' | 'social' | 'passkey_challenge' | 'created_at' | 'expires_at'>,
) => {
  const token = newToken();
  await signInInsert(db).execute({ ...signIn, token_hash: hashToken(token) });
  return token;
};

const signInByToken = prepared((db) =>
  db
    .select({ signIn: signIns, version: versionOf(signIns.site_id) })
    .from(signIns)
    .where(
      and(
        eq(signIns.token_hash, sql.placeholder('tokenHash')),
        eq(signIns.browser_hash, sql.placeholder('browserHash')),
        gt(signIns.expires_at, sql`now()`),
      ),
    )
    .prepare('sign_in_by_token'),
);

/** A sign-in in progress, for the browser that began it, and the version of its site. */
export const findSignIn = async (db: Database, token: string, browser: string) => {
  const hashes = { tokenHash: hashToken(token), browserHash: hashToken(browser) };
  const [found] = await signInByToken(db).execute(hashes);
  return found;
};

/** Matches a sign-in unless another tab of the browser has identified another person, or gone to another network, in the meantime. */
const isSameSignIn = ({ id, user_id, network_id }: SignIn) =>
  and(
    eq(signIns.id, id),
    eq(signIns.network_id, network_id),
    sql`${signIns.user_id} is not distinct from ${user_id}::bigint`,
  );

/** Whether the identified person and the proven factor of a sign-in are still the same. */
export const isUnchanged = async (tx: Queryable, signIn: SignIn): Promise<boolean> => {
  const hasSameProof = sql`${signIns.mfa} is not distinct from ${signIn.mfa}::text`;
  return (await tx.$count(signIns, and(isSameSignIn(signIn), hasSameProof))) === 1;
};

/**
 * Updates a sign-in; undefined if it has ended in the meantime. A proven factor must only count for the person who has proven it, so an
 * update applies only to the same person, unless it sets the person itself.
 */
export const updateSignIn = async (db: Queryable, former: SignIn, changes: Partial<SignIn>) => {
  const setsPerson = 'user_id' in changes;
  const [signIn] = await db
    .update(signIns)
    .set(changes)
    .where(setsPerson ? eq(signIns.id, former.id) : isSameSignIn(former))
    .returning();
  return signIn;
};

/**
 * Updates a sign-in for a person who was just identified, unless the credentials have changed since. The row lock waits for a concurrent
 * change of the credentials.
 */
export const updateIdentified = (db: Database, former: SignIn, user: IdentifiedAccount, changes: Partial<SignIn>) =>
  db.transaction(async (tx) => {
    const hasSameCredentials = sql`date_trunc('milliseconds', ${users.credentials_at}) = ${user.credentialsAt.toISOString()}`;
    const [locked] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, user.id), hasSameCredentials))
      .for('share');
    return locked && updateSignIn(tx, former, changes);
  });

/** Replaces the challenge that was answered. Of two concurrent answers only one replaces it. */
export const replaceChallenge = async (db: Queryable, former: SignIn, next: Buffer) => {
  const [signIn] = await db
    .update(signIns)
    .set({ passkey_challenge: next })
    .where(and(isSameSignIn(former), eq(signIns.passkey_challenge, former.passkey_challenge)))
    .returning();
  return signIn;
};

const signInDelete = prepared((db) =>
  db
    .delete(signIns)
    .where(eq(signIns.id, sql.placeholder('id')))
    .prepare('delete_sign_in'),
);

/** Deletes a sign-in. If two tabs finish it at the same time, only one gets true. */
export const deleteSignIn = async (db: Database, id: number): Promise<boolean> => {
  const { rowCount } = await signInDelete(db).execute({ id });
  return rowCount === 1;
};
