import { ApiError, type SiteMode, type SiteStatus } from '@opensocial/contract';
import { and, asc, eq, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { contains, readPage } from '../../database/paging.ts';
import { networks, signingKeys, siteAnnouncements, sites } from '../../database/schema.ts';
import { isKeyOfSite } from '../signing-keys/signing-keys.service.ts';
import { recentSignIns, unreachableSince } from './sites.health.queries.ts';
import { metadataState } from './sites.refresh.queries.ts';

export type SiteRecord = typeof sites.$inferSelect;

/** The console is a site too, but nobody administers it. */
const ofNetwork = (networkId: number): SQL => sql`${sites.network_id} = ${networkId} and ${sites.kind} = 'site'`;

type SitesQuery = {
  status?: SiteStatus | undefined;
  mode?: SiteMode | undefined;
  keyword?: string | undefined;
  lastId: number;
  size: number;
};

/** A list leaves out the markup of long icons, which could make a page of it several megabytes large. */
const shortIcon = sql<string | null>`case when length(${sites.icon}) <= 4000 then ${sites.icon} end`;

export const readSites = (db: Queryable, networkId: number, { status, mode, keyword, ...page }: SitesQuery) =>
  readPage(
    db,
    sites,
    {
      id: sites.id,
      domain: sites.domain,
      site_name: sites.site_name,
      site_mode: sites.site_mode,
      status: sites.status,
      auth_options: sites.auth_options,
      icon: shortIcon,
      icon_bg: sites.icon_bg,
      icon_color: sites.icon_color,
      icon_background: sites.icon_background,
      protocol: sites.protocol,
      metadata_state: metadataState,
      certificate: sites.certificate,
      encryption_certificate: sites.encryption_certificate,
      encrypts: sites.encrypts,
      unreachable_since: unreachableSince,
      recent_sign_ins: recentSignIns,
    },
    {
      order: { by: sites.domain, id: sites.id },
      scope: ofNetwork(networkId),
      match: and(
        status && eq(sites.status, status),
        mode && eq(sites.site_mode, mode),
        or(contains(sites.domain, keyword), contains(sites.site_name, keyword)),
      ),
      ...page,
    },
  );

/** A site that the access check has already found. It may have been deleted since. */
export const getSite = async (db: Queryable, id: number): Promise<SiteRecord> => {
  const [site] = await db.select().from(sites).where(eq(sites.id, id));
  if (!site) throw new ApiError('not_found');
  return site;
};

/** The same, locked until the transaction ends, so that comparisons with it stay true. */
export const lockSite = async (tx: Queryable, id: number): Promise<SiteRecord | undefined> => {
  const [site] = await tx.select().from(sites).where(eq(sites.id, id)).for('update');
  return site;
};

export const insertSite = async (tx: Queryable, draft: typeof sites.$inferInsert): Promise<SiteRecord> => {
  const [site] = await tx.insert(sites).values(draft).returning();
  if (!site) throw new Error('The insert returned no site.');
  return site;
};

export const updateSite = async (
  tx: Queryable,
  id: number,
  changes: Partial<typeof sites.$inferInsert>,
): Promise<SiteRecord> => {
  const [site] = await tx.update(sites).set(changes).where(eq(sites.id, id)).returning();
  if (!site) throw new Error('The locked site was not updated.');
  return site;
};

export const deleteSite = (tx: Queryable, id: number) => tx.delete(sites).where(eq(sites.id, id));

export const upsertAnnouncement = (tx: Queryable, announcement: typeof siteAnnouncements.$inferInsert) =>
  tx
    .insert(siteAnnouncements)
    .values(announcement)
    .onConflictDoUpdate({
      target: siteAnnouncements.site_id,
      set: {
        uid: announcement.uid,
        mode: announcement.mode,
        tries: 0,
        outcome: '',
        changed_at: sql`now()`,
        last_try_at: null,
        delivered_at: null,
      },
    });

export const deleteAnnouncement = (tx: Queryable, siteId: number) =>
  tx.delete(siteAnnouncements).where(eq(siteAnnouncements.site_id, siteId));

/** An announcement with everything needed to send it; undefined if a later one has replaced it. */
export const findAnnouncement = async (db: Queryable, uid: string) => {
  const [found] = await db
    .select({ announcement: siteAnnouncements, site: sites, network: networks, key: signingKeys })
    .from(siteAnnouncements)
    .innerJoin(sites, eq(sites.id, siteAnnouncements.site_id))
    .innerJoin(networks, eq(networks.id, sites.network_id))
    .innerJoin(signingKeys, isKeyOfSite)
    .where(eq(siteAnnouncements.uid, uid));
  return found;
};

export const recordTry = (db: Queryable, uid: string, outcome: string, isDelivered: boolean) =>
  db
    .update(siteAnnouncements)
    .set({
      tries: sql`${siteAnnouncements.tries} + 1`,
      outcome,
      last_try_at: sql`now()`,
      ...(isDelivered && { delivered_at: sql`now()` }),
    })
    .where(eq(siteAnnouncements.uid, uid));

/** The state of the last announcement to a site, and when the queue tries again. */
export const findAnnouncementOf = async (db: Queryable, siteId: number, jobKey: string) => {
  const [announcement] = await db.select().from(siteAnnouncements).where(eq(siteAnnouncements.site_id, siteId));
  if (!announcement) return undefined;
  const { rows } = await db.execute<{ run_at: Date }>(
    sql`select run_at from graphile_worker.jobs where key = ${jobKey} and attempts < max_attempts`,
  );
  return { ...announcement, nextTryAt: rows[0] ? new Date(rows[0].run_at) : undefined };
};

/** The sites of a network without email and password login. */
export const findSitesWithoutEmailLogin = (db: Queryable, networkId: number) =>
  db
    .select({
      id: sites.id,
      site_name: sites.site_name,
      domain: sites.domain,
      auth_options: sites.auth_options,
      custom_auth_options: sites.custom_auth_options,
    })
    .from(sites)
    .where(and(ofNetwork(networkId), eq(sites.email_login, false)))
    .orderBy(asc(sites.domain), asc(sites.id));

export const countSites = (db: Queryable, networkId: number, ids: number[]) =>
  db.$count(sites, and(ofNetwork(networkId), sql`${sites.id} = any(${sql.param(ids)})`));
