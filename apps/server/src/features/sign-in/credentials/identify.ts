import { Email } from '@opensocial/contract';
import type { RequestClient } from '../../../http/address.ts';
import { clearAttemptsAfterSuccess } from '../../../http/throttle.ts';
import type { Parts } from '../../../parts.ts';
import { verifyPassword } from '../../../secrets/passwords.ts';
import { findNamedPasskey, findSignInRefusal } from '../../passkeys/passkeys.authentication.service.ts';
import { renewHash } from '../../users/users.rehash.service.ts';
import { findAccountRefusal, isNonMember } from '../accounts/checks.ts';
import { logFailure } from '../accounts/login-log.ts';
import { findSiteAccountByEmail, findSiteAccountById, type SiteAccount } from '../accounts/site-accounts.queries.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import { attemptLimitOf, attemptsWithoutAccount, countAddressAttempt, countPasswordAttempt } from './attempt-limits.ts';
import { deviceOf } from './known-devices.ts';

export type Credentials = { email: string; password: string; device: string | undefined };

/**
 * Finds the account of a person who signs in with a password; undefined for every kind of refusal. Known and unknown addresses take the
 * same work, so that the response time does not disclose whether an account exists.
 */
export const identifyByPassword = async (
  parts: Parts,
  destination: Destination,
  credentials: Credentials,
  client: RequestClient,
): Promise<SiteAccount | undefined> => {
  const { db } = parts;
  const email = Email.safeParse(credentials.email).data;
  const user = await findSiteAccountByEmail(db, destination, email ?? '');
  const device = user && deviceOf(parts.vault, credentials.device, user);
  const addressKey = device === undefined ? await countAddressAttempt(db, client.address) : undefined;
  const attempt = await countPasswordAttempt(db, {
    email: email ?? credentials.email,
    limit: user ? attemptLimitOf(user.failedTries) : attemptsWithoutAccount,
    address: client.address,
    device,
  });
  const isRight = await verifyPassword(user?.passwordHash, credentials.password);
  const reason = refusalReason(destination, user, isRight, attempt.blockedFor > 0);
  if (reason !== undefined || !user) {
    // A known device is not counted by its address. Once it is locked it is, so that it cannot fill the login log.
    if (device !== undefined && attempt.blockedFor > 0) await countAddressAttempt(db, client.address);
    await logFailure(parts, destination, { typed: email, user, reason: reason ?? '', ...client });
    return undefined;
  }
  await renewHash(db, user, credentials.password);
  await clearAttemptsAfterSuccess(db, { own: attempt.keys, shared: addressKey });
  return user;
};

const refusalReason = (
  destination: Destination,
  user: SiteAccount | undefined,
  isRight: boolean,
  isLocked: boolean,
) => {
  // This comes before the lock: the number of attempts until the lock would tell the owners of the network whether there is an account.
  if (!user) return 'unknown address';
  if (isLocked) return 'account locked';
  if (!isRight) return 'wrong password';
  return findAccountRefusal({ user, destination })?.reason;
};

/**
 * Finds the account of a person who signs in with a passkey, which is password and second factor in one. A signature cannot be guessed,
 * so there is no lock: a valid passkey is accepted after any number of failed attempts of others. Only refusals count against the
 * client's address.
 */
export const identifyByPasskey = async (
  parts: Parts,
  destination: Destination,
  { answer, challenge }: { answer: string; challenge: Buffer },
  client: RequestClient,
): Promise<SiteAccount | undefined> => {
  const { db } = parts;
  const named = await findNamedPasskey(parts, answer);
  const user = named && (await findSiteAccountById(db, destination, named.passkey.user_id));
  const reason = user
    ? ((await findSignInRefusal(parts, named, challenge)) ?? findAccountRefusal({ user, destination })?.reason)
    : 'unknown passkey';
  if (reason === undefined) return user;
  await countAddressAttempt(db, client.address);
  // In a network that the person does not belong to, the line is the same as for an unknown passkey.
  const refused =
    user && !isNonMember({ user, destination }) ? { user, reason } : { user: undefined, reason: 'unknown passkey' };
  await logFailure(parts, destination, { ...refused, mfa: 'passkey', ...client });
  return undefined;
};
