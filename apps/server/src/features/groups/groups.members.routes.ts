import {
  ApiError,
  assignUser,
  type Counting,
  type GroupSite,
  type GroupUser,
  listGroupSites,
  listGroupUsers,
  listSitesToAssign,
  listUsersToAssign,
  unassignUser,
} from '@opensocial/contract';
import { actorOf } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { recordAudit, withNames } from '../audit/audit.service.ts';
import { deleteGroupUser, readSitesOfGroup, readUsersOfGroup } from './groups.queries.ts';
import { addToGroup } from './groups.service.ts';

type Person = { id: number; fullname: string; email: string };

const toGroupUser = ({ id, fullname, email }: Person): GroupUser => ({
  id,
  user_id: id,
  user_full_name: fullname,
  user_email: email,
});

const toGroupSite =
  (groupId: number) =>
  ({ id, domain, site_name }: { id: number; domain: string; site_name: string }): GroupSite => ({
    id,
    subscriber_id: id,
    subscriber_url: domain,
    site_name,
    gid: groupId,
  });

/** The users and sites of a group. */
export const groupMemberRoutes = (bind: Bind, { db, config }: Parts): void => {
  const toQuery = ({ count, ...asked }: { keyword?: string | undefined; lastId: number; count?: Counting }) => ({
    ...asked,
    counting: count,
    size: config.pageSize,
  });

  bind(listGroupUsers, async ({ network, params, query }) => {
    const { rows, total, total_is_minimum } = await readUsersOfGroup(
      db,
      network.id,
      params.groupId,
      true,
      toQuery({ ...params, ...query }),
    );
    return { users: rows.map(toGroupUser), all_users: total, total_is_minimum };
  });

  bind(listUsersToAssign, async ({ network, params, query }) => {
    const { rows, total, total_is_minimum } = await readUsersOfGroup(
      db,
      network.id,
      params.groupId,
      false,
      toQuery({ ...params, ...query }),
    );
    return { users: rows.map(toGroupUser), all_users: total, total_is_minimum };
  });

  bind(listGroupSites, async ({ network, params }) => {
    const { rows, total, total_is_minimum } = await readSitesOfGroup(
      db,
      network.id,
      params.groupId,
      true,
      toQuery(params),
    );
    return { sites: rows.map(toGroupSite(params.groupId)), all_sites: total, total_is_minimum };
  });

  bind(listSitesToAssign, async ({ network, params }) => {
    const { rows, total, total_is_minimum } = await readSitesOfGroup(
      db,
      network.id,
      params.groupId,
      false,
      toQuery(params),
    );
    return { sites: rows, all_sites: total, total_is_minimum };
  });

  bind(assignUser, async ({ body: { group_id, user_id }, ...caller }) => {
    await db.transaction((tx) => addToGroup(tx, caller, group_id, user_id));
    return { message: 'The user is in the group.' };
  });

  bind(unassignUser, async ({ params: { groupId, userId }, ...caller }) => {
    await db.transaction(async (tx) => {
      if (!(await deleteGroupUser(tx, groupId, userId))) throw new ApiError('not_found');
      await recordAudit(tx, {
        ...actorOf(caller),
        action: 'delete',
        object: 'group',
        subject: 'user of a group',
        old_data: await withNames(tx, caller.network.id, { group_id: groupId, user_id: userId }),
      });
    });
    return { message: 'The user was removed from the group.' };
  });
};
