import type { RequestClient } from '../../../http/address.ts';
import type { Parts } from '../../../parts.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import { isNonMember, notMember, notOffered } from './checks.ts';
import type { SiteAccount } from './site-accounts.queries.ts';

/**
 * A failed sign-in. `typed` is the email address that was entered in this sign-in on a page of the network itself. `user` must have been
 * read for the same destination.
 */
type Failure = RequestClient & {
  user: SiteAccount | undefined;
  typed?: string | undefined;
  reason: string;
  mfa?: string;
};

/** Writes a failed attempt to the login log. It counts as a visit to the site too. */
export const logFailure = async (parts: Parts, destination: Destination, failure: Failure): Promise<void> => {
  const { typed, ...line } = redactNonMember(destination, failure);
  const email = line.user?.email ?? typed;
  await parts.recordLoginAttempt({ status: 'Failed', site: destination.site, mfa: null, ...line, email });
};

/**
 * The owners of a network read its login log. For a person who is not a member, a line has only what was entered on a page of the
 * network: no account, no second factor, and no address that comes from a session, a passkey or another login. The reason is the one for
 * an unknown address, unless the reason discloses nothing about the account, or the person is authenticated and refused as not a member.
 */
const redactNonMember = (destination: Destination, failure: Failure): Failure => {
  const { user, reason, typed, address, userAgent } = failure;
  if (!user || !isNonMember({ user, destination })) return failure;
  const isNeutral = reason === notMember || reason === notOffered;
  return { user: undefined, typed, reason: isNeutral ? reason : 'unknown address', address, userAgent };
};
