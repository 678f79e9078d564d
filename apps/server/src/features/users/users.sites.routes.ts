import {
  ApiError,
  delinkSiteUser,
  listAllSiteUsers,
  listSiteUsers,
  listUserSites,
  maximumFlatRows,
  type SiteUser,
} from '@opensocial/contract';
import { actorOf } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { recordAudit, withNames } from '../audit/audit.service.ts';
import { deleteVisit, findSitesOfUser, readSiteUsers, sitesOf } from './users.sites.queries.ts';

type Row = Awaited<ReturnType<typeof readSiteUsers>>['rows'][number];

const toSiteUser = (row: Row): SiteUser => ({
  ...row,
  name: row.fullname,
  visited: row.visited && new Date(row.visited).toISOString(),
});

/** Refuses a list that is too long instead of returning a part of it. */
const assertFlatList = <R>(rows: R[]): R[] => {
  if (rows.length > maximumFlatRows) throw new ApiError('list_too_long');
  return rows;
};

/** The users of a site. */
export const userSiteRoutes = (bind: Bind, { db, config }: Parts): void => {
  const size = config.pageSize;

  bind(listSiteUsers, async ({ network, params: { siteId, keyword, lastid }, query }) => {
    const { rows, total, total_is_minimum } = await readSiteUsers(db, network.id, siteId, {
      keyword,
      lastId: lastid,
      size,
      counting: query.count,
    });
    return { users: rows.map(toSiteUser), all_users: total, total_is_minimum };
  });

  bind(listAllSiteUsers, async ({ network, params: { siteId } }) => {
    const { rows } = await readSiteUsers(db, network.id, siteId, { lastId: 0, size: maximumFlatRows + 1 });
    return assertFlatList(rows).map(toSiteUser);
  });

  bind(listUserSites, async ({ network, params: { user_id } }) => {
    const shown = sitesOf(network.mode, user_id);
    return assertFlatList(await findSitesOfUser(db, network.id, shown, maximumFlatRows + 1));
  });

  bind(delinkSiteUser, async ({ params: { userId, siteId }, ...caller }) => {
    if (caller.network.mode !== 'Visited') throw new ApiError('not_visited_mode');
    await db.transaction(async (tx) => {
      if (!(await deleteVisit(tx, userId, siteId))) throw new ApiError('not_found');
      await recordAudit(tx, {
        ...actorOf(caller),
        action: 'delete',
        object: 'user',
        subject: 'visit of a user to a site',
        old_data: await withNames(tx, caller.network.id, { user_id: userId, site_id: siteId }),
      });
    });
    return { message: 'The site was removed from the desktop of the user.' };
  });
};
