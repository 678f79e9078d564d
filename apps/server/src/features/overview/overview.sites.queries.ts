import { and, eq, type SQL, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { loginLogDays, loginLogNames, sites, siteUseCounts, siteVisits } from '../../database/schema.ts';

const isSite = (networkId: number): SQL => sql`${sites.network_id} = ${networkId} and ${sites.kind} = 'site'`;

export const countSites = (db: Queryable, networkId: number): Promise<number> => db.$count(sites, isSite(networkId));

type SiteUse = typeof siteUseCounts.$inferSelect;

/**
 * The sites of a network with most successful sign-ins, and those that were never used, the newest first: no successful sign-in is in the
 * log, and no visit of a person is known, which outlives the log. The counters of the log are by domain. The rows of sites are wide, so only
 * the index by domain is read.
 */
export const countSiteUse = async (db: Queryable, networkId: number, most: number): Promise<SiteUse> => {
  const { rows } = await db.execute<{ total: string; unused: string; used_ids: string[]; unused_ids: string[] }>(sql`
    with used as materialized (
      select ${sites.id} as id, coalesce(named.succeeded, 0) as succeeded
      from ${sites} left join ${loginLogNames} as named on named.network_id = ${networkId} and named.kind = 'site'
        and named.name = lower(${sites.domain}) collate "C"
      where ${isSite(networkId)}
    ), unused as materialized (
      select id from used where succeeded = 0 and not exists (select 1 from ${siteVisits} where ${siteVisits.site_id} = used.id)
    )
    select (select count(*) from used) as total, (select count(*) from unused) as unused,
      array(select id from used where succeeded > 0 order by succeeded desc, id limit ${most}) as used_ids,
      array(select id from unused order by id desc limit ${most}) as unused_ids`);
  const [row] = rows;
  return {
    network_id: networkId,
    total: Number(row?.total ?? 0),
    unused: Number(row?.unused ?? 0),
    used_ids: (row?.used_ids ?? []).map(Number),
    unused_ids: (row?.unused_ids ?? []).map(Number),
    counted_at: new Date(),
  };
};

export const findSiteUse = async (db: Queryable, networkId: number): Promise<SiteUse | undefined> => {
  const [found] = await db.select().from(siteUseCounts).where(eq(siteUseCounts.network_id, networkId));
  return found;
};

export const upsertSiteUse = async (db: Queryable, use: SiteUse): Promise<void> => {
  const { network_id: _network, ...counted } = use;
  await db.insert(siteUseCounts).values(use).onConflictDoUpdate({ target: siteUseCounts.network_id, set: counted });
};

/** Networks with more sites than are counted while somebody waits, whose last count is older than an hour. */
export const findNetworksWithManySites = async (db: Queryable, fewest: number): Promise<number[]> => {
  const { rows } = await db.execute<{ id: string }>(sql`
    select ${sites.network_id} as id from ${sites} left join ${siteUseCounts} on ${siteUseCounts.network_id} = ${sites.network_id}
    where ${sites.kind} = 'site' and coalesce(${siteUseCounts.counted_at} < now() - interval '1 hour', true)
    group by 1 having count(*) > ${fewest}`);
  return rows.map(({ id }) => Number(id));
};

const linesWith = (status: 'succeeded' | 'failed') =>
  nested<number>(
    sql`coalesce((select ${loginLogNames[status]} from ${loginLogNames} where ${loginLogNames.network_id} = ${sites.network_id}
      and ${loginLogNames.kind} = 'site' and ${loginLogNames.name} = lower(${sites.domain}) collate "C"), 0)`,
  ).mapWith(Number);

/** Sites with the current numbers of their sign-ins. */
export const findSites = (db: Queryable, networkId: number, ids: readonly number[]) =>
  db
    .select({
      id: sites.id,
      site_name: sites.site_name,
      domain: sites.domain,
      created_at: sites.created_at,
      succeeded: linesWith('succeeded'),
      failed: linesWith('failed'),
    })
    .from(sites)
    .where(and(isSite(networkId), sql`${sites.id} = any(${sql.param([...ids])}::bigint[])`));

/** The first day of the log of a network, in UTC. */
export const findFirstDay = async (db: Queryable, networkId: number): Promise<string | null> => {
  const { rows } = await db.execute<{ day: string | null }>(
    sql`select min(${loginLogDays.day})::text as day from ${loginLogDays} where ${loginLogDays.network_id} = ${networkId}`,
  );
  return rows[0]?.day ?? null;
};
