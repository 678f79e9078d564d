import type { Factor } from '@opensocial/signin';
import type { FastifyRequest } from 'fastify';
import { addressOf, countedAddress } from '../../../http/address.ts';
import type { Parts } from '../../../parts.ts';
import { isNonMember } from '../accounts/checks.ts';
import type { SiteAccount } from '../accounts/site-accounts.queries.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import { acceptedFactors } from '../factors/accepted-factors.ts';

type MissingFactor = {
  destination: Destination;
  user: SiteAccount;
  proven: string | null;
  required: readonly Factor[] | undefined;
  /** A passive request is refused. Otherwise the person is asked for the factor. */
  isPassive: boolean;
};

/** Records for diagnosis that a person has to prove a second factor before the site gets an answer. */
export const recordMissingFactor = (
  { config, exchanges }: Pick<Parts, 'config' | 'exchanges'>,
  request: FastifyRequest,
  { destination, user, proven, required, isPassive }: MissingFactor,
): void => {
  // Owners must not learn that a person of another network was here.
  if (isNonMember({ user, destination })) return;
  exchanges.record({
    site: destination.site,
    userId: user.id,
    step: 'decision',
    outcome: isPassive ? 'refused' : 'waiting',
    code: 'factor_missing',
    isVerified: false,
    sender: countedAddress(addressOf(request)),
    facts: () => ({
      acceptedFactors: [...acceptedFactors(config, destination, user, required)],
      ...(proven !== null && { proven }),
    }),
  });
};
