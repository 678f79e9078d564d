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
  hasReplaceableFactor,
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

export { countRecoveryCodes, hasReplaceableFactor } from './mfa.queries.ts';

/** Wrong guesses of second factors in a row, at any place. Then second factors are locked like a password. */
const maximumGuesses = 5;
/** The same limit for all known devices of an account together. */
const maximumGuessesOfDevices = 50;
const maximumTriesOfMailedCode = 5;
const recoveryCodeCount = 10;

const issuer = 'OpenSocial';

/** A new secret to show. It takes effect once a code for it is submitted, within ten minutes. */
export const beginTotp = async ({ db, vault }: Parts, user: { id: number; email: string }) => {
  const secret = newTotpSecret();
  await upsertPending(db, user.id, vault.encrypt(secret));
  return toSetup(secret, user.email);
};

/**
 * A person who proves a factor. A browser that has signed in to the account before (`device`) has its own limit of
 * guesses: an attacker who knows the password can only exhaust the limit of unknown browsers.
 */
export type Prover = { userId: number; device: string | undefined };

/** A person in the middle of a sign-in. */
export type Entrant = Prover & { signInId: number };

/**
 * The secret that a sign-in may set up. It is derived from the sign-in, so that it is the same each time the page is
 * shown, and different for each sign-in.
 */
const secretFor = (vault: Parts['vault'], { signInId, userId }: Omit<Entrant, 'device'>): Buffer =>
  Buffer.from(vault.sign('totp-setup', `${signInId}\0${userId}`), 'base64url').subarray(0, 20);

export const showTotpAt = ({ vault }: Parts, entrant: Omit<Entrant, 'device'>, email: string) =>
  toSetup(secretFor(vault, entrant), email);

const toSetup = (secret: Buffer, email: string) => ({
  key: toBase32(secret),
  img: `data:image/svg+xml;base64,${Buffer.from(renderSVG(totpAddress(secret, issuer, email), { border: 2 })).toString('base64')}`,
});

type Alongside = (tx: Transaction) => Promise<void>;

/** `admit` checks inside the transaction whether the factor may be stored; `alongside` runs in the same transaction. */
type Storing = { admit: Alongside; alongside: Alongside };

/**
 * Confirms the shown secret and activates it. Returns the recovery codes, or undefined if the code is wrong or `key` is
 * not the secret that was shown.
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

/** The same for the secret that was shown in a sign-in, if the account still has no factor. */
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

/** Whether an account has any factor, including recovery codes. */
const hasFactor = (factors: Factors): boolean => Object.values(factors).includes(true);

const useTotp = async (
  tx: Transaction,
  userId: number,
  { secret, step }: { secret: Buffer; step: number },
  alongside: Alongside,
): Promise<string[] | undefined> => {
  if (!(await insertTotp(tx, userId, secret, step))) return undefined;
  await alongside(tx);
  return issueRecoveryCodes(tx, userId);
};

/** Generates new recovery codes; the old ones stop working. */
export const issueRecoveryCodes = async (tx: Transaction, userId: number): Promise<string[]> => {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await replaceRecoveryCodes(tx, userId, codes.map(hashOf));
  return codes;
};

/** 60 bits, in letters that are not easily confused. */
const newRecoveryCode = (): string =>
  (toBase32(randomBytes(8)).slice(0, 12).match(/.{4}/g) ?? []).join('-').toLowerCase();

const hashOf = (code: string): Buffer => hashToken(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ''));

/** An account, and the IP address of its owner. */
export type Whose = { user: { id: number; email: string; homeNetworkId: number }; address: string };

/** Notifies the person of a change of their second factors by mail, and records it in the audit log. */
export const noteFactorChange = async (
  tx: Transaction,
  { jobs, config }: Parts,
  { user, address }: Whose,
  { subject, happened }: { subject: string; happened: string },
): Promise<void> => {
  await jobs.sendMail(tx, { to: user.email, ...mfaNotice(config.publicUrl, happened) });
  await recordOwnAudit(tx, user, address, { subject, new_data: { happened } });
};

/** Used by the profile and by the sign-in. */
export const noteTotpSetup = (tx: Transaction, parts: Parts, whose: Whose): Promise<void> => {
  const happened = 'An authenticator app was set up for your account.';
  return noteFactorChange(tx, parts, whose, { subject: 'own authenticator', happened });
};

/** Removes the authenticator app. Returns false if there was none. */
export const clearTotp = async (tx: Transaction, userId: number): Promise<boolean> => {
  if (!(await deleteTotp(tx, userId))) return false;
  await deleteUnneededRecoveryCodes(tx, userId);
  return true;
};

/** Deletes the recovery codes once there is no authenticator app or passkey left that they could replace. */
export const deleteUnneededRecoveryCodes = async (tx: Transaction, userId: number): Promise<void> => {
  if (!(await hasReplaceableFactor(tx, userId))) await replaceRecoveryCodes(tx, userId, []);
};

/** Whether this is the current code of the authenticator app, and it was not used before. */
export const proveTotp = (parts: Parts, prover: Prover, code: string): Promise<boolean> =>
  withTry(parts, prover, async () => {
    const { userId } = prover;
    const secret = await findTotpSecret(parts.db, userId);
    const step = secret && totpStep(parts.vault.decrypt(secret), code);
    return step !== undefined && (await burnStep(parts.db, userId, step));
  });

export const proveRecoveryCode = (parts: Parts, prover: Prover, code: string): Promise<boolean> =>
  withTry(parts, prover, () => useRecoveryHash(parts.db, prover.userId, hashOf(code)));

/**
 * Counts a guess before anything is compared, so that parallel guesses are counted too. A success resets the counter.
 */
const withTry = async <T>({ db }: Parts, prover: Prover, prove: () => Promise<T>): Promise<T> => {
  await takeGuess(db, prover);
  const proven = await prove();
  if (proven) await forgetGuesses(db, prover);
  return proven;
};

/**
 * Counts one guess at a second factor, and refuses it if there were too many. Codes are counted before they are
 * compared. Passkeys cannot be guessed, so they call this only after a failure, and a lock does not stop a valid one.
 */
export const takeGuess = (db: Parts['db'], prover: Prover): Promise<void> => assertTries(db, 'mfa', prover);

export const forgetGuesses = (db: Parts['db'], prover: Prover): Promise<void> => forgetTriesOf(db, 'mfa', prover);

type Kind = 'mfa' | 'mfa-mail';

/**
 * Counter keys with their limits. Each known device has its own counter, and all share another one, so that many
 * devices do not multiply the guesses.
 */
const triesFor = (kind: Kind, { userId, device }: Prover): [key: string, limit: number][] =>
  device === undefined
    ? [[`${kind}:${userId}`, maximumGuesses]]
    : [
        [`${kind}:${userId}:${device}`, maximumGuesses],
        [`${kind}:${userId}:devices`, maximumGuessesOfDevices],
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

/** A code to be mailed for one sign-in. Repeated requests are throttled. */
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
    const mac = await takeMailedCode(parts.db, signInId, maximumTriesOfMailedCode);
    const given = macOf(parts.vault, entrant, code.replaceAll(/\s/g, ''));
    if (mac === undefined || !isSame(mac, given) || !(await useMailedCode(parts.db, signInId))) return false;
    await forgetTriesOf(parts.db, 'mfa-mail', entrant);
    return true;
  });
};

// ── The code that confirms an email address before email codes are turned on ─────────────────────────────────────────

/** A console session and its user. */
type Confirming = { sessionId: number; userId: number };

/** Mails the code. It has its own throttle, so that it cannot exhaust the codes that a sign-in needs. */
export const mailEmailCode = async ({ db, vault, jobs, config }: Parts, to: string, who: Confirming): Promise<void> => {
  await assertTry(db, emailCodeKey(who), maximumGuesses);
  const code = newCode();
  await db.transaction(async (tx) => {
    await upsertEmailCode(tx, who.sessionId, emailCodeMac(vault, who, code));
    await jobs.sendMail(tx, { to, ...emailCodeNotice(config.publicUrl, code) });
  });
};

/** Verifies the code. Returns a function that consumes it, for the transaction that turns on email codes. */
export const proveEmailCode = async (
  { db, vault }: Parts,
  who: Confirming,
  code: string,
): Promise<((tx: Transaction) => Promise<boolean>) | undefined> => {
  const mac = await takeEmailCode(db, who.sessionId, maximumTriesOfMailedCode);
  if (mac === undefined || !isSame(mac, emailCodeMac(vault, who, code.replaceAll(/\s/g, '')))) return undefined;
  return async (tx) => {
    await clearAttempts(tx, emailCodeKey(who));
    return deleteEmailCode(tx, who.sessionId, mac);
  };
};

const emailCodeKey = ({ userId }: Confirming): string => `mfa-confirm:${userId}`;

const emailCodeMac = (vault: Parts['vault'], { sessionId, userId }: Confirming, code: string): string =>
  vault.sign('email-mfa', `${sessionId}\0${userId}\0${code}`);

/** The MAC binds a code to the person it was mailed to, not only to the sign-in. */
const macOf = (vault: Parts['vault'], { signInId, userId }: Entrant, code: string): string =>
  vault.sign('email-code', `${signInId}\0${userId}\0${code}`);

/** When an owner without a second factor starts to need one to sign in to the console; undefined for everybody else. */
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

/** Whether an account has an authenticator app. */
export const hasTotp = async (db: Queryable, userId: number): Promise<boolean> =>
  (await findTotpSecret(db, userId)) !== undefined;
