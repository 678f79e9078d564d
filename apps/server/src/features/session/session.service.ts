import { ApiError } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import type { SessionRow } from '../../identity/console-sessions.ts';
import { isOpen } from './session.queries.ts';

export { deleteStaleSessions } from './session.queries.ts';

/** How long a sign-in counts as fresh, in milliseconds. */
export const freshFor = 10 * 60_000;

/** Requires a recent sign-in for a change that removes a protection. A session that was left open is not enough. */
export const assertFreshSignIn = ({ authenticatedAt }: Pick<SessionRow, 'authenticatedAt'>): void => {
  if (Date.now() - authenticatedAt.getTime() > freshFor) throw new ApiError('reauth_required');
};

/** Within the transaction of a change that began a while ago: refuses it if the session has been ended in the meantime. */
export const assertOpen = async (tx: Queryable, { id }: Pick<SessionRow, 'id'>): Promise<void> => {
  if (!(await isOpen(tx, id))) throw new ApiError('auth_required');
};
