import { ApiError } from '@opensocial/contract';
import type { SessionRow } from './session.queries.ts';

export {
  ageLimit,
  deleteStaleSessions,
  findSession,
  idleLimit,
  readSession,
  type SessionRow,
} from './session.queries.ts';

const freshFor = 10 * 60_000;

/** What takes a protection away needs somebody who has just proved who they are, not only a session that was left open. */
export const assertFreshSignIn = ({ authenticatedAt }: Pick<SessionRow, 'authenticatedAt'>): void => {
  if (Date.now() - authenticatedAt.getTime() > freshFor) throw new ApiError('reauth_required');
};
