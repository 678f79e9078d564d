import type { NetworkMode } from '@opensocial/contract';
import { and, asc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { groupSites, groupUsers, sites, siteVisits } from '../../database/schema.ts';

const ofNetwork = (networkId: number): SQL | undefined =>
  and(eq(sites.network_id, networkId), eq(sites.kind, 'site'), eq(sites.status, 'Active'));

export const findDesktopSites = (db: Queryable, networkId: number, shown?: SQL) =>
  db
    .select()
    .from(sites)
    .where(and(ofNetwork(networkId), isNotNull(sites.desktop_position), shown))
    .orderBy(asc(sites.desktop_position), asc(sites.id));

export const findAvailableSites = (db: Queryable, networkId: number) =>
  db
    .select({ id: sites.id, domain: sites.domain })
    .from(sites)
    .where(and(ofNetwork(networkId), isNull(sites.desktop_position)))
    .orderBy(asc(sites.domain), asc(sites.id));

/** A site with no group is open to the whole network; else to the members of its groups. */
const allowsUser = (userId: number): SQL | undefined =>
  or(
    sql`not exists (select 1 from ${groupSites} where ${groupSites.site_id} = ${sites.id})`,
    sql`exists (select 1 from ${groupSites} join ${groupUsers} on ${groupUsers.group_id} = ${groupSites.group_id}
      where ${groupSites.site_id} = ${sites.id} and ${groupUsers.user_id} = ${userId})`,
  );

const visitedBy = (userId: number): SQL =>
  sql`exists (select 1 from ${siteVisits} where ${siteVisits.site_id} = ${sites.id} and ${siteVisits.user_id} = ${userId})`;

/** Which of the desktop's sites a mode shows to a user. */
export const shownIn = (mode: NetworkMode, userId: number): SQL | undefined =>
  ({ AdminManaged: allowsUser(userId), All: undefined, Visited: visitedBy(userId) })[mode];
