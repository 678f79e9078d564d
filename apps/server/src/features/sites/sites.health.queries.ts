import { ApiError } from '@opensocial/contract';
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { loginLog, siteChecks, sites } from '../../database/schema.ts';
import type { PollKind } from './sites.polling.queries.ts';

/** The address to which people are sent after signing in. */
const address = sql<
  string | null
>`case ${sites.protocol} when 'saml' then ${sites.acs} else ${sites.oidc} -> 'redirect_uris' ->> 0 end`;

/** Nobody can sign in to a disabled site. */
const isPolled = sql`(${sites.checks_reachability} and ${sites.status} = 'Active')`;

/** The sites whose address is checked. */
export const checkPolls: PollKind = { table: siteChecks, address, isPolled };

const isCheckOfSite = and(eq(siteChecks.site_id, sites.id), sql`${siteChecks.url} = ${address}`, isPolled);

/** A site with the address that is checked, and the last check of this address. */
export const findCheck = async (db: Queryable, siteId: number) => {
  const [found] = await db
    .select({ site: sites, address, check: getTableColumns(siteChecks) })
    .from(sites)
    .leftJoin(siteChecks, isCheckOfSite)
    .where(eq(sites.id, siteId));
  if (!found) throw new ApiError('not_found');
  return found;
};

/** Inserts the state of a site that has none yet. */
export const insertCheck = (db: Queryable, siteId: number, url: string) =>
  db.insert(siteChecks).values({ site_id: siteId, url, next_at: sql`now()` }).onConflictDoNothing();

export type CheckOutcome = Pick<typeof siteChecks.$inferSelect, 'outcome' | 'detail'>;

/** The moments are spread, so that sites that were added together are not checked together for ever. */
const nextMoments = {
  reached: sql`now() + interval '50 minutes' + random() * interval '20 minutes'`,
  // An outage is noticed soon, and its end too.
  failed: sql`now() + case when ${siteChecks.failures} < 6 then interval '9 minutes' else interval '50 minutes' end`,
  skipped: sql`now() + interval '1 day'`,
};

/** Stores the outcome of a check for all sites with this address. Another address may have been entered meanwhile. */
export const updateChecks = (
  db: Queryable,
  { url, siteIds }: { url: string; siteIds: readonly number[] },
  { outcome, detail }: CheckOutcome & { outcome: 'reached' | 'failed' | 'skipped' },
) => {
  const hasFailed = outcome === 'failed';
  return db
    .update(siteChecks)
    .set({
      outcome,
      detail,
      tried_at: sql`now()`,
      next_at: nextMoments[outcome],
      failures: hasFailed ? sql`${siteChecks.failures} + 1` : 0,
      failing_since: hasFailed ? sql`coalesce(${siteChecks.failing_since}, now())` : null,
      ...(outcome === 'reached' && { reached_at: sql`now()` }),
    })
    .where(and(inArray(siteChecks.site_id, [...siteIds]), eq(siteChecks.url, url)));
};

/** Since when a site cannot be reached. One failed check may be chance, so it takes two. */
export const unreachableSince = nested<Date | null>(
  sql`(select ${siteChecks.failing_since} from ${siteChecks} where ${isCheckOfSite} and ${siteChecks.failures} >= 2)`,
).mapWith(siteChecks.failing_since);

/** How many lines of the log are counted, so that the size of the log does not matter. */
const countedLines = 50;

export const recentSignIns = nested<{ total: number; failed: number }>(
  sql`(select json_build_object('total', count(*), 'failed', count(*) filter (where recent.login_status = 'Failed')) from (
    select ${loginLog.login_status} from ${loginLog}
    where ${loginLog.site_id} = ${sites.id} and ${loginLog.login_time} > now() - interval '7 days'
    order by ${loginLog.login_time} desc, ${loginLog.id} desc limit ${sql.raw(String(countedLines))}) recent)`,
);

export const findRecentSignIns = async (db: Queryable, siteId: number) => {
  const [found] = await db.select({ recent: recentSignIns }).from(sites).where(eq(sites.id, siteId));
  return found?.recent ?? { total: 0, failed: 0 };
};
