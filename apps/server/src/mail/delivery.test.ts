import type { TaskList } from 'graphile-worker';
import type pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { backgroundLimits, connect } from '../database/connect.ts';
import { prepareInstallation } from '../features/networks/installation.ts';
import { addOwner, findNetworkByName } from '../features/networks/networks.service.ts';
import { releaseAbandonedJobs, startWorker } from '../jobs/worker.ts';
import type { Parts } from '../parts.ts';
import { testParts } from '../testing/app/test-parts.ts';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { makeDatabase, query } from '../testing/machine/database.ts';
import { eventually } from '../testing/machine/eventually.ts';
import { templateName } from '../testing/machine/global-setup.ts';
import { startMailServer } from '../testing/services/mail-server.ts';
import { openAcceptedMails } from './accepted-mails.ts';
import { sendMailTask } from './mail.jobs.ts';
import { createMailer } from './mailer.ts';

let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
});

/** A database with a worker that sends through the mail server, stopped after the test. */
const startOffice = async () => {
  const where = await makeDatabase(templateName);
  const connection = connect(where, () => undefined, backgroundLimits);
  const common = testParts(connection.db, await makeDataFolder(), { SMTP_URL: server.url });
  const parts = { ...common, ...(await prepareInstallation(common)) };
  const begin = async (accepted = openAcceptedMails(parts.config.dataDir), others: TaskList = {}) => {
    const mailer = createMailer(parts.config, parts.log);
    const worker = await startWorker(connection.pool, {
      tasks: { ...others, send_mail: sendMailTask(mailer, accepted, parts.vault, parts.db) },
      sweep: async () => undefined,
      log: parts.log,
    });
    return worker;
  };
  onTestFinished(() => connection.close());
  return { where, parts, pool: connection.pool, begin };
};

/** Invites somebody. Returns the token of the link, and the queued job before a worker could take it. */
const invite = ({ db, ...parts }: Parts, email: string) =>
  db.transaction(async (tx) => {
    const northlab = await findNetworkByName(tx, 'northlab');
    if (!northlab) throw new Error('There is no network northlab.');
    const { link = '' } = await addOwner(tx, { db, ...parts }, northlab.network, email, { withMail: true });
    const { rows } = await tx.execute('select * from graphile_worker._private_jobs');
    return { token: new URL(link).searchParams.get('token') ?? '', queued: JSON.stringify(rows) };
  });

const jobsIn = async (where: pg.ClientConfig) =>
  (await query<{ attempts: number; locked_by: string | null }>(where, 'select * from graphile_worker.jobs')).rows;

const untilDone = (where: pg.ClientConfig) => eventually(async () => expect(await jobsIn(where)).toEqual([]));

const outcomesIn = async (where: pg.ClientConfig) =>
  (await query<{ outcome: string }>(where, 'select outcome from person_mails')).rows.map(({ outcome }) => outcome);

const arrivedFor = (email: string) => server.received.filter(({ to }) => to.includes(email));

describe('an invitation', () => {
  test('waits in the queue without its token in plain text, and then arrives', async () => {
    const { where, parts, begin } = await startOffice();
    const { token, queued } = await invite(parts, 'ana@northlab.org');
    expect(token).toMatch(/^[\w-]{40}$/);
    expect(queued).toContain('sealed');
    for (const secret of [token, 'ana@northlab.org', 'set-password']) {
      expect(queued).not.toContain(secret);
      expect(queued).not.toContain(Buffer.from(secret).toString('base64url'));
    }
    expect(await outcomesIn(where)).toEqual(['queued']);
    const worker = await begin();
    await untilDone(where);
    await worker.stop();
    expect(await outcomesIn(where)).toEqual(['sent']);
    expect(arrivedFor('ana@northlab.org')).toHaveLength(1);
    expect(arrivedFor('ana@northlab.org')[0]?.mail.text).toContain(token);
  });

  test('is not queued if its transaction is rolled back', async () => {
    const { where, parts } = await startOffice();
    const undone = parts.db.transaction(async (tx) => {
      await parts.jobs.sendMail(tx, { to: 'a@b.org', subject: '', text: '', html: '' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await jobsIn(where)).toEqual([]);
  });

  test('that the mail server refuses is retried, and arrives once', async () => {
    const { where, parts, begin } = await startOffice();
    server.refuse(1);
    const worker = await begin();
    await invite(parts, 'bea@northlab.org');
    await eventually(async () => expect(await jobsIn(where)).toMatchObject([{ attempts: 1, locked_by: null }]));
    expect(arrivedFor('bea@northlab.org')).toEqual([]);
    await query(where, 'update graphile_worker._private_jobs set run_at = now()');
    await untilDone(where);
    await worker.stop();
    expect(arrivedFor('bea@northlab.org')).toHaveLength(1);
  });

  test('is recorded as failed after the last attempt only', async () => {
    const { where, parts, begin } = await startOffice();
    await invite(parts, 'gone@northlab.org');
    server.refuse(1);
    await query(where, 'update graphile_worker._private_jobs set max_attempts = 1');
    const worker = await begin();
    await eventually(async () => expect(await outcomesIn(where)).toEqual(['failed']));
    await worker.stop();
    expect(arrivedFor('gone@northlab.org')).toEqual([]);
  });

  test('to a mail server that does not answer neither delays shutdown nor is lost', async () => {
    const { where, parts, begin } = await startOffice();
    const { resume, reached } = server.hold();
    const worker = await begin();
    await invite(parts, 'cleo@northlab.org');
    await reached;
    const begun = performance.now();
    await worker.stop();
    expect(performance.now() - begun).toBeLessThan(9_000);
    expect(await jobsIn(where)).toMatchObject([{ attempts: 1, locked_by: null }]);
    resume();
  });

  test('to a mail server that does not answer delays no other jobs', async () => {
    const { where, parts, begin } = await startOffice();
    const { resume, reached } = server.hold();
    const done = Promise.withResolvers<void>();
    const worker = await begin(undefined, { announce_mode: () => done.resolve() });
    for (let each = 0; each < 12; each += 1) await invite(parts, `slow-${each}@northlab.org`);
    await reached;
    await parts.db.transaction((tx) => parts.jobs.announceMode(tx, 1, 'site'));
    await done.promise;
    expect(server.received.filter(({ to }) => to[0]?.startsWith('slow-'))).toEqual([]);
    resume();
    await untilDone(where);
    await worker.stop();
    expect(server.received.filter(({ to }) => to[0]?.startsWith('slow-'))).toHaveLength(12);
  });

  test('waits until the mails have left that somebody is waiting for', async () => {
    const { where, parts, begin } = await startOffice();
    const before = server.received.length;
    for (let each = 0; each < 12; each += 1) await invite(parts, `import-${each}@northlab.org`);
    const code = { to: 'waiting@northlab.org', subject: 'Code', text: '123456', html: '', isAwaited: true as const };
    await parts.jobs.sendMail(parts.db, { to: 'report@northlab.org', subject: '', text: '', html: '' }, code);
    const worker = await begin();
    await untilDone(where);
    await worker.stop();
    const order = server.received.slice(before).map(({ to }) => to[0]);
    // Four mails are sent at the same time.
    expect(order.indexOf('waiting@northlab.org')).toBeLessThan(4);
    expect(order).toHaveLength(14);
  });

  test('that has to be sent again, because nobody knows whether it was accepted, keeps its Message-ID', async () => {
    const { where, parts, begin } = await startOffice();
    const { resume, reached } = server.hold();
    const stopped = await begin(openAcceptedMails(await makeDataFolder()));
    await invite(parts, 'gus@northlab.org');
    await reached;
    await stopped.stop();
    resume();
    await eventually(() => expect(arrivedFor('gus@northlab.org')).toHaveLength(1));
    await query(where, 'update graphile_worker._private_jobs set run_at = now()');
    const worker = await begin();
    await invite(parts, 'hal@northlab.org');
    await untilDone(where);
    await worker.stop();
    const [first, second] = arrivedFor('gus@northlab.org').map(({ mail }) => mail.messageId);
    expect(first).toMatch(/^<[\w-]{20,}@localhost>$/);
    expect(second).toBe(first);
    expect(arrivedFor('hal@northlab.org')[0]?.mail.messageId).not.toBe(first);
  });

  test('arrives once although the database is unavailable while it is sent', async () => {
    const { where, parts, begin } = await startOffice();
    const worker = await begin();
    const { resume, reached } = server.hold();
    const before = server.received.length;
    await invite(parts, 'dora@northlab.org');
    await reached;
    await query({ ...where, database: 'postgres' }, `alter database ${where.database} allow_connections false`);
    await query(
      { ...where, database: 'postgres' },
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [where.database],
    );
    resume();
    await server.untilReceived(before + 1);
    await query({ ...where, database: 'postgres' }, `alter database ${where.database} allow_connections true`);
    await untilDone(where);
    await invite(parts, 'elsa@northlab.org');
    await untilDone(where);
    await worker.stop();
    expect(arrivedFor('dora@northlab.org')).toHaveLength(1);
    expect(arrivedFor('elsa@northlab.org')).toHaveLength(1);
  });

  test('that was accepted by the mail server is not sent again by the successor of a killed server', async () => {
    const { where, parts, begin } = await startOffice();
    await invite(parts, 'ida@northlab.org');
    const queued = 'insert into graphile_worker._private_jobs (task_id, payload) select task_id, payload from given';
    await query(where, 'create table given as select task_id, payload from graphile_worker._private_jobs');
    for (let turn = 0; turn < 2; turn += 1) {
      const worker = await begin();
      await untilDone(where);
      await worker.stop();
      // The next one finds the job as if the first one had not been able to complete it.
      await query(where, queued);
    }
    expect(arrivedFor('ida@northlab.org')).toHaveLength(1);
  });

  test('that a killed server was sending is taken over', async () => {
    const { where, parts, pool, begin } = await startOffice();
    await invite(parts, 'fay@northlab.org');
    await query(where, "update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now()");
    await releaseAbandonedJobs(pool);
    expect(await jobsIn(where)).toMatchObject([{ locked_by: 'dead' }]);
    await query(where, "update graphile_worker._private_jobs set locked_at = now() - interval '6 minutes'");
    await releaseAbandonedJobs(pool);
    const worker = await begin();
    await untilDone(where);
    await worker.stop();
    expect(arrivedFor('fay@northlab.org')).toHaveLength(1);
  });
});
