import { randomBytes, randomInt } from 'node:crypto';
import { ApiError } from '@opensocial/contract';
import { renderSVG } from 'uqr';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { clearAttempts, countAttempt } from '../../http/throttle.ts';
import { emailCodeNotice, mfaNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { hashToken, isSame } from '../../secrets/tokens.ts';
import { newTotpSecret, toBase32, totpAddress, totpStep } from '../../secrets/totp.ts';
import { recordOwnAudit } from '../audit/audit.service.ts';
import { ownerMfaDue } from './mfa.owners.service.ts';
import {
  burnStep,
  deleteEmailCode,
  deleteTotp,
  type Factors,
  findFactors,
  findOwner,
  findPending,
  findTotpSecret,
  hasLosable,
  holdFactors,
  insertTotp,
  replaceRecoveryCodes,
  takeEmailCode,
  takeMailedCode,
  takePending,
  upsertEmailCode,
  upsertMailedCode,
  upsertPending,
  useMailedCode,
  useRecoveryHash,
} from './mfa.queries.ts';

export { countRecoveryCodes, hasLosable } from './mfa.queries.ts';

/** Guesses at a second factor in a row, wherever they are made: then it locks as a password does. */
const mostGuesses = 5;
/** The same for all known devices of an account together. */
const mostGuessesOfDevices = 50;
const mostTriesOfMailedCode = 5;
const recoveryCodesGiven = 10;

const issuer = 'OpenSocial';

/** A new secret to show. It counts only once a code of it is proven, within ten minutes. */
export const beginTotp = async ({ db, vault }: Parts, user: { id: number; email: string }) => {
  const secret = newTotpSecret();
  await upsertPending(db, user.id, vault.encrypt(secret));
  return toShown(secret, user.email);
};

/**
 * Somebody who proves a factor. A browser that has signed in to the account before (`device`) has guesses of its own: a
 * stranger who knows the password can use up only those of unknown browsers.
 */
export type Prover = { userId: number; device: string | undefined };

/** Somebody in a sign-in under way. */
export type Entrant = Prover & { signInId: number };

/** The secret that one sign-in may set up: the same each time its page is shown, and never that of another. */
const secretFor = (vault: Parts['vault'], { signInId, userId }: Omit<Entrant, 'device'>): Buffer =>
  Buffer.from(vault.sign('totp-setup', `${signInId}\0${userId}`), 'base64url').subarray(0, 20);

export const showTotpAt = ({ vault }: Parts, entrant: Omit<Entrant, 'device'>, email: string) =>
  toShown(secretFor(vault, entrant), email);

const toShown = (secret: Buffer, email: string) => ({
  key: toBase32(secret),
  img: `data:image/svg+xml;base64,${Buffer.from(renderSVG(totpAddress(secret, issuer, email), { border: 2 })).toString('base64')}`,
});

type Alongside = (tx: Transaction) => Promise<void>;

/** `admit` decides, before anything is stored, whether it may be; `alongside` is done together with it, or not at all. */
type Storing = { admit: Alongside; alongside: Alongside };

/**
 * Proves the shown secret and puts it to use. Answers the recovery codes, this once; nothing where the code is wrong, or
 * where another key was shown than the one that is named.
 */
export const confirmTotp = async (
  parts: Parts,
  prover: Prover,
  code: string,
  { key, admit, alongside }: Storing & { key: string },
): Promise<string[] | undefined> => {
  const { db, vault } = parts;
  const { userId } = prover;
  return withTry(parts, prover, async () => {
    const pending = await findPending(db, userId);
    if (!pending) return undefined;
    const secret = vault.decrypt(pending);
    const step = totpStep(secret, code);
    if (step === undefined || !isSame(toBase32(secret), key)) return undefined;
    return db.transaction(async (tx) => {
      await admit(tx);
      return (await takePending(tx, userId, pending))
        ? useTotp(tx, userId, { secret: pending, step }, alongside)
        : undefined;
    });
  });
};

/** The same for the secret that was shown in a sign-in, to somebody who has no factor yet and has got none meanwhile. */
export const confirmTotpAt = (
  parts: Parts,
  entrant: Entrant,
  code: string,
  alongside: Alongside,
): Promise<string[] | undefined> => {
  const { db, vault } = parts;
  return withTry(parts, entrant, async () => {
    const secret = secretFor(vault, entrant);
    const step = totpStep(secret, code);
    if (step === undefined) return undefined;
    const proven = { secret: vault.encrypt(secret), step };
    return db.transaction(async (tx) => {
      const factors = await holdFactors(tx, entrant.userId);
      if (!factors || hasFactor(factors)) return undefined;
      return useTotp(tx, entrant.userId, proven, alongside);
    });
  });
};

/** Whether an account has any factor, be it only recovery codes. */
const hasFactor = (factors: Factors): boolean => Object.values(factors).includes(true);

const useTotp = async (
  tx: Transaction,
  userId: number,
  { secret, step }: { secret: Buffer; step: number },
  alongside: Alongside,
): Promise<string[] | undefined> => {
  if (!(await insertTotp(tx, userId, secret, step))) return undefined;
  await alongside(tx);
  return giveRecoveryCodes(tx, userId);
};

/** New codes to write down; the old ones stop working. */
export const giveRecoveryCodes = async (tx: Transaction, userId: number): Promise<string[]> => {
  const codes = Array.from({ length: recoveryCodesGiven }, newRecoveryCode);
  await replaceRecoveryCodes(tx, userId, codes.map(hashOf));
  return codes;
};

/** 60 bits, in letters that are not mistaken for one another. */
const newRecoveryCode = (): string =>
  (toBase32(randomBytes(8)).slice(0, 12).match(/.{4}/g) ?? []).join('-').toLowerCase();

const hashOf = (code: string): Buffer => hashToken(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ''));

/** An account, and the address that its owner acts from. */
export type Whose = { user: { id: number; email: string; homeNetworkId: number }; address: string };

/** Whoever's second factor it is hears of every change of it, and it is written down. */
export const noteFactorChange = async (
  tx: Transaction,
  { jobs, config }: Parts,
  { user, address }: Whose,
  { subject, happened }: { subject: string; happened: string },
): Promise<void> => {
  await jobs.sendMail(tx, { to: user.email, ...mfaNotice(config.publicUrl, happened) });
  await recordOwnAudit(tx, user, address, { subject, new_data: { happened } });
};

/** In the profile or at a sign-in. */
export const noteTotpSetup = (tx: Transaction, parts: Parts, whose: Whose): Promise<void> => {
  const happened = 'An authenticator app was set up for your account.';
  return noteFactorChange(tx, parts, whose, { subject: 'own authenticator', happened });
};

/** Takes the authenticator away. Whether there was one. */
export const clearTotp = async (tx: Transaction, userId: number): Promise<boolean> => {
  if (!(await deleteTotp(tx, userId))) return false;
  await dropNeedlessCodes(tx, userId);
  return true;
};

/** Recovery codes go with the last of what they stand in for, the authenticator and the passkeys. */
export const dropNeedlessCodes = async (tx: Transaction, userId: number): Promise<void> => {
  if (!(await hasLosable(tx, userId))) await replaceRecoveryCodes(tx, userId, []);
};

/** Whether this is the authenticator's code now, and was not used before. */
export const proveTotp = (parts: Parts, prover: Prover, code: string): Promise<boolean> =>
  withTry(parts, prover, async () => {
    const { userId } = prover;
    const secret = await findTotpSecret(parts.db, userId);
    const step = secret && totpStep(parts.vault.decrypt(secret), code);
    return step !== undefined && (await burnStep(parts.db, userId, step));
  });

export const proveRecoveryCode = (parts: Parts, prover: Prover, code: string): Promise<boolean> =>
  withTry(parts, prover, () => useRecoveryHash(parts.db, prover.userId, hashOf(code)));

/** Counts a guess before anything is compared, so that parallel guesses are counted too; a success resets the counter. */
const withTry = async <T>({ db }: Parts, prover: Prover, prove: () => Promise<T>): Promise<T> => {
  await takeGuess(db, prover);
  const proven = await prove();
  if (proven) await forgetGuesses(db, prover);
  return proven;
};

/** For a factor that cannot be guessed, such as a passkey: only failures are counted, and a lock does not stop a valid one. */
export const takeGuess = (db: Parts['db'], prover: Prover): Promise<void> => assertTries(db, 'mfa', prover);

export const forgetGuesses = (db: Parts['db'], prover: Prover): Promise<void> => forgetTriesOf(db, 'mfa', prover);

type Kind = 'mfa' | 'mfa-mail';

/** A key with its limit. Known devices have one each, and one together: many of them must not multiply the guesses. */
const triesFor = (kind: Kind, { userId, device }: Prover): [key: string, limit: number][] =>
  device === undefined
    ? [[`${kind}:${userId}`, mostGuesses]]
    : [
        [`${kind}:${userId}:${device}`, mostGuesses],
        [`${kind}:${userId}:devices`, mostGuessesOfDevices],
      ];

const assertTries = async (db: Parts['db'], kind: Kind, prover: Prover): Promise<void> => {
  for (const [key, limit] of triesFor(kind, prover)) await assertTry(db, key, limit);
};

const forgetTriesOf = async (db: Parts['db'], kind: Kind, prover: Prover): Promise<void> => {
  for (const [key] of triesFor(kind, prover)) await clearAttempts(db, key);
};

const assertTry = async (db: Parts['db'], key: string, limit: number): Promise<void> => {
  const { blockedFor } = await countAttempt(db, key, { limit });
  if (blockedFor > 0) throw new ApiError('too_many', { retryAfter: blockedFor });
};

/** A code for one sign-in, to be mailed. Asking for many in a row has to wait. */
export const newMailedCode = async ({ db, vault }: Parts, entrant: Entrant): Promise<string> => {
  await assertTries(db, 'mfa-mail', entrant);
  const code = newCode();
  await upsertMailedCode(db, entrant.signInId, macOf(vault, entrant, code));
  return code;
};

const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

export const proveMailedCode = (parts: Parts, entrant: Entrant, code: string): Promise<boolean> => {
  const { signInId } = entrant;
  return withTry(parts, entrant, async () => {
    const mac = await takeMailedCode(parts.db, signInId, mostTriesOfMailedCode);
    const given = macOf(parts.vault, entrant, code.replaceAll(/\s/g, ''));
    if (mac === undefined || !isSame(mac, given) || !(await useMailedCode(parts.db, signInId))) return false;
    await forgetTriesOf(parts.db, 'mfa-mail', entrant);
    return true;
  });
};

// ── The code that confirms an address before mailed codes are switched on ────────────────────────────────────────────

/** A console session, and whose it is. */
type Confirming = { sessionId: number; userId: number };

/** Mails the code. It has a throttle of its own, so that it cannot use up the codes that a sign-in needs. */
export const mailEmailCode = async ({ db, vault, jobs, config }: Parts, to: string, who: Confirming): Promise<void> => {
  await assertTry(db, emailCodeKey(who), mostGuesses);
  const code = newCode();
  await db.transaction(async (tx) => {
    await upsertEmailCode(tx, who.sessionId, emailCodeMac(vault, who, code));
    await jobs.sendMail(tx, { to, ...emailCodeNotice(config.publicUrl, code) });
  });
};

/** Whether this is the code. Answers how to use it up, in the transaction that switches mailed codes on. */
export const proveEmailCode = async (
  { db, vault }: Parts,
  who: Confirming,
  code: string,
): Promise<((tx: Transaction) => Promise<boolean>) | undefined> => {
  const mac = await takeEmailCode(db, who.sessionId, mostTriesOfMailedCode);
  if (mac === undefined || !isSame(mac, emailCodeMac(vault, who, code.replaceAll(/\s/g, '')))) return undefined;
  return async (tx) => {
    await clearAttempts(tx, emailCodeKey(who));
    return deleteEmailCode(tx, who.sessionId, mac);
  };
};

const emailCodeKey = ({ userId }: Confirming): string => `mfa-confirm:${userId}`;

const emailCodeMac = (vault: Parts['vault'], { sessionId, userId }: Confirming, code: string): string =>
  vault.sign('email-mfa', `${sessionId}\0${userId}\0${code}`);

/** Good for whom it was mailed to, and nobody else who goes on with the same sign-in. */
const macOf = (vault: Parts['vault'], { signInId, userId }: Entrant, code: string): string =>
  vault.sign('email-code', `${signInId}\0${userId}\0${code}`);

/** From when on an owner without any second factor needs one to sign in to the console; nothing for everybody else. */
export const findOwnerMfaDue = async (
  { db, config }: Pick<Parts, 'db' | 'config'>,
  userId: number,
): Promise<Date | undefined> => {
  if (config.ownerMfa.scope === 'off') return undefined;
  const owner = await findOwner(db, userId);
  const due = owner && ownerMfaDue(config.ownerMfa, owner);
  const factors = due && (await findFactors(db, userId));
  return factors && !factors.hasPasskey && !factors.hasTotp && !factors.emailMfa ? due : undefined;
};

/** Whether an account has a second factor of its own. */
export const hasTotp = async (db: Queryable, userId: number): Promise<boolean> =>
  (await findTotpSecret(db, userId)) !== undefined;
