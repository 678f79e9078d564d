import { setTimeout as delay } from 'node:timers/promises';
import { Counter, Gauge, Registry } from 'prom-client';
import program from '../../../../../package.json' with { type: 'json' };
import { isDatabaseAway } from '../../database/connect.ts';
import { findMailQueue } from '../../jobs/mail-queue.ts';
import { readDeliveries } from '../../mail/mail.jobs.ts';
import type { Parts } from '../../parts.ts';
import { findReport } from '../backups/backups.schedule.service.ts';
import { findFirstKeyEnd } from '../signing-keys/signing-keys.expiries.service.ts';
import { countJobs, findLongestWait } from './metrics.queries.ts';

type MetricsParts = Pick<Parts, 'config' | 'db'>;

/** Figures whose name ends with `_total` are counters. */
type Figure = { name: string; help: string; samples: { labels?: Record<string, string>; value: number }[] };

/** Prometheus waits ten seconds for all metrics of a server. */
const databaseTimeout = 4_000;

/**
 * The figures that exist once: of the installation, from its database, and of the process that runs the jobs. Each call makes them anew, so
 * that nothing is reported that is no longer known.
 */
export const readInstallationMetrics = async (parts: MetricsParts): Promise<string> => {
  const state = await readState(parts);
  const registry = new Registry();
  for (const figure of [...describeProcess(state !== undefined), ...(state ? describeState(state) : [])])
    addFigure(registry, figure);
  return registry.metrics();
};

const addFigure = (registry: Registry, { name, help, samples }: Figure): void => {
  const labelNames = [...new Set(samples.flatMap(({ labels = {} }) => Object.keys(labels)))];
  const description = { name, help, labelNames, registers: [registry] };
  const metric = name.endsWith('_total') ? new Counter(description) : new Gauge(description);
  for (const { labels = {}, value } of samples) metric.inc(labels, value);
};

const describeProcess = (isDatabaseUp: boolean): Figure[] => [
  {
    name: 'opensocial_build_info',
    help: 'The version of this server. The value is always 1.',
    samples: [{ labels: { version: program.version }, value: 1 }],
  },
  {
    name: 'opensocial_database_up',
    help: 'Whether the database answers this server.',
    samples: [{ value: isDatabaseUp ? 1 : 0 }],
  },
  {
    name: 'opensocial_mail_deliveries_total',
    help: 'Attempts of this server to send an email. Without SMTP_URL, emails are written to a folder, which counts as sent.',
    samples: Object.entries(readDeliveries()).map(([result, value]) => ({ labels: { result }, value })),
  },
];

type State = Awaited<ReturnType<typeof queryState>>;

const queryState = async ({ db, config }: MetricsParts) => {
  const [jobs, longestWait, mailQueue, firstKeyEnd, backup] = await Promise.all([
    countJobs(db),
    findLongestWait(db),
    findMailQueue(db),
    findFirstKeyEnd(db),
    config.backups.folder === undefined ? undefined : findReport(db).then((report) => report ?? 'none yet'),
  ]);
  return { jobs, longestWait, mailQueue, firstKeyEnd, backup };
};

/** Undefined if the database does not answer in time: a scrape must not fail just then. */
const readState = (parts: MetricsParts): Promise<State | undefined> => {
  const answered = queryState(parts).catch((error: unknown) => {
    if (isDatabaseAway(error)) return undefined;
    throw error;
  });
  return Promise.race([answered, delay(databaseTimeout, undefined, { ref: false })]);
};

const toSeconds = (moment: Date | null): number => (moment ? moment.getTime() / 1_000 : 0);

const describeState = ({ jobs, longestWait, mailQueue, firstKeyEnd, backup }: State): Figure[] => [
  {
    name: 'opensocial_jobs',
    help: 'Jobs in the queue. Those that were given up stay there.',
    samples: jobs.map(({ count, ...labels }) => ({ labels, value: count })),
  },
  {
    name: 'opensocial_job_longest_wait_seconds',
    help: 'For how long a job is due and not begun.',
    samples: [{ value: longestWait }],
  },
  {
    name: 'opensocial_mails_queued',
    help: 'Emails that were not delivered: those that will be sent or sent again, and those that were given up.',
    samples: [
      { labels: { state: 'waiting' }, value: mailQueue.waiting },
      { labels: { state: 'given_up' }, value: mailQueue.given_up },
    ],
  },
  {
    name: 'opensocial_mail_longest_wait_seconds',
    help: 'For how long an email that will be sent has been in the queue.',
    samples: [{ value: mailQueue.oldest_at ? Math.max(0, (Date.now() - mailQueue.oldest_at.getTime()) / 1_000) : 0 }],
  },
  {
    name: 'opensocial_signing_key_first_expiry_timestamp_seconds',
    help: 'When the first certificate of a signing key in use ends, of all networks.',
    samples: firstKeyEnd ? [{ value: toSeconds(firstKeyEnd) }] : [],
  },
  ...(backup === undefined ? [] : describeBackup(backup === 'none yet' ? undefined : backup)),
];

const describeBackup = (report: Awaited<ReturnType<typeof findReport>>): Figure[] => [
  {
    name: 'opensocial_backup_last_success_timestamp_seconds',
    help: 'When the last scheduled backup was complete; 0 if there is none.',
    samples: [{ value: toSeconds(report?.made_at ?? null) }],
  },
  {
    name: 'opensocial_backup_last_failure_timestamp_seconds',
    help: 'When the last attempt to make a scheduled backup failed; 0 if it did not fail.',
    samples: [{ value: toSeconds(report?.failed_at ?? null) }],
  },
  {
    name: 'opensocial_backup_size_bytes',
    help: 'The size of the last scheduled backup.',
    samples: [{ value: report?.bytes ?? 0 }],
  },
];
