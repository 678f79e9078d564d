import { ApiError } from '@opensocial/contract';
import { asc, eq } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { groupSites, groups, users } from '../../database/schema.ts';
import { isOwnerOfNetwork } from '../../identity/membership.ts';
import { isInactive } from '../settings/settings.service.ts';

/** The names of the groups of a site, at most `limit` of them, and how many groups there are. */
export const findSiteGroups = async (
  db: Queryable,
  siteId: number,
  limit: number,
): Promise<{ names: string[]; total: number }> => {
  const rows = await db
    .select({ name: groups.name })
    .from(groupSites)
    .innerJoin(groups, eq(groups.id, groupSites.group_id))
    .where(eq(groupSites.site_id, siteId))
    .orderBy(asc(groups.name))
    .limit(limit);
  const total = rows.length < limit ? rows.length : await db.$count(groupSites, eq(groupSites.site_id, siteId));
  return { names: rows.map(({ name }) => name), total };
};

/** What decides whether a member sees the desktop of a network, besides the state that the user panel shows. */
export const getViewer = async (db: Queryable, networkId: number, userId: number) => {
  const [found] = await db
    .select({
      isOwner: nested<boolean>(isOwnerOfNetwork(users.id, networkId)),
      isInactive: nested<boolean>(isInactive),
    })
    .from(users)
    .where(eq(users.id, userId));
  if (!found) throw new ApiError('not_found');
  return found;
};
