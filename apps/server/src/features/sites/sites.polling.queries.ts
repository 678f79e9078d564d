import { eq, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { type siteChecks, type siteRefreshes, sites } from '../../database/schema.ts';

/** Requests that the server makes regularly to an address of each site. */
export type PollKind = {
  /** The state of each site: the requested address, and when it is requested next. */
  table: typeof siteRefreshes | typeof siteChecks;
  /** The address of a site; null if it has none. */
  address: SQLWrapper;
  /** Whether the address of a site is requested at all. */
  isPolled: SQL;
};

export type PollLimits = {
  /** Addresses in one claim: in total, of each network and of each host. */
  total: number;
  perNetwork: number;
  perHost: number;
};

/** Deletes states that belong to an address which the site no longer has. */
export const deleteFormerStates = (db: Queryable, { table, address }: PollKind, siteId?: number) =>
  db.execute(sql`
    delete from ${table} using ${sites} where ${sites.id} = ${table.site_id} and ${address} is distinct from ${table.url}
      and ${siteId === undefined ? sql`true` : eq(table.site_id, siteId)}`);

/** How long a claimed site is not claimed again. It is longer than a job can take. */
const lease = sql`interval '1 hour'`;

/**
 * Claims the sites that are due, grouped by network and address. Networks and hosts take turns, so that a network with very many sites
 * neither delays the others nor floods a host. The conflict clause decides if two servers claim at the same time.
 */
export const claimDueSites = async (
  db: Queryable,
  { table, address, isPolled }: PollKind,
  { total, perNetwork, perHost }: PollLimits,
) => {
  const { rows } = await db.execute<{ site_id: string; network_id: string; url: string }>(sql`
    with addressed as (
      select ${sites.id} as id, ${sites.network_id} as network_id, ${address} as url from ${sites}
      where ${sites.kind} = 'site' and ${isPolled} and ${address} is not null
    ), due as (
      select network_id, addressed.url, substring(addressed.url from '^[a-z]+://([[][^]]*[]]|[^/:?#]*)') as host,
        min(coalesce(next_at, '-infinity')) as since
      from addressed left join ${table} on site_id = id
      where coalesce(next_at, '-infinity') <= now()
      group by network_id, addressed.url
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
      insert into ${table} (site_id, url, next_at)
      select id, url, now() + ${lease} from addressed join chosen using (network_id, url) order by id
      on conflict (site_id) do update set next_at = excluded.next_at where ${table}.next_at <= now()
      returning site_id, url
    )
    select site_id, network_id, claimed.url from claimed join addressed on id = site_id order by network_id, site_id`);
  return rows.map(({ site_id, network_id, url }) => ({
    siteId: Number(site_id),
    networkId: Number(network_id),
    url,
  }));
};

/** Gives claimed sites back whose address was not requested. */
export const releaseSites = (db: Queryable, { table }: PollKind, siteIds: readonly number[]) =>
  db
    .update(table)
    .set({ next_at: sql`now()` })
    .where(inArray(table.site_id, [...siteIds]));
