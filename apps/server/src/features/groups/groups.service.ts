import { ApiError } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import { actorOf, type By } from '../../http/actor.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { countGroups, insertGroupUser } from './groups.queries.ts';

export { holdGroupsNamed, insertGroupUser, insertGroupUsers } from './groups.queries.ts';

/** Groups that are named in a body are the network's own; one that is not answers as if it did not exist. */
export const assertGroupsOf = async (
  db: Queryable,
  networkId: number,
  groups: readonly { id: number }[] = [],
): Promise<void> => {
  const ids = [...new Set(groups.map(({ id }) => id))];
  if (ids.length > 0 && (await countGroups(db, networkId, ids)) !== ids.length) throw new ApiError('not_found');
};

/** Puts a user into a group, from whichever side it was asked for; twice is once. */
export const putIntoGroup = async (tx: Queryable, by: By, groupId: number, userId: number): Promise<void> => {
  if (!(await insertGroupUser(tx, groupId, userId))) return;
  await recordAudit(tx, {
    ...actorOf(by),
    action: 'create',
    subject: 'user of a group',
    new_data: { group_id: groupId, user_id: userId },
  });
};
