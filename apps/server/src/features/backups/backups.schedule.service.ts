import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { isDatabaseAway } from '../../database/connect.ts';
import { mainNetworkName } from '../../identity/membership.ts';
import { backupNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { findNetworkByName } from '../networks/networks.service.ts';
import { findEffectiveOwners } from '../owners/owners.service.ts';
import { BackupError } from './backups.format.ts';
import { makeBackup } from './backups.make.service.ts';
import { backupName, isBackupName, isPartialName } from './backups.names.ts';
import { connectAlone } from './backups.queries.ts';
import { type BackupReport, findReport, reportBackup, reportFailure } from './backups.reports.queries.ts';
import { describeSource } from './backups.source.service.ts';

export { findReport } from './backups.reports.queries.ts';

export type ScheduleParts = Pick<Parts, 'config' | 'db' | 'jobs' | 'log'> & { where: pg.ClientConfig };

/** Advisory lock of the server that makes a backup. Unlike the lock of a job it does not expire. The number is arbitrary. */
const backupLock = 7_350_023;

const hour = 3_600_000;

/** A job that begins this much earlier counts as in time. Otherwise every backup would be some minutes later than the one before. */
const tolerance = 5 * 60_000;

/** A backup is written continuously. An older file with a temporary name was left by a killed server. */
const staleAfter = 24 * hour;

/** The failure can also be that the disk is full, so it is not repeated at once. */
const retryAfter = hour;

export const isDue = (report: BackupReport | undefined, everyHours: number, now = Date.now()): boolean => {
  const { made_at, failed_at } = report ?? {};
  if (failed_at && failed_at.getTime() > now - retryAfter + tolerance) return false;
  return !made_at || made_at.getTime() <= now - everyHours * hour + tolerance;
};

/** Makes a backup if one is due and no other server is making one. Earlier ones are removed only after it is complete. */
export const makeDueBackup = async (parts: ScheduleParts, signal: AbortSignal): Promise<void> => {
  const { config, db, log, where } = parts;
  const { folder, everyHours, keep } = config.backups;
  if (folder === undefined) return;
  const lock = await connectAlone(where, (error) => log.warn({ err: error }, 'The lock of a backup was lost.'));
  try {
    const { rows } = await lock.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [backupLock]);
    if (!rows[0]?.taken || !isDue(await findReport(db), everyHours)) return;
    const begun = performance.now();
    try {
      const { file, bytes } = await makeBackup(await describeSource(config, where), join(folder, backupName()), signal);
      await reportBackup(db, { file, bytes });
      const seconds = Math.round((performance.now() - begun) / 1_000);
      log.info({ file, bytes, seconds }, 'A backup was made.');
    } catch (error) {
      if (signal.aborted) throw error;
      await report(parts, error);
      return;
    }
    await removeFormer(folder, keep);
  } finally {
    await lock.end().catch(() => undefined);
  }
};

const report = async ({ db, jobs, log, config }: ScheduleParts, error: unknown): Promise<void> => {
  log.error({ err: error }, 'The scheduled backup failed.');
  // Other errors may contain rows of the database, and are only in the log.
  const failure =
    error instanceof BackupError
      ? error.message
      : isDatabaseAway(error)
        ? 'The database did not answer.'
        : 'The log of the server has the reason.';
  await db.transaction(async (tx) => {
    const isFirst = await reportFailure(tx, failure);
    const main = isFirst ? await findNetworkByName(tx, mainNetworkName) : undefined;
    if (!main) return;
    const owners = await findEffectiveOwners(tx, main.network.id);
    await jobs.sendMail(tx, ...owners.map((to) => ({ to, ...backupNotice(config.publicUrl, failure) })));
  });
};

const removeFormer = async (folder: string, keep: number): Promise<void> => {
  const names = await readdir(folder);
  const surplus = names.filter(isBackupName).toSorted().slice(0, -keep);
  for (const name of surplus) await rm(join(folder, name), { force: true });
  for (const name of names.filter(isPartialName)) {
    const file = join(folder, name);
    const changed = await stat(file).catch(() => undefined);
    if (changed && changed.mtimeMs < Date.now() - staleAfter) await rm(file, { force: true });
  }
};
