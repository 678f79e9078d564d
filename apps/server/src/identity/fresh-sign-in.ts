import { ApiError } from '@opensocial/contract';
import type { Actor } from './actor.ts';

/** How long a sign-in counts as fresh, in milliseconds. */
export const freshFor = 10 * 60_000;

/** Requires a recent sign-in for a change that removes a protection. A session that was left open is not enough. */
export const assertFreshSignIn = ({ session }: Actor): void => {
  if (Date.now() - session.authenticatedAt.getTime() > freshFor) throw new ApiError('reauth_required');
};
