import { ApiError } from '@opensocial/contract';
import type { Queryable, Transaction } from '../../database/connect.ts';
import type { mfaMethods } from '../../database/schema.ts';
import type { SessionRow } from '../../identity/console-sessions.ts';
import { freshFor } from '../session/session.service.ts';
import { ownLogin } from '../sign-in/sign-in.service.ts';
import { type Factors, findFactors, findIdentitySession, lockFactors, updateProvenFactor } from './mfa.queries.ts';

type Method = (typeof mfaMethods)[number];

/** The person whose factors are changed, and the console session that changes them. */
type FactorOwner = { user: { id: number }; session: Pick<SessionRow, 'sessionIndex' | 'authenticatedAt'> };

/**
 * The strength of each proof. A recovery code replaces a lost device, so it is as strong as the strongest factor. A
 * remembered browser proves nothing.
 */
const strengths: Record<Method, number> = { device: 0, email: 1, totp: 2, passkey: 3, recovery: 3 };
const strengthOf = (method: Method | null): number => (method === null ? 0 : strengths[method]);

type Factor = 'email' | 'totp' | 'passkey';

const strongestOf = ({ hasPasskey, hasTotp, emailMfa }: Factors): Factor | null => {
  if (hasPasskey) return 'passkey';
  if (hasTotp) return 'totp';
  return emailMfa ? 'email' : null;
};

/**
 * Required for adding or replacing a factor: the sign-in must be fresh, with email and password, and confirmed with the
 * strongest factor of the person. Somebody who has only the password, the mailbox or an open session must not be able
 * to add their own factor.
 */
export const assertStrongestProof = async (db: Queryable, owner: FactorOwner): Promise<void> => {
  const factors = await findFactors(db, owner.user.id);
  if (factors) await assertProof(db, owner, factors, strongestOf(factors));
};

/**
 * The same inside the transaction that stores the factor. It locks the account, so that a factor that was added
 * meanwhile counts.
 */
export const lockAndAssertStrongestProof = async (tx: Transaction, owner: FactorOwner): Promise<void> => {
  const factors = await lockFactors(tx, owner.user.id);
  if (factors) await assertProof(tx, owner, factors, strongestOf(factors));
};

/** Required for removing a factor: a weaker proof must not remove a stronger factor. It locks the account too. */
export const lockAndAssertRemovalProof = async (
  tx: Transaction,
  owner: FactorOwner,
  removed: Factor,
): Promise<void> => {
  const factors = await lockFactors(tx, owner.user.id);
  if (!factors) return;
  const strongest = strongestOf(factors);
  await assertProof(tx, owner, factors, strengthOf(strongest) < strengthOf(removed) ? strongest : removed);
};

/** Records a factor that was proven while it was set up, so that the session need not prove it again. */
export const recordProvenFactor = (tx: Transaction, { user, session }: FactorOwner, proven: Factor) => {
  const weaker = Object.entries(strengths).filter(([, strength]) => strength < strengths[proven]);
  return updateProvenFactor(
    tx,
    { userId: user.id, sessionIndex: session.sessionIndex },
    proven,
    weaker.map(([name]) => name),
  );
};

const assertProof = async (
  db: Queryable,
  { user, session }: FactorOwner,
  { hasRecoveryCodes }: Factors,
  needed: Factor | null,
): Promise<void> => {
  const identity = await findIdentitySession(db, user.id, session.sessionIndex);
  // Both must be fresh: a stolen console session does not become fresh because its owner signs in again elsewhere.
  const isFresh = isRecent(session.authenticatedAt) && identity !== undefined && isRecent(identity.authenticated_at);
  const isSocial = identity !== undefined && identity.login_from !== ownLogin;
  if (isFresh && !isSocial && strengthOf(identity.mfa) >= strengthOf(needed)) return;
  const stale = 'This change requires a sign-in within the last ten minutes. ';
  throw new ApiError('reauth_required', {
    message: `${isFresh ? '' : stale}${reauthenticationHint(needed, isSocial, hasRecoveryCodes)}`,
  });
};

const isRecent = (moment: Date): boolean => Date.now() - moment.getTime() <= freshFor;

const names: Record<Factor, string> = {
  passkey: 'your passkey',
  totp: 'your authenticator app',
  email: 'a code by email',
};

const reauthenticationHint = (needed: Factor | null, isSocial: boolean, hasRecoveryCodes: boolean): string => {
  if (needed === null) return 'Sign in again with your password.';
  const substitute = needed !== 'email' && hasRecoveryCodes ? ' A recovery code works too.' : '';
  return `Sign in again${isSocial ? ' with your password' : ''} and confirm with ${names[needed]}.${substitute}`;
};
