import type { FindingCode } from '@opensocial/contract';
import type { FastifyRequest } from 'fastify';
import { clientOf, countedAddress, type RequestClient } from '../../../http/address.ts';
import { noteSubject } from '../../../http/error-pages.ts';
import { nextLineId } from '../../../identity/login-attempts.ts';
import type { Parts } from '../../../parts.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import type { SignOnRefusal } from '../flow/sign-on-request.ts';
import { isNonMember, notMember, notOffered } from './checks.ts';
import type { SiteAccount } from './site-accounts.queries.ts';

/**
 * A failed sign-in. `typed` is the email address that was entered in this sign-in on a page of the network itself. `user` must have been
 * read for the same destination.
 */
type Failure = RequestClient & {
  id?: number;
  user: SiteAccount | undefined;
  typed?: string | undefined;
  reason: string;
  mfa?: string;
  /** The sign-in that the application asked for, and the second factor of the session, if that was the reason. */
  requested?: { contexts: readonly string[]; proven: string | null };
};

/** Writes a failed attempt to the login log. It counts as a visit to the site too. */
export const logFailure = async (parts: Parts, destination: Destination, failure: Failure): Promise<void> => {
  const { typed, requested, ...line } = redactNonMember(destination, failure);
  const email = line.user?.email ?? typed;
  recordDecision(parts, destination, { ...line, requested });
  await parts.recordLoginAttempt({ status: 'Failed', site: destination.site, mfa: null, ...line, email });
};

/** Writes the failed attempt of a request that is answered with an error page, and remembers it for the reference number of the page. */
export const logRefusal = async (
  parts: Parts,
  request: FastifyRequest,
  destination: Destination,
  failure: Omit<Failure, keyof RequestClient>,
): Promise<void> => {
  const id = await nextLineId(parts.db);
  const attempt = { ...failure, ...clientOf(request) };
  const { user } = redactNonMember(destination, attempt);
  noteSubject(request, {
    network: destination.network.name,
    siteId: destination.site.id,
    userId: user?.id,
    lineId: id,
  });
  await logFailure(parts, destination, { ...attempt, id });
};

/** The reasons in the login log for requests that ask for more than the person can satisfy. */
export const unmetRequests = {
  other_person: 'the application asked for another person',
  weak_authentication: 'the application asked for a stronger sign-in',
} satisfies Partial<Record<SignOnRefusal, string>>;

/**
 * The reasons that depend on how the site and its network are set up. Attempts that fail at the credentials are in the login log only:
 * anybody can make them, and nothing at the site would have to be changed.
 */
const findingsByReason: Record<string, FindingCode> = {
  [notMember]: 'not_member',
  [notOffered]: 'login_not_offered',
  'disabled in the network': 'person_disabled',
  'site disabled': 'site_disabled',
  'site closed': 'site_closed',
  'not in a group of the site': 'not_in_group',
  [unmetRequests.other_person]: 'other_person',
  [unmetRequests.weak_authentication]: 'authentication_weak',
};

const recordDecision = (
  { exchanges }: Parts,
  { site }: Destination,
  { user, reason, requested, address }: Omit<Failure, 'requested'> & { requested: Failure['requested'] },
): void => {
  const code = findingsByReason[reason];
  if (code === undefined) return;
  exchanges.record({
    site,
    userId: user?.id,
    step: 'decision',
    outcome: 'refused',
    code,
    isVerified: false,
    sender: countedAddress(address),
    facts: () => ({
      ...(requested && { contexts: [...requested.contexts] }),
      ...(requested?.proven && { proven: requested.proven }),
    }),
  });
};

/**
 * The owners of a network read its login log. For a person who is not a member, a line has only what was entered on a page of the
 * network: no account, no second factor, and no address that comes from a session, a passkey or another login. The reason is the one for
 * an unknown address, unless the reason discloses nothing about the account, or the person is authenticated and refused as not a member.
 */
const redactNonMember = (destination: Destination, failure: Failure): Failure => {
  const { id, user, reason, typed, address, userAgent } = failure;
  if (!user || !isNonMember({ user, destination })) return failure;
  const isNeutral = reason === notMember || reason === notOffered;
  const line = { user: undefined, typed, reason: isNeutral ? reason : 'unknown address', address, userAgent };
  return id === undefined ? line : { id, ...line };
};
