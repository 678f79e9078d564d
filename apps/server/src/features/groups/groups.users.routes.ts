import {
  ApiError,
  assignGroup,
  listGroupOptions,
  listGroupsToAssignToUser,
  listUserGroups,
  removeUserGroup,
} from '@opensocial/contract';
import { not, sql } from 'drizzle-orm';
import { actorOf } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { recordAudit, withNames } from '../audit/audit.service.ts';
import { deleteGroupUserById, findGroupsOfUser, hasUser, readGroups } from './groups.queries.ts';
import { addToGroup } from './groups.service.ts';

/** The groups of a user. */
export const userGroupRoutes = (bind: Bind, { db, config }: Parts): void => {
  bind(listUserGroups, ({ network, params }) => findGroupsOfUser(db, network.id, params.user_id));

  bind(listGroupsToAssignToUser, async ({ network, params: { user_id, keyword, lastid } }) => {
    const query = { keyword, lastId: lastid, size: config.pageSize };
    const { rows, total, total_is_minimum } = await readGroups(db, network.id, not(hasUser(user_id)), query);
    return { groups: rows, all_groups: total, total_is_minimum };
  });

  bind(listGroupOptions, async ({ network, params }) => {
    const query = { lastId: params.lastid, size: config.pageSize };
    const { rows } = await readGroups(db, network.id, sql`true`, query);
    return { groups: rows };
  });

  bind(assignGroup, async ({ body: { group_id, user_id }, ...caller }) => {
    await db.transaction((tx) => addToGroup(tx, caller, group_id, user_id));
    return { message: 'The user is in the group.' };
  });

  bind(removeUserGroup, async ({ params: { id }, ...caller }) => {
    await db.transaction(async (tx) => {
      const deleted = await deleteGroupUserById(tx, id);
      if (!deleted) throw new ApiError('not_found');
      await recordAudit(tx, {
        ...actorOf(caller),
        action: 'delete',
        object: 'group',
        subject: 'user of a group',
        old_data: await withNames(tx, caller.network.id, deleted),
      });
    });
    return { message: 'The user was removed from the group.' };
  });
};
