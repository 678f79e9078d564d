import { ApiError, assignSite, listGroupsToAssignToSite, listSiteGroups, unassignSite } from '@opensocial/contract';
import { not } from 'drizzle-orm';
import { actorOf } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { recordAudit, withNames } from '../audit/audit.service.ts';
import { assertFreshSignIn } from '../session/session.service.ts';
import { deleteGroupSite, hasGroup, insertGroupSite, isLastGroup, readGroups } from './groups.queries.ts';

/** The groups of a site. */
export const groupSiteRoutes = (bind: Bind, { db, config }: Parts): void => {
  const toQuery = ({ keyword, lastid }: { keyword?: string | undefined; lastid: number }) => ({
    keyword,
    lastId: lastid,
    size: config.pageSize,
  });

  bind(listSiteGroups, async ({ network, params }) => {
    const { rows, total, total_is_minimum } = await readGroups(
      db,
      network.id,
      hasGroup(params.site_id),
      toQuery(params),
    );
    return { groups: rows, all_groups: total, total_is_minimum };
  });

  bind(listGroupsToAssignToSite, async ({ network, params }) => {
    const { rows, total, total_is_minimum } = await readGroups(
      db,
      network.id,
      not(hasGroup(params.site_id)),
      toQuery(params),
    );
    return { groups: rows, all_groups: total, total_is_minimum };
  });

  bind(assignSite, async ({ body: { group_id, subscriber_id }, ...caller }) => {
    await db.transaction(async (tx) => {
      if (!(await insertGroupSite(tx, group_id, subscriber_id))) return;
      await recordAudit(tx, {
        ...actorOf(caller),
        action: 'create',
        object: 'group',
        subject: 'site of a group',
        new_data: await withNames(tx, caller.network.id, { group_id, site_id: subscriber_id }),
      });
    });
    return { message: 'The site was assigned to the group.' };
  });

  bind(unassignSite, async ({ params: { group_id, site_id }, ...caller }) => {
    await db.transaction(async (tx) => {
      if (await isLastGroup(tx, group_id, site_id)) assertFreshSignIn(caller.actor);
      if (!(await deleteGroupSite(tx, group_id, site_id))) throw new ApiError('not_found');
      await recordAudit(tx, {
        ...actorOf(caller),
        action: 'delete',
        object: 'group',
        subject: 'site of a group',
        old_data: await withNames(tx, caller.network.id, { group_id, site_id }),
      });
    });
    return { message: 'The site was removed from the group.' };
  });
};
