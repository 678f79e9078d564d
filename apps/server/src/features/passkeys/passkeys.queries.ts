import { and, asc, eq, gt, lt, or, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { passkeys, pendingPasskeys, users } from '../../database/schema.ts';

const challengeMinutes = 10;

export type PasskeyRow = typeof passkeys.$inferSelect;

export const findPasskeys = (db: Queryable, userId: number) =>
  db.select().from(passkeys).where(eq(passkeys.user_id, userId)).orderBy(asc(passkeys.id));

/** A passkey by its credential id, with the user handle that the device should have stored. */
export const findPasskey = async (db: Queryable, credentialId: Buffer) => {
  const [found] = await db
    .select({ passkey: passkeys, handle: users.passkey_handle })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.user_id))
    .where(eq(passkeys.credential_id, credentialId));
  return found;
};
export type FoundPasskey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

/** The WebAuthn user handle of an account, created on first use. */
export const ensureHandle = async (db: Queryable, userId: number, newHandle: Buffer): Promise<Buffer> => {
  const [user] = await db
    .update(users)
    .set({ passkey_handle: sql`coalesce(${users.passkey_handle}, ${newHandle})` })
    .where(eq(users.id, userId))
    .returning({ handle: users.passkey_handle });
  if (!user?.handle) throw new Error('The account of the session was not found.');
  return user.handle;
};

export const upsertChallenge = (db: Queryable, sessionId: number, challenge: Buffer) => {
  const row = { challenge, expires_at: sql`now() + make_interval(mins => ${challengeMinutes})` };
  return db
    .insert(pendingPasskeys)
    .values({ session_id: sessionId, ...row })
    .onConflictDoUpdate({ target: pendingPasskeys.session_id, set: row });
};

/** Consumes the challenge of a session. Of two concurrent requests, only one gets it. */
export const consumeChallenge = async (db: Queryable, sessionId: number): Promise<Buffer | undefined> => {
  const [consumed] = await db
    .delete(pendingPasskeys)
    .where(and(eq(pendingPasskeys.session_id, sessionId), gt(pendingPasskeys.expires_at, sql`now()`)))
    .returning({ challenge: pendingPasskeys.challenge });
  return consumed?.challenge;
};

/**
 * Locks the account until the transaction ends, so that nobody else changes its passkeys. Remembered devices are no
 * longer trusted.
 */
export const renewCredentials = (tx: Queryable, userId: number) =>
  tx.update(users).set({ credentials_at: sql`now()` }).where(eq(users.id, userId));

export const countPasskeys = (db: Queryable, userId: number): Promise<number> =>
  db.$count(passkeys, eq(passkeys.user_id, userId));

export const insertPasskey = (tx: Queryable, passkey: typeof passkeys.$inferInsert) =>
  tx.insert(passkeys).values(passkey);

const ofUser = (userId: number, id: number) => and(eq(passkeys.id, id), eq(passkeys.user_id, userId));

/** Renames a passkey and returns its old name, or undefined if it does not belong to the user. */
export const updateName = async (
  tx: Queryable,
  userId: number,
  id: number,
  name: string,
): Promise<string | undefined> => {
  const [passkey] = await tx.select({ name: passkeys.name }).from(passkeys).where(ofUser(userId, id)).for('update');
  if (passkey) await tx.update(passkeys).set({ name }).where(ofUser(userId, id));
  return passkey?.name;
};

export const deletePasskey = async (tx: Queryable, userId: number, id: number): Promise<string | undefined> => {
  const [deleted] = await tx.delete(passkeys).where(ofUser(userId, id)).returning({ name: passkeys.name });
  return deleted?.name;
};

/**
 * Stores the counter of a verified answer. Returns false if the counter did not increase, which means that the key was
 * copied.
 */
export const updateCounter = async (
  db: Queryable,
  id: number,
  { counter, backedUp }: { counter: number; backedUp: boolean },
): Promise<boolean> => {
  const isUncounted = counter === 0 ? eq(passkeys.counter, 0) : sql`false`;
  const { rowCount } = await db
    .update(passkeys)
    .set({ counter, backed_up: backedUp, last_used_at: sql`now()` })
    .where(and(eq(passkeys.id, id), or(lt(passkeys.counter, counter), isUncounted)));
  return rowCount === 1;
};
