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
import { recordAudit } from '../audit/audit.service.ts';
import { deleteGroupUserById, findGroupsOfUser, holdsUser, readGroups } from './groups.queries.ts';
import { putIntoGroup } from './groups.service.ts';

/** The groups of a user. */
export const userGroupRoutes = (bind: Bind, { db, config }: Parts): void => {
  bind(listUserGroups, ({ network, params }) => findGroupsOfUser(db, network.id, params.user_id));

  bind(listGroupsToAssignToUser, async ({ network, params: { user_id, keyword, lastid } }) => {
    const asked = { keyword, lastId: lastid, size: config.pageSize };
    const { rows, total } = await readGroups(db, network.id, not(holdsUser(user_id)), asked);
    return { groups: rows, all_groups: total };
  });

  bind(listGroupOptions, async ({ network, params }) => {
    const asked = { lastId: params.lastid, size: config.pageSize };
    const { rows } = await readGroups(db, network.id, sql`true`, asked);
    return { groups: rows };
  });

  bind(assignGroup, async ({ body: { group_id, user_id }, ...by }) => {
    await db.transaction((tx) => putIntoGroup(tx, by, group_id, user_id));
    return { message: 'The user is in the group.' };
  });

  bind(removeUserGroup, async ({ params: { id }, ...by }) => {
    await db.transaction(async (tx) => {
      const gone = await deleteGroupUserById(tx, id);
      if (!gone) throw new ApiError('not_found');
      await recordAudit(tx, { ...actorOf(by), action: 'delete', subject: 'user of a group', old_data: gone });
    });
    return { message: 'The user was removed from the group.' };
  });
};
