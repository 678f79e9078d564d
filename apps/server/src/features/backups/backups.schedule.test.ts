import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getGettingStarted } from '@opensocial/contract';
import { describe, expect, test } from 'vitest';
import { backupReports } from '../../database/schema.ts';
import { startWorker } from '../../jobs/worker.ts';
import { makeUser, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { makeDataFolder } from '../../testing/machine/data-folder.ts';
import { query } from '../../testing/machine/database.ts';
import { eventually } from '../../testing/machine/eventually.ts';
import { makeBackupTask } from './backups.jobs.ts';
import { isBackupName } from './backups.names.ts';
import { verifyBackup } from './backups.restore.service.ts';
import { isDue, makeDueBackup } from './backups.schedule.service.ts';

const hour = 3_600_000;

const buildScheduled = async (environment: Record<string, string> = {}) => {
  const folder = await makeDataFolder();
  const testApp = await buildTestApp({ BACKUP_DIR: folder, ...environment });
  const parts = { ...testApp.parts, where: testApp.where };
  return { testApp, folder, run: () => makeDueBackup(parts, new AbortController().signal), parts };
};

const reportOf = async ({ db }: TestApp) => (await db.select().from(backupReports))[0];

const backDate = ({ db }: TestApp, hours: number) =>
  db.update(backupReports).set({ made_at: new Date(Date.now() - hours * hour), failed_at: null });

const stepOf = async (testApp: TestApp) => {
  const owner = await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial', 'northlab'] });
  const call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  const { steps, backups } = await call(getGettingStarted, { params: { server: 'opensocial' } });
  const elsewhere = await call(getGettingStarted, { params: { server: 'northlab' } });
  expect(elsewhere.backups).toBeNull();
  return { done: steps.find(({ step }) => step === 'backup')?.done, backups };
};

describe('scheduled backups', () => {
  test('are due at the interval, also if no server ran at that time, and an hour after a failure', () => {
    const now = Date.now();
    const report = (made: number | null, failed: number | null = null) => ({
      id: 1,
      made_at: made === null ? null : new Date(now - made * hour),
      failed_at: failed === null ? null : new Date(now - failed * hour),
      file: null,
      bytes: null,
      failure: null,
    });
    expect(isDue(undefined, 24, now)).toBe(true);
    expect(isDue(report(23), 24, now)).toBe(false);
    expect(isDue(report(23.95), 24, now)).toBe(true);
    expect(isDue(report(200), 24, now)).toBe(true);
    expect(isDue(report(30, 0.5), 24, now)).toBe(false);
    expect(isDue(report(30, 1), 24, now)).toBe(true);
    expect(isDue(report(null, 0.2), 24, now)).toBe(false);
  });

  test('are made once by two servers, and the earliest ones are removed afterwards', async () => {
    const { testApp, folder, run } = await buildScheduled({ BACKUP_KEEP: '2' });
    for (const name of [
      'opensocial-sso-20200101T000000Z.tar.gz',
      'opensocial-sso-20210101T000000Z.tar.gz',
      'notes.txt',
    ])
      await writeFile(join(folder, name), 'earlier');
    const left = join(folder, '.opensocial-sso-20210101T000000Z.tar.gz.x.partial');
    await writeFile(left, 'left by a server that was killed');
    await utimes(left, new Date(0), new Date(0));
    await Promise.all([run(), run(), run()]);
    const names = (await readdir(folder)).toSorted();
    expect(names).toEqual([
      'notes.txt',
      'opensocial-sso-20210101T000000Z.tar.gz',
      expect.stringMatching(/^opensocial-sso-20[2-9]/),
    ]);
    const made = join(folder, names[2] ?? '');
    await verifyBackup(made);
    expect(await reportOf(testApp)).toMatchObject({ file: made, failed_at: null });
    await run();
    expect(await readdir(folder)).toHaveLength(3);
    expect(await stepOf(testApp)).toMatchObject({ done: true, backups: { works: true, failure: '' } });
    await backDate(testApp, 49);
    expect(await stepOf(testApp)).toMatchObject({ done: false, backups: { works: false, failed_at: null } });
  });

  test('that fail keep the earlier ones, and owners of the main network learn of it once', async () => {
    const { testApp, folder, run } = await buildScheduled({ BACKUP_KEEP: '1' });
    const owner = await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] });
    await run();
    const [first] = await readdir(folder);
    await backDate(testApp, 30);
    // A folder that is gone, as if its disk was not mounted.
    await rm(folder, { recursive: true });
    const mails = await mailsQueuedBy(testApp, run);
    expect(mails).toEqual([
      expect.objectContaining({
        to: owner.email,
        subject: 'A backup has failed',
        text: expect.stringContaining(`${folder} cannot be written to`) as unknown,
      }),
    ]);
    expect(await mailsQueuedBy(testApp, run)).toEqual([]);
    await testApp.db.update(backupReports).set({ failed_at: new Date(Date.now() - 2 * hour) });
    expect(await mailsQueuedBy(testApp, run)).toEqual([]);
    expect(await reportOf(testApp)).toMatchObject({
      file: join(folder, first ?? ''),
      failure: expect.stringContaining(folder) as unknown,
    });
    expect(await stepOf(testApp)).toMatchObject({
      done: false,
      backups: {
        works: false,
        failed_at: expect.any(String) as unknown,
        failure: expect.stringContaining('cannot be written to') as unknown,
      },
    });
  });

  test('that are stopped with the server leave nothing behind and are not a failure', async () => {
    const { testApp, folder, parts } = await buildScheduled();
    const controller = new AbortController();
    controller.abort(new Error('The server stops.'));
    await expect(makeDueBackup(parts, controller.signal)).rejects.toThrow('The server stops.');
    expect(await readdir(folder)).toEqual([]);
    expect(await reportOf(testApp)).toBeUndefined();
  });

  test('are made by the job queue', async () => {
    const { testApp, folder, parts } = await buildScheduled();
    const worker = await startWorker(testApp.pool, {
      tasks: { make_backup: makeBackupTask(parts) },
      sweep: async () => undefined,
      log: parts.log,
    });
    await query(testApp.where, `select graphile_worker.add_job('make_backup', queue_name => 'make_backup')`);
    await eventually(async () => expect((await readdir(folder)).filter(isBackupName)).toHaveLength(1));
    await worker.stop();
  });

  test('are not made without a folder', async () => {
    const testApp = await buildTestApp();
    await makeDueBackup({ ...testApp.parts, where: testApp.where }, new AbortController().signal);
    expect(await reportOf(testApp)).toBeUndefined();
    expect((await stepOf(testApp)).backups).toBeNull();
  });
});
