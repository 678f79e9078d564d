import { ApiError, type Counting, maximumGroupCount } from '@opensocial/contract';
import { and, asc, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { contains, containsFolded, containsPlainly, readPage } from '../../database/paging.ts';
import { groupSites, groups, groupUsers, sites, users } from '../../database/schema.ts';
import { isMember } from '../../identity/membership.ts';

const groupFields = {
  id: groups.id,
  name: groups.name,
  description: groups.description,
  sso_server: groups.network_id,
};

/** Counts the rows of a table that belong to the group of a row, up to one more than the maximum. */
const countUpTo = (table: typeof groupUsers | typeof groupSites) =>
  nested<number>(sql`(select count(*) from
    (select from ${table} where ${table.group_id} = ${groups.id} limit ${maximumGroupCount + 1}) as counted)`).mapWith(
    Number,
  );

export type GroupsQuery = { keyword?: string | undefined; counting?: Counting; lastId: number; size: number };

/** The groups of a network that match the condition `picked`. */
export const readGroups = (db: Queryable, networkId: number, picked: SQL, query: GroupsQuery) =>
  readPage(db, groups, groupFields, listingOf(networkId, picked, query));

/** All groups of a network, with the numbers of their users and sites. */
export const readCountedGroups = (db: Queryable, networkId: number, query: GroupsQuery) =>
  readPage(
    db,
    groups,
    { ...groupFields, user_count: countUpTo(groupUsers), site_count: countUpTo(groupSites) },
    listingOf(networkId, sql`true`, query),
  );

const listingOf = (networkId: number, picked: SQL, { keyword, ...page }: GroupsQuery) => ({
  order: { by: groups.name, id: groups.id },
  scope: sql`${groups.network_id} = ${networkId} and ${picked}`,
  match: or(contains(groups.name, keyword), contains(groups.description, keyword)),
  ...page,
});

export const hasGroup = (siteId: number): SQL =>
  sql`exists (select 1 from ${groupSites} where ${groupSites.group_id} = ${groups.id} and ${groupSites.site_id} = ${siteId})`;

/** Returns false if the site was already assigned. */
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

/**
 * Whether a site has only this group; without a group it is open to everybody in the network. The sites stay locked
 * until the transaction ends, so that two concurrent requests cannot each remove one of the last two groups.
 */
export const isLastGroup = async (tx: Queryable, groupId: number, siteId?: number): Promise<boolean> => {
  const sitesOfGroup = await tx
    .select({ id: sites.id })
    .from(sites)
    .innerJoin(groupSites, eq(groupSites.site_id, sites.id))
    .where(and(eq(groupSites.group_id, groupId), siteId === undefined ? undefined : eq(sites.id, siteId)))
    .orderBy(asc(sites.id))
    .for('update', { of: sites });
  if (sitesOfGroup.length === 0) return false;
  const ids = sitesOfGroup.map(({ id }) => id);
  const shared = await tx
    .selectDistinct({ id: groupSites.site_id })
    .from(groupSites)
    .where(and(inArray(groupSites.site_id, ids), ne(groupSites.group_id, groupId)));
  return shared.length < ids.length;
};

export const countGroups = (db: Queryable, networkId: number, ids: number[]) =>
  db.$count(groups, and(eq(groups.network_id, networkId), sql`${groups.id} = any(${sql.param(ids)})`));

export const hasUser = (userId: number): SQL =>
  sql`exists (select 1 from ${groupUsers} where ${groupUsers.group_id} = ${groups.id} and ${groupUsers.user_id} = ${userId})`;

/** Returns false if the user was already in the group. */
export const insertGroupUser = async (tx: Queryable, groupId: number, userId: number): Promise<boolean> => {
  const { rowCount } = await tx.insert(groupUsers).values({ group_id: groupId, user_id: userId }).onConflictDoNothing();
  return rowCount === 1;
};

/** The groups of a network that a user is in; `id` is the id of the membership. */
export const findGroupsOfUser = (db: Queryable, networkId: number, userId: number) =>
  db
    .select({
      id: groupUsers.id,
      group_id: groups.id,
      group_name: groups.name,
      description: groups.description,
    })
    .from(groupUsers)
    .innerJoin(groups, eq(groups.id, groupUsers.group_id))
    .where(and(eq(groupUsers.user_id, userId), eq(groups.network_id, networkId)))
    .orderBy(asc(groups.name), asc(groups.id));

/** Deletes a membership and returns it, or undefined if it no longer exists. */
export const deleteGroupUserById = async (tx: Queryable, id: number) => {
  const [deleted] = await tx.delete(groupUsers).where(eq(groupUsers.id, id)).returning();
  return deleted;
};

/** Locks groups by name, compared as in the unique index, so that none can be deleted until the transaction ends. */
export const lockGroupsByName = (tx: Queryable, networkId: number, names: readonly string[]) =>
  tx
    .select({ id: groups.id, name: groups.name })
    .from(groups)
    .where(
      and(
        eq(groups.network_id, networkId),
        sql`lower(${groups.name}) = any(${sql.param(names.map((name) => name.trim().toLowerCase()))})`,
      ),
    )
    .orderBy(asc(groups.name))
    .for('key share');

/** Inserts many memberships; existing ones stay. */
export const insertGroupUsers = async (
  tx: Queryable,
  pairs: readonly { group: number; user: number }[],
): Promise<void> => {
  if (pairs.length === 0) return;
  await tx.execute(sql`insert into ${groupUsers} (group_id, user_id)
    select * from unnest(${sql.param(pairs.map(({ group }) => group))}::bigint[], ${sql.param(pairs.map(({ user }) => user))}::bigint[])
    order by 1, 2 on conflict do nothing`);
};

/** A group that the access check has already found. */
export const getGroup = async (db: Queryable, id: number) => {
  const [group] = await db.select(groupFields).from(groups).where(eq(groups.id, id));
  if (!group) throw new ApiError('not_found');
  return group;
};

/** The same, locked until the transaction ends. */
export const lockGroup = async (tx: Queryable, id: number) => {
  const [group] = await tx.select(groupFields).from(groups).where(eq(groups.id, id)).for('update');
  if (!group) throw new ApiError('not_found');
  return group;
};

/** The sites whose testers during maintenance are the members of a group. */
export const findSitesWithTesters = (tx: Queryable, groupId: number) =>
  tx.select({ id: sites.id, domain: sites.domain }).from(sites).where(eq(sites.testers_group_id, groupId));

export const insertGroup = async (tx: Queryable, draft: typeof groups.$inferInsert) => {
  const [group] = await tx.insert(groups).values(draft).returning(groupFields);
  if (!group) throw new Error('The insert returned no group.');
  return group;
};

export const updateGroup = async (tx: Queryable, id: number, changes: { name: string; description: string }) => {
  const [changed] = await tx.update(groups).set(changes).where(eq(groups.id, id)).returning(groupFields);
  if (!changed) throw new ApiError('not_found');
  return changed;
};

export const deleteGroup = (tx: Queryable, id: number) => tx.delete(groups).where(eq(groups.id, id));

const inGroup = (groupId: number): SQL =>
  sql`exists (select 1 from ${groupUsers} where ${groupUsers.user_id} = ${users.id} and ${groupUsers.group_id} = ${groupId})`;

/** The members of a network who are in a group, or those who are not. */
export const readUsersOfGroup = (
  db: Queryable,
  networkId: number,
  groupId: number,
  isIn: boolean,
  { keyword, ...page }: GroupsQuery,
) => {
  const picked = isIn ? inGroup(groupId) : sql`not ${inGroup(groupId)}`;
  return readPage(
    db,
    users,
    { id: users.id, fullname: users.fullname, email: users.email },
    {
      order: { by: users.fullname, id: users.id },
      scope: sql`${isMember(users.id, networkId)} and ${picked}`,
      match: containsFolded(users, keyword),
      matchInOrder: isIn || keyword === undefined ? undefined : containsPlainly(users.searched, keyword),
      ...page,
    },
  );
};

/** The sites of a network that belong to a group, or those that do not. */
export const readSitesOfGroup = (
  db: Queryable,
  networkId: number,
  groupId: number,
  isIn: boolean,
  { keyword, ...page }: GroupsQuery,
) => {
  const isInThisGroup = sql`exists (select 1 from ${groupSites} where ${groupSites.site_id} = ${sites.id} and ${groupSites.group_id} = ${groupId})`;
  return readPage(
    db,
    sites,
    { id: sites.id, domain: sites.domain, site_name: sites.site_name },
    {
      order: { by: sites.domain, id: sites.id },
      scope: sql`${sites.network_id} = ${networkId} and ${sites.kind} = 'site' and ${isIn ? isInThisGroup : sql`not ${isInThisGroup}`}`,
      match: or(contains(sites.domain, keyword), contains(sites.site_name, keyword)),
      ...page,
    },
  );
};

export const deleteGroupUser = async (tx: Queryable, groupId: number, userId: number): Promise<boolean> => {
  const { rowCount } = await tx
    .delete(groupUsers)
    .where(and(eq(groupUsers.group_id, groupId), eq(groupUsers.user_id, userId)));
  return rowCount === 1;
};
