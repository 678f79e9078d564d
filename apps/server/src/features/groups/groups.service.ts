import { ApiError } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import { countGroups } from './groups.queries.ts';

export { findGroupsNamed, insertGroupUser } from './groups.queries.ts';

/** Groups that are named in a body are the network's own; one that is not answers as if it did not exist. */
export const assertGroupsOf = async (
  db: Queryable,
  networkId: number,
  groups: readonly { id: number }[] = [],
): Promise<void> => {
  const ids = [...new Set(groups.map(({ id }) => id))];
  if (ids.length > 0 && (await countGroups(db, networkId, ids)) !== ids.length) throw new ApiError('not_found');
};
