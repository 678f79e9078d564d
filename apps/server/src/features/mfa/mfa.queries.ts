import { and, eq, gt, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { type Database, nested, prepared, type Queryable, type Transaction } from '../../database/connect.ts';
import {
  emailMfaCodes,
  identitySessions,
  passkeys,
  pendingTotp,
  recoveryCodes,
  signInCodes,
  users,
} from '../../database/schema.ts';
import { ownerSince } from './mfa.owners.service.ts';

const minutesToProve = 10;

/** A new secret replaces one that was shown and not confirmed. */
export const upsertPendingTotp = (db: Queryable, userId: number, secret: Buffer) => {
  const row = { secret, expires_at: sql`now() + make_interval(mins => ${minutesToProve})` };
  return db
    .insert(pendingTotp)
    .values({ user_id: userId, ...row })
    .onConflictDoUpdate({ target: pendingTotp.user_id, set: row });
};

export const findPendingTotp = async (db: Queryable, userId: number): Promise<Buffer | undefined> => {
  const [found] = await db
    .select({ secret: pendingTotp.secret })
    .from(pendingTotp)
    .where(and(eq(pendingTotp.user_id, userId), gt(pendingTotp.expires_at, sql`now()`)));
  return found?.secret;
};

/** Of two concurrent requests, the second one waits for the first. */
export const lockPendingTotp = async (tx: Transaction, userId: number): Promise<Buffer | undefined> => {
  const [found] = await tx
    .select({ secret: pendingTotp.secret })
    .from(pendingTotp)
    .where(eq(pendingTotp.user_id, userId))
    .for('update');
  return found?.secret;
};

export const deletePendingTotp = (tx: Transaction, userId: number) =>
  tx.delete(pendingTotp).where(eq(pendingTotp.user_id, userId));

export const findTotpSecret = async (db: Queryable, userId: number): Promise<Buffer | undefined> => {
  const [found] = await db.select({ secret: users.totp_secret }).from(users).where(eq(users.id, userId));
  return found?.secret ?? undefined;
};

/** Activates a secret if the account has none. An active one has to be removed first, which requires proof. */
export const insertTotp = async (tx: Queryable, userId: number, secret: Buffer, step: number): Promise<boolean> => {
  const { rowCount } = await tx
    .update(users)
    .set({ totp_secret: secret, totp_last_step: step, credentials_at: sql`now()` })
    .where(and(eq(users.id, userId), isNull(users.totp_secret)));
  return rowCount === 1;
};

/** Removes the secret; devices that were remembered with it are no longer trusted. Returns false if there was none. */
export const deleteTotp = async (tx: Queryable, userId: number): Promise<boolean> => {
  const { rowCount } = await tx
    .update(users)
    .set({ totp_secret: null, totp_last_step: null, credentials_at: sql`now()` })
    .where(and(eq(users.id, userId), isNotNull(users.totp_secret)));
  return rowCount === 1;
};

/** Returns false if it already had this value. */
export const updateEmailMfa = async (tx: Queryable, userId: number, isOn: boolean): Promise<boolean> => {
  const { rowCount } = await tx
    .update(users)
    .set({ email_mfa: isOn, credentials_at: sql`now()` })
    .where(and(eq(users.id, userId), ne(users.email_mfa, isOn)));
  return rowCount === 1;
};

/** Consumes a code. Of two concurrent requests, only one gets true. */
export const consumeTotpStep = async (db: Queryable, userId: number, step: number): Promise<boolean> => {
  const { rowCount } = await db
    .update(users)
    .set({ totp_last_step: step })
    .where(and(eq(users.id, userId), or(isNull(users.totp_last_step), lt(users.totp_last_step, step))));
  return rowCount === 1;
};

export const replaceRecoveryCodes = async (tx: Queryable, userId: number, hashes: Buffer[]): Promise<void> => {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.user_id, userId));
  if (hashes.length > 0)
    await tx.insert(recoveryCodes).values(hashes.map((code_hash) => ({ user_id: userId, code_hash })));
};

/** Whether an account has a factor that recovery codes can replace. */
export const hasReplaceableFactor = async (db: Queryable, userId: number): Promise<boolean> => {
  const [found] = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.id, userId),
        or(
          isNotNull(users.totp_secret),
          sql`exists (select 1 from ${passkeys} where ${passkeys.user_id} = ${users.id})`,
        ),
      ),
    );
  return found !== undefined;
};

/** The second factors of an account. */
export type Factors = { hasPasskey: boolean; hasTotp: boolean; emailMfa: boolean; hasRecoveryCodes: boolean };

/**
 * Locks an account, then reads its factors. Every change of a factor takes the same lock, so that the result stays true
 * until the transaction ends. It needs a second query: a subquery of the locking one would not see changes that the
 * lock waited for.
 */
export const lockFactors = async (tx: Transaction, userId: number): Promise<Factors | undefined> => {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
  return findFactors(tx, userId);
};

export const findFactors = async (db: Queryable, userId: number): Promise<Factors | undefined> => {
  const [found] = await db
    .select({
      hasPasskey: nested<boolean>(sql`exists (select 1 from ${passkeys} where ${passkeys.user_id} = ${users.id})`),
      hasTotp: sql<boolean>`${users.totp_secret} is not null`,
      emailMfa: users.email_mfa,
      hasRecoveryCodes: nested<boolean>(
        sql`exists (select 1 from ${recoveryCodes} where ${recoveryCodes.user_id} = ${users.id} and ${recoveryCodes.used_at} is null)`,
      ),
    })
    .from(users)
    .where(eq(users.id, userId));
  return found;
};

const ownerSinceOf = prepared((db) =>
  db
    .select(ownerSince)
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare('owner_since'),
);

/** Since when an account is an owner. */
export const findOwnerSince = async (db: Database, userId: number) => {
  const [found] = await ownerSinceOf(db).execute({ userId });
  return found;
};

/** How the user was authenticated in the identity session that a console session comes from. */
export const findIdentitySession = async (db: Queryable, userId: number, sessionIndex: string) => {
  const { login_from, mfa, authenticated_at } = identitySessions;
  const [found] = await db
    .select({ login_from, mfa, authenticated_at })
    .from(identitySessions)
    .where(ofIdentity(userId, sessionIndex));
  return found;
};

const ofIdentity = (userId: number, sessionIndex: string) =>
  and(eq(identitySessions.session_index, sessionIndex), eq(identitySessions.user_id, userId));

/** Records a factor in a session that has proven none, or only a weaker one. */
export const updateProvenFactor = (
  tx: Queryable,
  { userId, sessionIndex }: { userId: number; sessionIndex: string },
  mfa: 'email' | 'totp' | 'passkey',
  weaker: readonly string[],
) =>
  tx
    .update(identitySessions)
    .set({ mfa })
    .where(
      and(
        ofIdentity(userId, sessionIndex),
        or(isNull(identitySessions.mfa), sql`${identitySessions.mfa} = any(${sql.param(weaker)})`),
      ),
    );

// ── The code that confirms an email address before email codes are turned on ─────────────────────────────────────────

/** A new code replaces the previous one. */
export const upsertConfirmationCode = (db: Queryable, sessionId: number, code_mac: string) => {
  const row = { code_mac, tries: 0, expires_at: sql`now() + make_interval(mins => ${minutesToProve})` };
  return db
    .insert(emailMfaCodes)
    .values({ session_id: sessionId, ...row })
    .onConflictDoUpdate({ target: emailMfaCodes.session_id, set: row });
};

/** Counts an attempt before the code is compared. Returns undefined if there is no code, or no attempt left. */
export const countConfirmationAttempt = async (
  db: Queryable,
  sessionId: number,
  maximumTries: number,
): Promise<string | undefined> => {
  const [counted] = await db
    .update(emailMfaCodes)
    .set({ tries: sql`${emailMfaCodes.tries} + 1` })
    .where(
      and(
        eq(emailMfaCodes.session_id, sessionId),
        lt(emailMfaCodes.tries, maximumTries),
        gt(emailMfaCodes.expires_at, sql`now()`),
      ),
    )
    .returning({ code_mac: emailMfaCodes.code_mac });
  return counted?.code_mac;
};

/** Consumes a code. Of two concurrent requests, only one gets true. */
export const consumeConfirmationCode = async (tx: Queryable, sessionId: number, code_mac: string): Promise<boolean> => {
  const { rowCount } = await tx
    .delete(emailMfaCodes)
    .where(and(eq(emailMfaCodes.session_id, sessionId), eq(emailMfaCodes.code_mac, code_mac)));
  return rowCount === 1;
};

export const consumeRecoveryCode = async (db: Queryable, userId: number, hash: Buffer): Promise<boolean> => {
  const { rowCount } = await db
    .update(recoveryCodes)
    .set({ used_at: sql`now()` })
    .where(and(eq(recoveryCodes.user_id, userId), eq(recoveryCodes.code_hash, hash), isNull(recoveryCodes.used_at)));
  return rowCount === 1;
};

export const countRecoveryCodes = (db: Queryable, userId: number): Promise<number> =>
  db.$count(recoveryCodes, and(eq(recoveryCodes.user_id, userId), isNull(recoveryCodes.used_at)));

/** When a code was mailed, and the next one may be, in seconds. */
const resendSeconds = 30;
const nextCodeAt = sql`${signInCodes.expires_at} - make_interval(mins => ${minutesToProve}, secs => ${-resendSeconds})`;

/** Stores a code. Returns false if another one was mailed just before, for example because somebody has clicked twice. */
export const upsertSignInCode = async (db: Queryable, signInId: number, code_mac: string): Promise<boolean> => {
  const row = { code_mac, tries: 0, used_at: null, expires_at: sql`now() + make_interval(mins => ${minutesToProve})` };
  const { rowCount } = await db
    .insert(signInCodes)
    .values({ sign_in_id: signInId, ...row })
    .onConflictDoUpdate({ target: signInCodes.sign_in_id, set: row, setWhere: sql`${nextCodeAt} <= now()` });
  return rowCount === 1;
};

/** The seconds until another code may be mailed, and whether the last one can still be entered. Undefined if none was mailed. */
export const findSignInCode = async (db: Queryable, signInId: number, maximumTries: number) => {
  const [found] = await db
    .select({
      resendIn: sql`greatest(0, ceil(extract(epoch from ${nextCodeAt} - now())))`.mapWith(Number),
      isUsable: sql<boolean>`${signInCodes.tries} < ${maximumTries} and ${signInCodes.expires_at} > now() and ${signInCodes.used_at} is null`,
    })
    .from(signInCodes)
    .where(eq(signInCodes.sign_in_id, signInId));
  return found;
};

/**
 * Counts an attempt at a mailed code before it is compared. Returns undefined if there is no code or no attempt left.
 */
export const countSignInCodeAttempt = async (
  db: Queryable,
  signInId: number,
  maximumTries: number,
): Promise<string | undefined> => {
  const [counted] = await db
    .update(signInCodes)
    .set({ tries: sql`${signInCodes.tries} + 1` })
    .where(
      and(
        eq(signInCodes.sign_in_id, signInId),
        lt(signInCodes.tries, maximumTries),
        gt(signInCodes.expires_at, sql`now()`),
        isNull(signInCodes.used_at),
      ),
    )
    .returning({ code_mac: signInCodes.code_mac });
  return counted?.code_mac;
};

export const consumeSignInCode = async (db: Queryable, signInId: number): Promise<boolean> => {
  const { rowCount } = await db
    .update(signInCodes)
    .set({ used_at: sql`now()` })
    .where(and(eq(signInCodes.sign_in_id, signInId), isNull(signInCodes.used_at)));
  return rowCount === 1;
};
