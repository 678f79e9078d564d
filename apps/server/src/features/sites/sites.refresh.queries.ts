import { and, asc, eq, gt, inArray, lt, lte, or, sql } from 'drizzle-orm';
import { nested, type Queryable, type Transaction } from '../../database/connect.ts';
import { networks, refreshNotices, siteRefreshes, sites } from '../../database/schema.ts';
import type { PollKind } from './sites.polling.queries.ts';

/** The sites whose metadata is read again. */
export const refreshPolls: PollKind = { table: siteRefreshes, address: sites.metadata_url, isPolled: sql`true` };

export type RefreshRecord = typeof siteRefreshes.$inferSelect;
export type RefreshNotice = Omit<typeof refreshNotices.$inferSelect, 'sent_at'>;

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
