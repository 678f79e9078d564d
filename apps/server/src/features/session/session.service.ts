import { ApiError } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import { isOpen, type SessionRow } from './session.queries.ts';

export {
  ageLimit,
  consoleHours,
  consoleIdleMinutes,
  deleteStaleSessions,
  findSession,
  idleLimit,
  readSession,
  type SessionRow,
} from './session.queries.ts';

/** How long a sign-in counts as fresh, in milliseconds. */
export const freshFor = 10 * 60_000;

/** What takes a protection away needs somebody who has just proved who they are, not only a session that was left open. */
export const assertFreshSignIn = ({ authenticatedAt }: Pick<SessionRow, 'authenticatedAt'>): void => {
  if (Date.now() - authenticatedAt.getTime() > freshFor) throw new ApiError('reauth_required');
};

/** Within a change that began a while ago: whoever has ended this session meanwhile has come first. */
export const assertOpen = async (tx: Queryable, { id }: Pick<SessionRow, 'id'>): Promise<void> => {
  if (!(await isOpen(tx, id))) throw new ApiError('auth_required');
};
