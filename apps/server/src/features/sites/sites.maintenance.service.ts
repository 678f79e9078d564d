import { ApiError, type SiteMaintenance, type SiteMode } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import type { Parts } from '../../parts.ts';
import { type ChangedBy, readVersion, recordAudit } from '../audit/audit.service.ts';
import { announceMode } from './sites.announcements.ts';
import { findDueSites, findNow, findTesters } from './sites.maintenance.queries.ts';
import { getSite, lockSite, type SiteRecord, updateSite } from './sites.queries.ts';

export const readMaintenance = async (db: Queryable, siteId: number): Promise<SiteMaintenance> => {
  const version = await readVersion(db, `site:${siteId}`);
  const { closes_at, opens_at, testers_group_id } = await getSite(db, siteId);
  return {
    version,
    closes_at: closes_at?.toISOString() ?? null,
    opens_at: opens_at?.toISOString() ?? null,
    testers: (await findTesters(db, testers_group_id)) ?? null,
  };
};

const toMoment = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** The columns of a plan. A new time must be in the future; one that is stored may have come in the meantime. */
export const toPlan = (
  { closes_at, opens_at }: { closes_at: string | null; opens_at: string | null },
  site: Pick<SiteRecord, 'closes_at' | 'opens_at'>,
) => {
  const plan = { closes_at: toMoment(closes_at), opens_at: toMoment(opens_at) };
  for (const name of ['closes_at', 'opens_at'] as const) {
    const moment = plan[name];
    const isNew = moment?.getTime() !== site[name]?.getTime();
    if (moment && isNew && moment.getTime() <= Date.now()) throw new ApiError('maintenance_past');
  }
  return plan;
};

/** Plans are carried out by a job of the server. */
const schedule: ChangedBy = { actor: { kind: 'system', name: 'planned maintenance' } };

/** What a plan changes now; undefined if nothing is due. A window that has passed completely leaves the site open. */
const dueChanges = (
  { closes_at, opens_at }: SiteRecord,
  now: Date,
): (Pick<SiteRecord, 'closes_at' | 'opens_at'> & { site_mode: SiteMode }) | undefined => {
  if (opens_at && opens_at <= now) return { site_mode: 'Open', closes_at: null, opens_at: null };
  if (closes_at && closes_at <= now) return { site_mode: 'Closed', closes_at: null, opens_at };
  return undefined;
};

const carryOut = (parts: Parts, id: number, now: Date): Promise<void> =>
  parts.db.transaction(async (tx) => {
    const before = await lockSite(tx, id);
    const changes = before && dueChanges(before, now);
    if (!changes) return;
    const after = await updateSite(tx, id, changes);
    await recordAudit(tx, {
      ...schedule,
      network_id: before.network_id,
      action: 'update',
      object: 'site',
      subject: `site ${before.domain}`,
      subject_key: `site:${id}`,
      old_data: { site_mode: before.site_mode, closes_at: before.closes_at, opens_at: before.opens_at },
      new_data: changes,
    });
    if (after.site_mode !== before.site_mode) await announceMode(tx, parts.jobs, after);
  });

const batchSize = 200;

/** Closes and opens the sites whose time has come. Several servers may do it at once: each site is locked and checked again. */
export const carryOutMaintenance = async (parts: Parts): Promise<void> => {
  for (;;) {
    const due = await findDueSites(parts.db, batchSize);
    const now = await findNow(parts.db);
    for (const id of due) await carryOut(parts, id, now);
    if (due.length < batchSize) return;
  }
};
