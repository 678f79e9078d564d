import { referenceDays } from '@opensocial/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../../database/connect.ts';
import { deleteInBatches } from '../../database/delete-in-batches.ts';
import { errorReferences, siteExchanges, unknownArrivals } from '../../database/schema.ts';
import { type ExchangeFacts, requestAccepted } from '../../identity/site-exchanges.ts';

export type Exchange = Pick<
  typeof siteExchanges.$inferSelect,
  'site_id' | 'user_id' | 'step' | 'outcome' | 'code' | 'is_verified' | 'digest' | 'times'
> & { at: string; facts: ExchangeFacts };

export type Arrival = {
  network: string;
  protocol: 'saml' | 'oidc';
  identity: string;
  address: string;
  times: number;
};

/** Rows are locked in the order of their keys, so that two servers cannot deadlock. Sites and people may be gone since then. */
const exchangesText = `
  insert into site_exchanges as former (site_id, user_id, step, outcome, code, is_verified, digest, times, first_at, last_at, facts)
  select given.site_id, given.user_id, given.step, given.outcome, given.code, given.is_verified, given.digest, given.times,
    given.at, given.at, given.facts
  from json_to_recordset($1::json) as given (site_id bigint, user_id bigint, step text, outcome text, code text, is_verified boolean,
    digest text, times integer, at timestamptz, facts jsonb)
  join sites as site on site.id = given.site_id
  left join users as person on person.id = given.user_id
  where given.user_id is null or person.id is not null
  order by given.site_id, given.digest
  on conflict (site_id, digest) do update
    set times = least(former.times::bigint + excluded.times, 1000000)::integer, last_at = greatest(former.last_at, excluded.last_at),
      facts = excluded.facts`;

export const upsertExchanges = ({ $client }: Database, exchanges: readonly Exchange[]) =>
  $client.query({ name: 'upsert_exchanges', text: exchangesText, values: [JSON.stringify(exchanges)] });

/** How many exchanges of each outcome a site keeps, and how many while it is watched. */
const kept = { refused: [50, 150], other: [5, 50] } as const;

/**
 * The exchanges of each kind take turns: the newest of every kind comes before the second newest of any. So a flood of one kind, or of
 * requests that anybody can send, does not displace the evidence of others.
 */
const trimText = `
  with ranked as (
    select exchange.id, exchange.site_id, exchange.outcome, exchange.last_at,
      exchange.code <> '${requestAccepted}' as is_shown, site.watched_until > now() as is_watched,
      row_number() over (partition by exchange.site_id, exchange.outcome, exchange.code, exchange.is_verified order by exchange.last_at desc, exchange.id desc) as rank
    from site_exchanges as exchange join sites as site on site.id = exchange.site_id
    where exchange.site_id = any ($1::bigint[])
  ), placed as (
    select id, row_number() over (partition by site_id, outcome, is_shown order by rank, last_at desc, id desc) as place,
      case when outcome = 'refused'
        then case when is_watched then ${kept.refused[1]} else ${kept.refused[0]} end
        else case when is_watched then ${kept.other[1]} else ${kept.other[0]} end end as maximum
    from ranked
  )
  delete from site_exchanges where id = any (array(select id from placed where place > maximum order by id))`;

export const trimExchanges = ({ $client }: Database, siteIds: readonly number[]) =>
  $client.query({ name: 'trim_exchanges', text: trimText, values: [siteIds] });

const addresseesText = `
  with given as (
    select place::int, arrival ->> 'network' as network, arrival ->> 'protocol' as protocol, arrival ->> 'address' as address,
      lower(split_part(arrival ->> 'address', '/', 3)) as host
    from json_array_elements($1::json) with ordinality as arrivals (arrival, place)
  ), registered as (
    select given.place, site.id,
      lower(rtrim(registered.address, '/')) = lower(rtrim(given.address, '/')) as is_exact
    from given
    join networks as network on network.name = given.network
    join sites as site on site.network_id = network.id and site.kind = 'site' and site.protocol = given.protocol
    cross join lateral (
      select site.acs as address where site.protocol = 'saml'
      union all select further ->> 'url' from jsonb_array_elements(site.further_acs) as further where site.protocol = 'saml'
      union all select uri from jsonb_array_elements_text(site.oidc -> 'redirect_uris') as uri where site.protocol = 'oidc'
    ) as registered
    where given.host <> '' and lower(split_part(registered.address, '/', 3)) = given.host
  )
  select place, min(id)::bigint as id, bool_or(is_exact) as "isExact" from registered as found
  where is_exact or not exists (select 1 from registered as exact where exact.place = found.place and exact.is_exact)
  group by place having count(distinct id) = 1`;

/** The sites to whose addresses unknown applications wanted the answers to go: the very address, or the only site on the same host. */
export const findAddressees = async ({ $client }: Database, arrivals: readonly Arrival[]) => {
  const { rows } = await $client.query<{ place: number; id: string; isExact: boolean }>({
    name: 'find_addressees',
    text: addresseesText,
    values: [JSON.stringify(arrivals)],
  });
  return rows.flatMap(({ place, id, isExact }) => {
    const arrival = arrivals[place - 1];
    return arrival ? [{ arrival, siteId: Number(id), isExact }] : [];
  });
};

const arrivalsText = `
  insert into unknown_arrivals as former (network_id, protocol, identity, address, times)
  select network.id, given.protocol, given.identity, given.address, given.times
  from json_to_recordset($1::json) as given (network text, protocol text, identity text, address text, times integer)
  join networks as network on network.name = given.network
  order by network.id, given.protocol, given.identity, given.address
  on conflict (network_id, protocol, identity, address) do update
    set times = least(former.times::bigint + excluded.times, 1000000)::integer, last_at = now()`;

export const upsertArrivals = ({ $client }: Database, arrivals: readonly Arrival[]) =>
  $client.query({ name: 'upsert_arrivals', text: arrivalsText, values: [JSON.stringify(arrivals)] });

/** How many unknown applications a network keeps. */
const maximumArrivals = 20;

const trimArrivalsText = `
  delete from unknown_arrivals where id = any (array(
    select id from (
      select arrival.id, row_number() over (partition by network_id order by last_at desc, arrival.id desc) as place
      from unknown_arrivals as arrival join networks as network on network.id = arrival.network_id
      where network.name = any ($1::text[])
    ) as ranked where place > ${maximumArrivals} order by id))`;

export const trimArrivals = ({ $client }: Database, networkNames: readonly string[]) =>
  $client.query({ name: 'trim_arrivals', text: trimArrivalsText, values: [networkNames] });

export type ErrorPage = Pick<
  typeof errorReferences.$inferSelect,
  'reference' | 'site_id' | 'user_id' | 'line_id' | 'title' | 'message'
> & { network: string };

/** The site and the person may be gone since then. A number that another page of the network already has is drawn too seldom to matter. */
const errorPagesText = `
  insert into error_references (network_id, reference, site_id, user_id, line_id, title, message)
  select network.id, given.reference, site.id, person.id, given.line_id, given.title, given.message
  from json_to_recordset($1::json) as given (network text, reference text, site_id bigint, user_id bigint, line_id bigint, title text, message text)
  join networks as network on network.name = given.network
  left join sites as site on site.id = given.site_id and site.network_id = network.id
  left join users as person on person.id = given.user_id
  on conflict (network_id, reference) do nothing`;

export const insertErrorPages = ({ $client }: Database, pages: readonly ErrorPage[]) =>
  $client.query({ name: 'insert_error_pages', text: errorPagesText, values: [JSON.stringify(pages)] });

/** How many error pages a network keeps, of known people and of others each. */
const maximumErrorPages = 2_000;

/** Anybody can cause error pages. Those of known people are kept apart, so that a flood of others does not displace them. */
const trimErrorPagesText = `
  delete from error_references where id = any (array(
    select page.id from networks as network
    cross join (values (true), (false)) as kind (is_unknown)
    cross join lateral (
      select id from error_references where network_id = network.id and (user_id is null) = kind.is_unknown
      order by id desc offset ${maximumErrorPages}
    ) as page
    where network.name = any ($1::text[]) order by page.id))`;

export const trimErrorPages = ({ $client }: Database, networkNames: readonly string[]) =>
  $client.query({ name: 'trim_error_pages', text: trimErrorPagesText, values: [networkNames] });

const isStale: SQL = sql`last_at < now() - interval '7 days'`;

export const deleteStale = async (db: Queryable): Promise<void> => {
  await deleteInBatches(db, siteExchanges, isStale);
  await deleteInBatches(db, unknownArrivals, isStale);
  await deleteInBatches(db, errorReferences, sql`at < now() - make_interval(days => ${referenceDays})`);
};
