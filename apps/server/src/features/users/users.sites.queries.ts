import type { Counting, NetworkMode } from '@opensocial/contract';
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { containsFolded, containsPlainly, exactly, readPage } from '../../database/paging.ts';
import { groupSites, groups, groupUsers, sites, siteVisits, users } from '../../database/schema.ts';
import { allowsUser, visitedBy } from '../sites/sites.service.ts';
import { countAllMembers, isListedIn, shownMode } from './users.queries.ts';

type SiteUsersQuery = { keyword?: string | undefined; counting?: Counting; lastId: number; size: number };

/** Members of the network who are in one of the site's groups, or all members if it has none. */
const ofSite = (networkId: number, siteId: number, hasGroups: boolean): SQL => {
  const isMember = isListedIn(networkId);
  const isInGroup = sql`exists (select 1 from ${groupSites} join ${groupUsers} on ${groupUsers.group_id} = ${groupSites.group_id}
    where ${groupSites.site_id} = ${siteId} and ${groupUsers.user_id} = ${users.id})`;
  return hasGroups ? sql`${isMember} and ${isInGroup}` : isMember;
};

export const readSiteUsers = async (
  db: Queryable,
  networkId: number,
  siteId: number,
  { keyword, ...page }: SiteUsersQuery,
) => {
  const hasGroups = (await db.$count(groupSites, eq(groupSites.site_id, siteId))) > 0;
  const fields = {
    id: users.id,
    fullname: users.fullname,
    email: users.email,
    status: shownMode(networkId),
    groups: nested<string>(sql`coalesce((select string_agg(${groups.name}, ', ' order by ${groups.name})
      from ${groupSites} join ${groupUsers} on ${groupUsers.group_id} = ${groupSites.group_id}
      join ${groups} on ${groups.id} = ${groupSites.group_id}
      where ${groupSites.site_id} = ${siteId} and ${groupUsers.user_id} = ${users.id}), '')`),
    visited: nested<string | null>(
      sql`(select ${siteVisits.last_at} from ${siteVisits} where ${siteVisits.site_id} = ${siteId} and ${siteVisits.user_id} = ${users.id})`,
    ),
  };
  return readPage(db, users, fields, {
    order: { by: users.fullname, id: users.id },
    scope: ofSite(networkId, siteId, hasGroups),
    match: containsFolded(users, keyword),
    matchInOrder: hasGroups || keyword === undefined ? undefined : containsPlainly(users.searched, keyword),
    count: hasGroups || keyword !== undefined ? undefined : async () => exactly(await countAllMembers(db, networkId)),
    ...page,
  });
};

export const deleteVisit = async (tx: Queryable, userId: number, siteId: number): Promise<boolean> => {
  const { rowCount } = await tx
    .delete(siteVisits)
    .where(and(eq(siteVisits.user_id, userId), eq(siteVisits.site_id, siteId)));
  return rowCount === 1;
};

/** The sites that a user may enter; while the mode is Visited, those that they have visited. */
export const sitesOf = (mode: NetworkMode, userId: number): SQL | undefined =>
  mode === 'Visited' ? visitedBy(userId) : allowsUser(userId);

/** The number of those sites, up to a limit. */
export const countSitesOfUser = async (
  db: Queryable,
  network: { id: number; mode: NetworkMode },
  userId: number,
  most: number,
): Promise<number> => {
  const { rows } = await db.execute<{ sites: string }>(sql`select count(*) as sites from (
    select 1 from ${sites} where ${and(eq(sites.network_id, network.id), eq(sites.kind, 'site'), sitesOf(network.mode, userId))}
    limit ${most}) as found`);
  return Number(rows[0]?.sites ?? 0);
};

export const findSitesOfUser = (db: Queryable, networkId: number, shown: SQL | undefined, most: number) =>
  db
    .select({
      id: sites.id,
      domain: sites.domain,
      site_name: sites.site_name,
      site_mode: sites.site_mode,
      status: sites.status,
    })
    .from(sites)
    .where(and(eq(sites.network_id, networkId), eq(sites.kind, 'site'), shown))
    .orderBy(asc(sites.domain), asc(sites.id))
    .limit(most);
