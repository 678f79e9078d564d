import { ApiError } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import type { Actor } from '../../identity/actor.ts';
import { isOpen } from './session.queries.ts';

export { assertFreshSignIn, freshFor } from '../../identity/fresh-sign-in.ts';
export { deleteStaleSessions } from './session.queries.ts';

/** Within the transaction of a change that began a while ago: refuses it if the session has been ended in the meantime. */
export const assertOpen = async (tx: Queryable, { session }: Actor): Promise<void> => {
  if (!(await isOpen(tx, session.id))) throw new ApiError('auth_required');
};
