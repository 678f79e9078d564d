import { ApiError } from '@opensocial/contract';
import { setPasswordLink } from '@opensocial/contract/mail';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { recoveryNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { operator, recordAudits } from '../audit/audit.service.ts';
import { findOwnerships, type Ownership } from '../owners/owners.service.ts';
import { unlockAccount } from '../sign-in/sign-in.service.ts';
import {
  endSessions,
  findAccountByEmail,
  findUserForUpdate,
  type UserRecord,
  updateMembership,
  updateUser,
} from './users.queries.ts';
import { deleteFactors } from './users.security.queries.ts';
import { issueTokens } from './users.service.ts';

const linkHours = 1;

/** An owner who cannot sign in any more. `isDisabled`: no ownership is in effect, because the account or its memberships are not active. */
type LockedOutOwner = { user: UserRecord; ownerships: Ownership[]; isDisabled: boolean };

type RecoveryOptions = { enables: boolean };

/** Finds the account of an owner, or says why it cannot be recovered. */
export const findLockedOutOwner = async (
  db: Queryable,
  email: string,
  { enables }: RecoveryOptions,
): Promise<LockedOutOwner> => {
  const user = await findAccountByEmail(db, email);
  const ownerships = await findOwnerships(db, email);
  const [first] = ownerships;
  if (!first)
    throw new ApiError('not_found', {
      message: user
        ? `${email} is not an owner. Owners can send this person a link for a new password, and reset second factors, in the panel of the user.`
        : `There is no account with the address ${email}.`,
    });
  if (!user)
    throw new ApiError('not_found', {
      message: `${email} has not accepted the invitation yet. This makes a new link: npm run network -- invite ${first.network} --owner ${email}`,
    });
  const isDisabled = !ownerships.some(({ isEffective }) => isEffective);
  if (isDisabled && !enables)
    throw new ApiError('user_not_ready', { message: `The account ${email} is disabled. Add --enable to enable it.` });
  return { user, ownerships, isDisabled };
};

/**
 * Makes a link for a new password, and removes what the owner may have lost or somebody else may have: the password, the second factors and
 * all sessions. `enables` also makes account and memberships active again. The caller hands the link over, so it proves no mailbox.
 */
export const recoverOwner = async (
  tx: Transaction,
  parts: Parts,
  email: string,
  options: RecoveryOptions,
): Promise<{ link: string }> => {
  const found = await findLockedOutOwner(tx, email, options);
  const user = await findUserForUpdate(tx, found.user.id);
  if (!user) throw new ApiError('not_found');
  await updateUser(tx, user.id, {
    password_hash: null,
    // Otherwise the account could be disabled again because it was not used for long.
    reopened_at: new Date(),
    ...(found.isDisabled && { user_mode: 'Active', status: 'Confirmed' }),
  });
  if (found.isDisabled)
    for (const { networkId } of found.ownerships)
      await updateMembership(tx, networkId, user.id, { user_mode: 'Active', status: 'Confirmed' });
  await deleteFactors(tx, user.id);
  await endSessions(tx, parts.jobs, user.id);
  await unlockAccount(tx, user);
  const [issued] = await issueTokens(tx, [
    { userId: user.id, networkId: user.home_network_id, purpose: 'reset', hours: linkHours, isCopied: true },
  ]);
  await report(tx, parts, found);
  return { link: setPasswordLink(parts.config.publicUrl, { email, token: issued?.token ?? '' }) };
};

/** Tells the person, and the owners of each network that the person owns. Which factors there were is the person's own matter. */
const report = async (
  tx: Transaction,
  { jobs, config }: Parts,
  { user, ownerships, isDisabled }: LockedOutOwner,
): Promise<void> => {
  await jobs.sendMail(tx, {
    to: user.email,
    ...recoveryNotice(config.publicUrl),
    record: { kind: 'factors_reset', networkId: user.home_network_id },
  });
  await recordAudits(
    tx,
    ownerships.map(({ networkId }) => ({
      ...operator,
      network_id: networkId,
      action: 'update' as const,
      object: 'user' as const,
      subject: `user ${user.email} recovery`,
      new_data: { password: 'link', factors: 'removed', sessions: 'ended', ...(isDisabled && { user_mode: 'Active' }) },
    })),
  );
};
