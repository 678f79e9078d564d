import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { pendingTotp, recoveryCodes, signInCodes, users } from '../../database/schema.ts';

const minutesToProve = 10;

/** A newer secret takes the place of one that was shown and not proven. */
export const upsertPending = (db: Queryable, userId: number, secret: Buffer) => {
  const row = { secret, expires_at: sql`now() + make_interval(mins => ${minutesToProve})` };
  return db
    .insert(pendingTotp)
    .values({ user_id: userId, ...row })
    .onConflictDoUpdate({ target: pendingTotp.user_id, set: row });
};

export const findPending = async (db: Queryable, userId: number): Promise<Buffer | undefined> => {
  const [found] = await db
    .select({ secret: pendingTotp.secret })
    .from(pendingTotp)
    .where(and(eq(pendingTotp.user_id, userId), gt(pendingTotp.expires_at, sql`now()`)));
  return found?.secret;
};

/** Of two at the same moment, one takes it. */
export const takePending = async (tx: Queryable, userId: number, secret: Buffer): Promise<boolean> => {
  const { rowCount } = await tx
    .delete(pendingTotp)
    .where(and(eq(pendingTotp.user_id, userId), eq(pendingTotp.secret, secret)));
  return rowCount === 1;
};

export const findTotpSecret = async (db: Queryable, userId: number): Promise<Buffer | undefined> => {
  const [found] = await db.select({ secret: users.totp_secret }).from(users).where(eq(users.id, userId));
  return found?.secret ?? undefined;
};

/** With or without a secret; what was remembered of the old one is worth nothing any more. */
export const updateTotp = (tx: Queryable, userId: number, totp: { secret: Buffer; step: number } | undefined) =>
  tx
    .update(users)
    .set({ totp_secret: totp?.secret ?? null, totp_last_step: totp?.step ?? null, credentials_at: sql`now()` })
    .where(eq(users.id, userId));

/** Uses a code up; of two at the same moment, one. */
export const burnStep = async (db: Queryable, userId: number, step: number): Promise<boolean> => {
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

export const useRecoveryHash = async (db: Queryable, userId: number, hash: Buffer): Promise<boolean> => {
  const { rowCount } = await db
    .update(recoveryCodes)
    .set({ used_at: sql`now()` })
    .where(and(eq(recoveryCodes.user_id, userId), eq(recoveryCodes.code_hash, hash), isNull(recoveryCodes.used_at)));
  return rowCount === 1;
};

export const countRecoveryCodes = (db: Queryable, userId: number): Promise<number> =>
  db.$count(recoveryCodes, and(eq(recoveryCodes.user_id, userId), isNull(recoveryCodes.used_at)));

export const upsertMailedCode = (db: Queryable, signInId: number, code_mac: string) => {
  const row = { code_mac, tries: 0, used_at: null, expires_at: sql`now() + make_interval(mins => ${minutesToProve})` };
  return db
    .insert(signInCodes)
    .values({ sign_in_id: signInId, ...row })
    .onConflictDoUpdate({ target: signInCodes.sign_in_id, set: row });
};

/** Takes one of the tries of a mailed code before it is compared; nothing where none is left. */
export const takeMailedCode = async (
  db: Queryable,
  signInId: number,
  mostTries: number,
): Promise<string | undefined> => {
  const [taken] = await db
    .update(signInCodes)
    .set({ tries: sql`${signInCodes.tries} + 1` })
    .where(
      and(
        eq(signInCodes.sign_in_id, signInId),
        lt(signInCodes.tries, mostTries),
        gt(signInCodes.expires_at, sql`now()`),
        isNull(signInCodes.used_at),
      ),
    )
    .returning({ code_mac: signInCodes.code_mac });
  return taken?.code_mac;
};

export const useMailedCode = async (db: Queryable, signInId: number): Promise<boolean> => {
  const { rowCount } = await db
    .update(signInCodes)
    .set({ used_at: sql`now()` })
    .where(and(eq(signInCodes.sign_in_id, signInId), isNull(signInCodes.used_at)));
  return rowCount === 1;
};
