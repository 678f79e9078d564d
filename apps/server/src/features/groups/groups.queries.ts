import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { contains, readPage } from '../../database/paging.ts';
import { groupSites, groups } from '../../database/schema.ts';

export const groupFields = {
  id: groups.id,
  name: groups.name,
  description: groups.description,
  sso_server: groups.network_id,
};

export type GroupsAsked = { keyword?: string | undefined; lastId: number; size: number };

/** The groups of a network that the scope picks. */
export const readGroups = (db: Queryable, networkId: number, picked: SQL, { keyword, ...page }: GroupsAsked) =>
  readPage(db, groups, groupFields, {
    order: { by: groups.name, id: groups.id },
    scope: sql`${groups.network_id} = ${networkId} and ${picked}`,
    match: or(contains(groups.name, keyword), contains(groups.description, keyword)),
    ...page,
  });

export const holdsSite = (siteId: number): SQL =>
  sql`exists (select 1 from ${groupSites} where ${groupSites.group_id} = ${groups.id} and ${groupSites.site_id} = ${siteId})`;

/** Whether it was not assigned before. */
export const insertGroupSite = async (tx: Queryable, groupId: number, siteId: number): Promise<boolean> => {
  const { rowCount } = await tx.insert(groupSites).values({ group_id: groupId, site_id: siteId }).onConflictDoNothing();
  return rowCount === 1;
};

export const deleteGroupSite = async (tx: Queryable, groupId: number, siteId: number): Promise<boolean> => {
  const { rowCount } = await tx
    .delete(groupSites)
    .where(and(eq(groupSites.group_id, groupId), eq(groupSites.site_id, siteId)));
  return rowCount === 1;
};
