import type { NetworkMode } from '@opensocial/contract';
import { type AnyColumn, or, type SQL, sql } from 'drizzle-orm';
import { groupSites, groupUsers, sites, siteVisits } from '../../database/schema.ts';

/** A site without groups is open to the whole network, otherwise only to members of its groups. */
export const allowsUser = (userId: number | AnyColumn): SQL | undefined =>
  or(
    sql`not exists (select 1 from ${groupSites} where ${groupSites.site_id} = ${sites.id})`,
    sql`exists (select 1 from ${groupSites} join ${groupUsers} on ${groupUsers.group_id} = ${groupSites.group_id}
      where ${groupSites.site_id} = ${sites.id} and ${groupUsers.user_id} = ${userId})`,
  );

export const visitedBy = (userId: number): SQL =>
  sql`exists (select 1 from ${siteVisits} where ${siteVisits.site_id} = ${sites.id} and ${siteVisits.user_id} = ${userId})`;

/** The desktop's sites that a mode shows to a user (§4). */
export const shownIn = (mode: NetworkMode, userId: number): SQL | undefined =>
  ({ AdminManaged: allowsUser(userId), All: undefined, Visited: visitedBy(userId) })[mode];
