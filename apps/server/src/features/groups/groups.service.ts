import type { Queryable } from '../../database/connect.ts';
import { assertOwn, type Named } from '../../database/named.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import { recordAudit, withNames } from '../audit/audit.service.ts';
import { countGroups, insertGroupUser } from './groups.queries.ts';

export { insertGroupUser, insertGroupUsers, lockGroupsByName } from './groups.queries.ts';

export const assertGroupsOf = (db: Queryable, networkId: number, named: Named): Promise<void> =>
  assertOwn(named, (ids) => countGroups(db, networkId, ids));

/** Adds a user to a group. Adding them again does nothing. */
export const addToGroup = async (tx: Queryable, caller: Caller, groupId: number, userId: number): Promise<void> => {
  if (!(await insertGroupUser(tx, groupId, userId))) return;
  await recordAudit(tx, {
    ...actorOf(caller),
    action: 'create',
    object: 'group',
    subject: 'user of a group',
    new_data: await withNames(tx, caller.network.id, { group_id: groupId, user_id: userId }),
  });
};
