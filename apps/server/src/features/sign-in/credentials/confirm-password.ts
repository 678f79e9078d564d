import { ApiError } from '@opensocial/contract';
import { clearAttemptsAfterSuccess } from '../../../http/throttle.ts';
import type { Parts } from '../../../parts.ts';
import { verifyPassword } from '../../../secrets/passwords.ts';
import { findFailedTries } from '../accounts/site-accounts.queries.ts';
import { attemptLimitOf, countPasswordAttempt } from './attempt-limits.ts';
import { deviceOf } from './known-devices.ts';

/**
 * Checks the password of a person who is signed in. Wrong passwords count as they do on the sign-in page, so that a session that was left
 * open does not get around the lock.
 */
export const confirmPassword = async (
  { db, vault }: Pick<Parts, 'db' | 'vault'>,
  user: { id: number; uid: string; email: string; password_hash: string | null; credentials_at: Date },
  { password, device, address }: { password: string; device: string | undefined; address: string },
): Promise<void> => {
  const knownDevice = deviceOf(vault, device, { uid: user.uid, credentialsAt: user.credentials_at });
  const limit = attemptLimitOf(await findFailedTries(db, user.id));
  const { blockedFor, keys } = await countPasswordAttempt(db, {
    email: user.email,
    limit,
    address,
    device: knownDevice,
  });
  if (blockedFor > 0) throw new ApiError('too_many', { retryAfter: blockedFor });
  if (!(await verifyPassword(user.password_hash, password))) throw new ApiError('password_wrong');
  await clearAttemptsAfterSuccess(db, { own: keys, shared: undefined });
};
