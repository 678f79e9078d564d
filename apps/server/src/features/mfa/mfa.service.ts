import { randomBytes, randomInt } from 'node:crypto';
import { ApiError } from '@opensocial/contract';
import { renderSVG } from 'uqr';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { clearAttempts, countAttempt } from '../../http/throttle.ts';
import { confirmationCodeNotice, mfaNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { hashToken, isSame } from '../../secrets/tokens.ts';
import { newTotpSecret, toBase32, totpAddress, totpStep } from '../../secrets/totp.ts';
import { recordOwnAudit } from '../audit/audit.service.ts';
import { ownerMfaDue } from './mfa.owners.service.ts';
import {
  consumeConfirmationCode,
  consumeRecoveryCode,
  consumeSignInCode,
  consumeTotpStep,
  countConfirmationAttempt,
  countSignInCodeAttempt,
  deletePendingTotp,
  deleteTotp,
  type Factors,
  findFactors,
  findOwnerSince,
  findPendingTotp,
  findSignInCode,
  findTotpSecret,
  hasReplaceableFactor,
  insertTotp,
  lockFactors,
  lockPendingTotp,
  replaceRecoveryCodes,
  upsertConfirmationCode,
  upsertPendingTotp,
  upsertSignInCode,
} from './mfa.queries.ts';

export { countRecoveryCodes, hasReplaceableFactor } from './mfa.queries.ts';

/** The number of failed attempts in a row, over all second factors, after which they are locked like a password. */
const maximumAttempts = 5;
/** The same limit for all known devices of an account together. */
const maximumAttemptsOfDevices = 50;
const maximumCodeAttempts = 5;
const recoveryCodeCount = 10;

const issuer = 'OpenSocial';

/** A new secret to show. It takes effect once a code for it is submitted, within ten minutes. */
export const beginTotp = async ({ db, vault }: Parts, user: { id: number; email: string }) => {
  const secret = newTotpSecret();
  await upsertPendingTotp(db, user.id, vault.encrypt(secret));
  return toSetup(secret, user.email);
};

/**
 * A person who proves a factor. A browser that has signed in to the account before (`device`) has its own limit of
 * attempts: an attacker who knows the password can only exhaust the limit of unknown browsers.
 */
export type FactorUser = { userId: number; device: string | undefined };

/** A person in the middle of a sign-in. */
export type SignInUser = FactorUser & { signInId: number };

type TotpSetup = Omit<SignInUser, 'device'>;

/**
 * The secret that a sign-in may set up. It is derived from the sign-in, so that it is the same each time the page is
 * shown, and different for each sign-in.
 */
const signInTotpSecret = (vault: Parts['vault'], setup: TotpSetup): Buffer =>
  toTotpSecret(vault.sign(...totpSetupOf(setup)));

/** The same for every secret key: the key may have been changed since the page was shown. */
const signInTotpSecrets = (vault: Parts['vault'], setup: TotpSetup): Buffer[] =>
  vault.signatures(...totpSetupOf(setup)).map(toTotpSecret);

const totpSetupOf = ({ signInId, userId }: TotpSetup): Signed => ['totp-setup', `${signInId}\0${userId}`];

const toTotpSecret = (mac: string): Buffer => Buffer.from(mac, 'base64url').subarray(0, 20);

export const signInTotpSetup = ({ vault }: Parts, signInUser: TotpSetup, email: string) =>
  toSetup(signInTotpSecret(vault, signInUser), email);

const toSetup = (secret: Buffer, email: string) => ({
  key: toBase32(secret),
  img: `data:image/svg+xml;base64,${Buffer.from(renderSVG(totpAddress(secret, issuer, email), { border: 2 })).toString('base64')}`,
});

type TransactionStep = (tx: Transaction) => Promise<void>;

/** `beforeStore` checks inside the transaction whether the factor may be stored; `afterStore` runs in the same transaction. */
type StoreSteps = { beforeStore: TransactionStep; afterStore: TransactionStep };

/**
 * Confirms the shown secret and activates it. Returns the recovery codes, or undefined if the code is wrong or `key` is
 * not the secret that was shown.
 */
export const confirmTotp = async (
  parts: Parts,
  factorUser: FactorUser,
  code: string,
  { key, beforeStore, afterStore }: StoreSteps & { key: string },
): Promise<string[] | undefined> => {
  const { db, vault } = parts;
  const { userId } = factorUser;
  return withAttemptLimit(parts, factorUser, async () => {
    const pending = await findPendingTotp(db, userId);
    if (!pending) return undefined;
    const secret = vault.decrypt(pending);
    const step = totpStep(secret, code);
    if (step === undefined || !isSame(toBase32(secret), key)) return undefined;
    return db.transaction(async (tx) => {
      await beforeStore(tx);
      // The shown secret is compared, not its encryption: a rekey may have replaced that in the meantime.
      const shown = await lockPendingTotp(tx, userId);
      if (!shown || !vault.decrypt(shown).equals(secret)) return undefined;
      await deletePendingTotp(tx, userId);
      return activateTotp(tx, userId, { secret: vault.encrypt(secret), step }, afterStore);
    });
  });
};

/**
 * The same for the secret that was shown in a sign-in, if the account still has no factor. Both steps run while the account is locked.
 */
export const confirmSignInTotp = (
  parts: Parts,
  signInUser: SignInUser,
  code: string,
  { beforeStore, afterStore }: StoreSteps,
): Promise<string[] | undefined> => {
  const { db, vault } = parts;
  return withAttemptLimit(parts, signInUser, async () => {
    const [proven] = signInTotpSecrets(vault, signInUser).flatMap((secret) => {
      const step = totpStep(secret, code);
      return step === undefined ? [] : [{ secret: vault.encrypt(secret), step }];
    });
    if (!proven) return undefined;
    return db.transaction(async (tx) => {
      const factors = await lockFactors(tx, signInUser.userId);
      if (!factors || hasFactor(factors)) return undefined;
      await beforeStore(tx);
      return activateTotp(tx, signInUser.userId, proven, afterStore);
    });
  });
};

/** Whether an account has any factor, including recovery codes. */
const hasFactor = (factors: Factors): boolean => Object.values(factors).includes(true);

const activateTotp = async (
  tx: Transaction,
  userId: number,
  { secret, step }: { secret: Buffer; step: number },
  afterStore: TransactionStep,
): Promise<string[] | undefined> => {
  if (!(await insertTotp(tx, userId, secret, step))) return undefined;
  await afterStore(tx);
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

/** The owner of an account, and their IP address. */
export type AccountOwner = { user: { id: number; email: string; homeNetworkId: number }; address: string };

/** Notifies the person of a change of their second factors by mail, and records it in the audit log. */
export const reportFactorChange = async (
  tx: Transaction,
  { jobs, config }: Parts,
  { user, address }: AccountOwner,
  { subject, event }: { subject: string; event: string },
): Promise<void> => {
  await jobs.sendMail(tx, {
    to: user.email,
    ...mfaNotice(config.publicUrl, event),
    record: { kind: 'factor_changed' },
  });
  await recordOwnAudit(tx, user, address, { subject, new_data: { happened: event } });
};

/** Used by the profile and by the sign-in. */
export const reportTotpSetup = (tx: Transaction, parts: Parts, owner: AccountOwner): Promise<void> => {
  const event = 'An authenticator app was set up for your account.';
  return reportFactorChange(tx, parts, owner, { subject: 'own authenticator', event });
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
export const proveTotp = (parts: Parts, factorUser: FactorUser, code: string): Promise<boolean> =>
  withAttemptLimit(parts, factorUser, async () => {
    const { userId } = factorUser;
    const secret = await findTotpSecret(parts.db, userId);
    const step = secret && totpStep(parts.vault.decrypt(secret), code);
    return step !== undefined && (await consumeTotpStep(parts.db, userId, step));
  });

export const proveRecoveryCode = (parts: Parts, factorUser: FactorUser, code: string): Promise<boolean> =>
  withAttemptLimit(parts, factorUser, () => consumeRecoveryCode(parts.db, factorUser.userId, hashOf(code)));

/**
 * Counts an attempt before anything is compared, so that concurrent attempts are counted too. A success resets the
 * counter.
 */
const withAttemptLimit = async <T>({ db }: Parts, factorUser: FactorUser, prove: () => Promise<T>): Promise<T> => {
  await countFactorAttempt(db, factorUser);
  const proven = await prove();
  if (proven) await clearFactorAttempts(db, factorUser);
  return proven;
};

/**
 * Counts one attempt at a second factor, and refuses it if there were too many. Codes are counted before they are
 * compared. Passkeys cannot be guessed, so they call this only after a failure, and a lock does not stop a valid one.
 */
export const countFactorAttempt = (db: Parts['db'], factorUser: FactorUser): Promise<void> =>
  countAttempts(db, 'mfa', factorUser);

export const clearFactorAttempts = (db: Parts['db'], factorUser: FactorUser): Promise<void> =>
  clearAttemptCounters(db, 'mfa', factorUser);

type AttemptKind = 'mfa' | 'mfa-mail';

/**
 * Counter keys with their limits. Each known device has its own counter, and all share another one, so that many
 * devices do not multiply the attempts.
 */
const attemptCounters = (kind: AttemptKind, { userId, device }: FactorUser): [key: string, limit: number][] =>
  device === undefined
    ? [[`${kind}:${userId}`, maximumAttempts]]
    : [
        [`${kind}:${userId}:${device}`, maximumAttempts],
        [`${kind}:${userId}:devices`, maximumAttemptsOfDevices],
      ];

const countAttempts = async (db: Parts['db'], kind: AttemptKind, factorUser: FactorUser): Promise<void> => {
  for (const [key, limit] of attemptCounters(kind, factorUser)) await countAttemptOrThrow(db, key, limit);
};

const clearAttemptCounters = async (db: Parts['db'], kind: AttemptKind, factorUser: FactorUser): Promise<void> => {
  for (const [key] of attemptCounters(kind, factorUser)) await clearAttempts(db, key);
};

const countAttemptOrThrow = async (db: Parts['db'], key: string, limit: number): Promise<void> => {
  const { blockedFor } = await countAttempt(db, key, { limit });
  if (blockedFor > 0) throw new ApiError('too_many', { retryAfter: blockedFor });
};

/** The state of the code that was mailed last for a sign-in; undefined if none was. */
export const readSignInCode = ({ db }: Pick<Parts, 'db'>, { signInId }: Pick<SignInUser, 'signInId'>) =>
  findSignInCode(db, signInId, maximumCodeAttempts);

/**
 * A code to be mailed for one sign-in. Repeated requests are throttled. Undefined if one was mailed just before, which stays valid: a second
 * click must not invalidate the code that is already on its way.
 */
export const issueSignInCode = async (parts: Parts, signInUser: SignInUser): Promise<string | undefined> => {
  const { db, vault } = parts;
  if (((await readSignInCode(parts, signInUser))?.resendIn ?? 0) > 0) return undefined;
  await countAttempts(db, 'mfa-mail', signInUser);
  const code = newCode();
  const isStored = await upsertSignInCode(db, signInUser.signInId, vault.sign(...signInCodeOf(signInUser, code)));
  return isStored ? code : undefined;
};

const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

export const proveSignInCode = (parts: Parts, signInUser: SignInUser, code: string): Promise<boolean> => {
  const { signInId } = signInUser;
  return withAttemptLimit(parts, signInUser, async () => {
    const mac = await countSignInCodeAttempt(parts.db, signInId, maximumCodeAttempts);
    const given = signInCodeOf(signInUser, code.replaceAll(/\s/g, ''));
    const isRight = mac !== undefined && parts.vault.verify(...given, mac);
    if (!isRight || !(await consumeSignInCode(parts.db, signInId))) return false;
    await clearAttemptCounters(parts.db, 'mfa-mail', signInUser);
    return true;
  });
};

// ── The code that confirms an email address before email codes are turned on ─────────────────────────────────────────

/** A console session and its user. */
type SessionUser = { sessionId: number; userId: number };

/** Mails the code. It has its own throttle, so that it cannot exhaust the codes that a sign-in needs. */
export const mailConfirmationCode = async (
  { db, vault, jobs, config }: Parts,
  to: string,
  sessionUser: SessionUser,
): Promise<void> => {
  await countAttemptOrThrow(db, confirmationCodeKey(sessionUser), maximumAttempts);
  const code = newCode();
  await db.transaction(async (tx) => {
    await upsertConfirmationCode(tx, sessionUser.sessionId, vault.sign(...confirmationCodeOf(sessionUser, code)));
    await jobs.sendMail(tx, {
      to,
      ...confirmationCodeNotice(config.publicUrl, code),
      record: { kind: 'confirmation_code' },
      isAwaited: true,
    });
  });
};

/** Verifies the code. Returns a function that consumes it, for the transaction that turns on email codes. */
export const verifyConfirmationCode = async (
  { db, vault }: Parts,
  sessionUser: SessionUser,
  code: string,
): Promise<((tx: Transaction) => Promise<boolean>) | undefined> => {
  const mac = await countConfirmationAttempt(db, sessionUser.sessionId, maximumCodeAttempts);
  const given = confirmationCodeOf(sessionUser, code.replaceAll(/\s/g, ''));
  if (mac === undefined || !vault.verify(...given, mac)) return undefined;
  return async (tx) => {
    await clearAttempts(tx, confirmationCodeKey(sessionUser));
    return consumeConfirmationCode(tx, sessionUser.sessionId, mac);
  };
};

const confirmationCodeKey = ({ userId }: SessionUser): string => `mfa-confirm:${userId}`;

/** The input of a MAC. */
type Signed = [purpose: string, value: string];

const confirmationCodeOf = ({ sessionId, userId }: SessionUser, code: string): Signed => [
  'email-mfa',
  `${sessionId}\0${userId}\0${code}`,
];

/** The MAC binds a code to the person it was mailed to, not only to the sign-in. */
const signInCodeOf = ({ signInId, userId }: SignInUser, code: string): Signed => [
  'email-code',
  `${signInId}\0${userId}\0${code}`,
];

/** When an owner without a second factor starts to need one to sign in to the console; undefined for everybody else. */
export const findOwnerMfaDue = async (
  { db, config }: Pick<Parts, 'db' | 'config'>,
  userId: number,
): Promise<Date | undefined> => {
  if (config.ownerMfa.scope === 'off') return undefined;
  const factors = await findFactors(db, userId);
  if (!factors || factors.hasPasskey || factors.hasTotp || factors.emailMfa) return undefined;
  const owner = await findOwnerSince(db, userId);
  return owner && ownerMfaDue(config.ownerMfa, owner);
};

/** Whether an account has an authenticator app. */
export const hasTotp = async (db: Queryable, userId: number): Promise<boolean> =>
  (await findTotpSecret(db, userId)) !== undefined;
