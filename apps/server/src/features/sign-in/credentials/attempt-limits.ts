import { hash } from 'node:crypto';
import { ApiError } from '@opensocial/contract';
import type { Database, Queryable } from '../../../database/connect.ts';
import { countedAddress, countedCustomer } from '../../../http/address.ts';
import { clearAttemptsByPrefix, countAttempt, findFailures, findLockEnds } from '../../../http/throttle.ts';

/** The maximum of failed attempts in a row for every account, as NIST SP 800-63B requires, even if the network sets no limit. */
const maximumAttempts = 100;

/** The limit for an email address without an account. It equals the usual limit of accounts, so that the two cannot be told apart. */
export const attemptsWithoutAccount = 10;

/** The limit of one address. It is high because a whole organisation may share an address. */
const attemptsPerAddress = { limit: 100, decayPerMinute: 1 };

/** The factor by which the failures of all unknown devices together may exceed those of one address before the account is locked. */
const addressesToLock = 5;

/** The limit of an account by the setting of its network, where 0 is no limit. */
export const attemptLimitOf = (failedTries: number): number =>
  Math.min(failedTries || maximumAttempts, maximumAttempts);

/**
 * Counts an attempt of an address, and throws if the address has reached its limit. For a refusal it is called before the login log is
 * written, so that requests beyond the limit add no lines.
 */
export const countAddressAttempt = async (db: Database, address: string): Promise<string> => {
  const key = `address:${countedAddress(address)}`;
  const { blockedFor } = await countAttempt(db, key, attemptsPerAddress);
  if (blockedFor > 0) throw new ApiError('too_many', { retryAfter: blockedFor });
  return key;
};

type PasswordAttempt = { email: string; limit: number; address: string; device: string | undefined };

/**
 * Counts an attempt before the password is compared, so that concurrent guesses are counted too. Each attempt has two counters. A known
 * device has its own, and all known devices of an account share one with a limit of 100. Other browsers share one per address (for IPv6,
 * per /56 prefix) and one per account with five times the limit. An address that has reached its limit does not raise the counter of the
 * account, so that a single attacker locks out only their own address.
 */
export const countPasswordAttempt = async (
  db: Database,
  { email, limit, address, device }: PasswordAttempt,
): Promise<{ blockedFor: number; keys: string[] }> => {
  const account = accountKey(email);
  const [own, shared, sharedLimit] =
    device === undefined
      ? [`${account}:@${countedCustomer(address)}`, account, sharedLimitOf(limit)]
      : [`${account}:${device}`, `${account}:devices`, maximumAttempts];
  const keys = [own, shared];
  const counted = await countAttempt(db, own, { limit });
  if (counted.blockedFor > 0) return { ...counted, keys };
  return { ...(await countAttempt(db, shared, { limit: sharedLimit })), keys };
};

/** The failures of an account since its last success, how many lock it, and until when it is locked; null if it is not. */
export type AccountFailures = { email: string; failures: number; limit: number; lockedUntil: Date | null };

/** The failed attempts with passwords of unknown devices, for accounts that have any. */
export const findAccountFailures = async (
  db: Queryable,
  accounts: readonly { email: string; failedTries: number }[],
): Promise<AccountFailures[]> => {
  const counted = await findFailures(
    db,
    accounts.map(({ email }) => accountKey(email)),
  );
  return accounts.flatMap(({ email, failedTries }) => {
    const found = counted.get(accountKey(email));
    return found ? [{ email, limit: sharedLimitOf(attemptLimitOf(failedTries)), ...found }] : [];
  });
};

const sharedLimitOf = (limit: number): number => Math.min(limit * addressesToLock, maximumAttempts);

const accountKey = (email: string): string => `account:${hash('sha256', email)}`;

/** Resets all counters of an account, for passwords and second factors, on all devices. Returns whether there were any. */
export const unlockAccount = async (db: Queryable, user: { id: number; email: string }): Promise<boolean> => {
  const keys = [accountKey(user.email), `mfa:${user.id}`, `mfa-mail:${user.id}`];
  let deleted = 0;
  for (const key of keys) deleted += (await clearAttemptsByPrefix(db, key)).rowCount ?? 0;
  return deleted > 0;
};

/** Until when a browser that has not signed in to an account before is locked out; null if it is not. */
export type AccountLocks = { passwords: Date | null; codes: Date | null; mailedCodes: Date | null };

/** The locks of an account. A browser that has signed in before has its own counters, and passkeys have none. */
export const findAccountLocks = async (db: Queryable, user: { id: number; email: string }): Promise<AccountLocks> => {
  const keys = { passwords: accountKey(user.email), codes: `mfa:${user.id}`, mailedCodes: `mfa-mail:${user.id}` };
  const ends = await findLockEnds(db, Object.values(keys));
  const endOf = (key: string): Date | null => ends.get(key) ?? null;
  return { passwords: endOf(keys.passwords), codes: endOf(keys.codes), mailedCodes: endOf(keys.mailedCodes) };
};

/** Until when an account is locked for passwords or codes; null if it is not. */
export const findLockEnd = async (db: Queryable, user: { id: number; email: string }): Promise<Date | null> => {
  const { passwords, codes, mailedCodes } = await findAccountLocks(db, user);
  const ends = [passwords, codes, mailedCodes].flatMap((end) => end ?? []);
  return ends.length === 0 ? null : new Date(Math.max(...ends.map(Number)));
};
