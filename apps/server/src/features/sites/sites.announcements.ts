import type { ModeAnnouncement } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import { announcementKey, type Jobs } from '../../jobs/jobs.ts';
import { newUid } from '../../secrets/tokens.ts';
import { deleteAnnouncement, findAnnouncementOf, type SiteRecord, upsertAnnouncement } from './sites.queries.ts';

/** Stores a change of mode, and queues a job that announces it to the site. */
export const announceMode = async (tx: Queryable, jobs: Jobs, site: SiteRecord): Promise<void> => {
  if (!site.update_url) {
    await deleteAnnouncement(tx, site.id);
    return;
  }
  const uid = newUid();
  await upsertAnnouncement(tx, { site_id: site.id, uid, mode: site.site_mode });
  await jobs.announceMode(tx, site.id, uid);
};

export const readAnnouncement = async (db: Queryable, siteId: number): Promise<ModeAnnouncement> => {
  const found = await findAnnouncementOf(db, siteId, announcementKey(siteId));
  if (!found) return { state: 'none', tries: 0, outcome: '', last_try: null, next_try: null };
  const isWaiting = !found.delivered_at && found.nextTryAt !== undefined;
  return {
    state: found.delivered_at ? 'delivered' : isWaiting ? 'waiting' : 'given up',
    mode: found.mode,
    tries: found.tries,
    outcome: found.outcome,
    last_try: found.last_try_at?.toISOString() ?? null,
    next_try: isWaiting ? (found.nextTryAt?.toISOString() ?? null) : null,
  };
};
