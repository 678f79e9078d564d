import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { groupSites, groupUsers, memberships, sites, trash, trashRows } from '../../database/schema.ts';

/** Groups and sites that belong together. */
type Pair = { group_id: number; site_id: number };

/** What a change does to the groups of sites, before it is made. All objects belong to the network. */
export type GroupChange = {
  assigned: readonly Pair[];
  unassigned: readonly Pair[];
  /** Groups that are deleted. */
  deleted: readonly number[];
  /** Entries of the trash that are restored. */
  restored: readonly number[];
};

export type ChangedSite = {
  id: number;
  name: string;
  domain: string;
  /** Whether the site has no group afterwards; otherwise it gets its first one. */
  is_opened: boolean;
  /** The groups that the site gets. Those of the trash are negative. */
  group_ids: number[];
};

const toPairs = (pairs: readonly Pair[]): SQL => sql`
  select * from unnest(${sql.param(pairs.map(({ group_id }) => group_id))}::bigint[],
    ${sql.param(pairs.map(({ site_id }) => site_id))}::bigint[]) as pair (group_id, site_id)`;

const numbers = (ids: readonly number[]): SQL => sql`${sql.param([...ids])}::bigint[]`;

/**
 * The sites of a network that get their first group or lose their last one, by domain. A site without a group can be entered by the whole
 * network, so that both decide about people who are in none of these groups.
 */
export const findChangedSites = async (
  db: Queryable,
  networkId: number,
  { assigned, unassigned, deleted, restored }: GroupChange,
): Promise<ChangedSite[]> => {
  const { rows } = await db.execute<Omit<ChangedSite, 'id' | 'group_ids'> & { id: string; group_ids: string[] }>(sql`
    with lost as (
      select group_id, site_id from ${groupSites}
      where group_id = any (${numbers(deleted)}) or (group_id, site_id) in (${toPairs(unassigned)})
    ), gained as (
      ${toPairs(assigned)} except select group_id, site_id from ${groupSites}
      union
      select -entry.id, (copied.row ->> 'site_id')::bigint from ${trash} as entry join ${trashRows} as copied on copied.trash_id = entry.id
      where entry.network_id = ${networkId} and entry.id = any (${numbers(restored)}) and entry.kind = 'group'
        and copied.table_name = 'group_sites'
    ), changed as (
      select site_id, 0 as lost, 1 as gained, group_id from gained
      union all select site_id, 1, 0, null from lost
    ), counted as (
      select site_id, sum(lost) as lost, sum(gained) as gained,
        coalesce(array_agg(group_id) filter (where group_id is not null), '{}') as group_ids,
        (select count(*) from ${groupSites} as present where present.site_id = changed.site_id) as present
      from changed group by site_id
    )
    select site.id, site.site_name as name, site.domain, present > 0 as is_opened, counted.group_ids
    from counted join ${sites} as site on site.id = counted.site_id
    where site.network_id = ${networkId} and site.kind = 'site' and (present = 0) <> (present - lost + gained = 0)
    order by site.domain, site.id`);
  return rows.map(({ id, group_ids, ...site }) => ({ ...site, id: Number(id), group_ids: group_ids.map(Number) }));
};

const isActive = (networkId: number): SQL =>
  sql`member.network_id = ${networkId} and member.status = 'Confirmed' and member.user_mode = 'Active'`;

/**
 * How many active members of a network are in none of the groups. Only what the network knows of its members counts, and not the state of
 * their accounts elsewhere.
 */
const countOutside = async (db: Queryable, networkId: number, inGroups: SQL): Promise<number> => {
  const { rows } = await db.execute<{ people: string }>(sql`
    select count(*) as people from ${memberships} as member where ${isActive(networkId)} 
      and not exists (select 1 from (${inGroups}) as inside where inside.user_id = member.user_id)`);
  return Number(rows[0]?.people);
};

/** How many people gain or lose entry to a site: the members who are in none of the groups that it loses or gets. */
export const countChangedPeople = (db: Queryable, networkId: number, site: ChangedSite): Promise<number> => {
  const present = sql`select person.user_id from ${groupUsers} as person join ${groupSites} as assigned on assigned.group_id = person.group_id
    where assigned.site_id = ${site.id}`;
  if (site.is_opened) return countOutside(db, networkId, present);
  const inTrash = numbers(site.group_ids.filter((id) => id < 0).map((id) => -id));
  return countOutside(
    db,
    networkId,
    sql`select user_id from ${groupUsers} where group_id = any (${numbers(site.group_ids.filter((id) => id > 0))})
      union select (row ->> 'user_id')::bigint as user_id from ${trashRows} where trash_id = any (${inTrash}) and table_name = 'group_users'`,
  );
};
