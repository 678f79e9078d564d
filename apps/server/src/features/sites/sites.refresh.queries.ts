import { and, asc, eq, gt, inArray, lt, lte, or, sql } from 'drizzle-orm';
import { nested, type Queryable, type Transaction } from '../../database/connect.ts';
import { networks, refreshNotices, siteRefreshes, sites } from '../../database/schema.ts';

export type RefreshRecord = typeof siteRefreshes.$inferSelect;
export type RefreshNotice = Omit<typeof refreshNotices.$inferSelect, 'sent_at'>;

/** How long a claimed site is not claimed again. It is longer than a job can take. */
const lease = sql`interval '1 hour'`;

/** Deletes states that belong to an address which the site no longer has. */
export const deleteFormerRefreshes = (db: Queryable, siteId?: number) =>
  db.execute(sql`
    delete from ${siteRefreshes} using ${sites} where ${sites.id} = ${siteRefreshes.site_id}
      and ${sites.metadata_url} is distinct from ${siteRefreshes.url}
      and ${siteId === undefined ? sql`true` : eq(siteRefreshes.site_id, siteId)}`);

export type ClaimLimits = {
  /** Addresses in one claim: in total, of each network and of each host. */
  total: number;
  perNetwork: number;
  perHost: number;
};

/**
 * Claims the sites whose metadata is due, grouped by network and address. Networks and hosts take turns, so that a network with very many
 * sites neither delays the others nor floods a host. The conflict clause decides if two servers claim at the same time.
 */
export const claimDueSites = async (db: Queryable, { total, perNetwork, perHost }: ClaimLimits) => {
  const { rows } = await db.execute<{ site_id: string; network_id: string; url: string }>(sql`
    with due as (
      select network_id, metadata_url as url, substring(metadata_url from '^[a-z]+://([[][^]]*[]]|[^/:?#]*)') as host,
        min(coalesce(next_at, '-infinity')) as since
      from sites left join site_refreshes on site_id = id
      where kind = 'site' and metadata_url is not null and coalesce(next_at, '-infinity') <= now()
      group by network_id, metadata_url
    ), turns as (
      select *, row_number() over (partition by network_id order by since, url) as network_turn,
        row_number() over (partition by host, network_id order by since, url) as own_turn
      from due
    ), ranked as (
      select *, row_number() over (partition by host order by own_turn, since, network_id) as host_turn from turns
    ), chosen as (
      select network_id, url from ranked where network_turn <= ${perNetwork} and host_turn <= ${perHost}
      order by network_turn, since, url limit ${total}
    ), claimed as (
      insert into site_refreshes (site_id, url, next_at)
      select id, metadata_url, now() + ${lease} from sites join chosen
        on chosen.network_id = sites.network_id and chosen.url = sites.metadata_url
      where kind = 'site' order by id
      on conflict (site_id) do update set next_at = excluded.next_at where site_refreshes.next_at <= now()
      returning site_id, url
    )
    select site_id, network_id, claimed.url from claimed join sites on id = site_id order by network_id, site_id`);
  return rows.map(({ site_id, network_id, url }) => ({
    siteId: Number(site_id),
    networkId: Number(network_id),
    url,
  }));
};

/** Gives claimed sites back that were not read. */
export const releaseSites = (db: Queryable, siteIds: number[]) =>
  db.update(siteRefreshes).set({ next_at: sql`now()` }).where(inArray(siteRefreshes.site_id, siteIds));

/** Inserts the state of a site that has none yet. */
export const insertRefresh = (db: Queryable, siteId: number, url: string) =>
  db.insert(siteRefreshes).values({ site_id: siteId, url, next_at: sql`now()` }).onConflictDoNothing();

const isStateOfSite = and(eq(siteRefreshes.site_id, sites.id), eq(siteRefreshes.url, sites.metadata_url));

/** The sites with their states. A state of a former address is left out. */
export const findRefreshes = (db: Queryable, siteIds: number[]) =>
  db
    .select({ site: sites, state: siteRefreshes })
    .from(sites)
    .leftJoin(siteRefreshes, isStateOfSite)
    .where(inArray(sites.id, siteIds))
    .orderBy(asc(sites.id));

/** Another address may have been entered while the former one was read. */
export const updateRefresh = (
  db: Queryable,
  { site_id, url }: Pick<RefreshRecord, 'site_id' | 'url'>,
  changes: Partial<RefreshRecord>,
) =>
  db
    .update(siteRefreshes)
    .set(changes)
    .where(and(eq(siteRefreshes.site_id, site_id), eq(siteRefreshes.url, url)));

/** For the list of sites: a failure is shown once it has lasted for a day. */
export const metadataState = nested<'' | 'changed' | 'failed'>(
  sql`coalesce((select case when ${siteRefreshes.differences} > 0 then 'changed'
      when ${siteRefreshes.failing_since} < now() - interval '1 day' or ${siteRefreshes.valid_until} <= now() then 'failed' end
    from ${siteRefreshes} where ${siteRefreshes.site_id} = ${sites.id} and ${siteRefreshes.url} = ${sites.metadata_url}), '')`,
);

/** The next sites that owners may have to know about, by id. */
export const findReportable = (db: Queryable, lastId: number, size: number, failingSince: Date, now: Date) =>
  db
    .select({ site: sites, state: siteRefreshes, network: networks.name })
    .from(siteRefreshes)
    .innerJoin(sites, isStateOfSite)
    .innerJoin(networks, eq(networks.id, sites.network_id))
    .where(
      and(
        gt(sites.id, lastId),
        or(
          gt(siteRefreshes.differences, 0),
          lte(siteRefreshes.failing_since, failingSince),
          lte(siteRefreshes.valid_until, now),
        ),
      ),
    )
    .orderBy(asc(sites.id))
    .limit(size);

/** Inserts the notices that were not sent yet, and returns them. */
export const insertRefreshNotices = (tx: Transaction, notices: readonly RefreshNotice[]) =>
  tx
    .insert(refreshNotices)
    .values([...notices])
    .onConflictDoNothing()
    .returning({ site_id: refreshNotices.site_id, kind: refreshNotices.kind, digest: refreshNotices.digest });

/** After a year, a difference that still exists is reported again. */
export const deleteOldNotices = (db: Queryable) =>
  db.delete(refreshNotices).where(lt(refreshNotices.sent_at, sql`now() - interval '1 year'`));

/** The given sites that still exist. They are not deleted before the transaction ends. */
export const lockExisting = async (tx: Transaction, siteIds: number[]): Promise<Set<number>> => {
  const found = await tx
    .select({ id: sites.id })
    .from(sites)
    .where(inArray(sites.id, siteIds))
    .orderBy(asc(sites.id))
    .for('key share');
  return new Set(found.map(({ id }) => id));
};
