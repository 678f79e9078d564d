import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../config.ts';
import { connect } from '../../database/connect.ts';
import { signingKeys } from '../../database/schema.ts';
import { createJobs } from '../../jobs/jobs.ts';
import { createVault } from '../../secrets/encryption.ts';
import { browserAt, signIn } from '../../testing/app/over-http.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';
import { afterFile } from '../../testing/machine/cleanup.ts';
import { makeDataFolder } from '../../testing/machine/data-folder.ts';
import { makeDatabase, query, urlOf } from '../../testing/machine/database.ts';
import { eventually } from '../../testing/machine/eventually.ts';
import { allowForStarts, ServerProcess } from '../../testing/machine/server-process.ts';
import { openSmtpServer } from '../../testing/services/smtp-server.ts';
import { readInstallationMetrics } from './metrics.service.ts';

allowForStarts();

const owner = { email: 'head@northlab.org', password: 'correct horse battery staple' };
const secretKey = 'a secret key that only tests use';

let where: pg.ClientConfig;
let server: ServerProcess;
let smtp: Awaited<ReturnType<typeof openSmtpServer>>;
beforeAll(async () => {
  where = await makeDatabase();
  smtp = await openSmtpServer();
  afterFile(smtp.close);
  server = await ServerProcess.start({
    DATABASE_URL: urlOf(where),
    DATA_DIR: await makeDataFolder(),
    BACKUP_DIR: await makeDataFolder(),
    SECRET_KEY: secretKey,
    SMTP_URL: smtp.url,
    PUBLIC_URL: testOrigin,
    FIRST_OWNER_EMAIL: owner.email,
    FIRST_OWNER_PASSWORD: owner.password,
    METRICS_PORT: '0',
    WORKERS: '2',
  });
});

const scrape = async (): Promise<string> => {
  const [, address = ''] = /Metrics at (http:[^"]+)/.exec(server.stdout) ?? [];
  const answer = await fetch(address, { headers: { connection: 'close' } });
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return answer.text();
};

/** The value of a sample, written as in the output. */
const valueOf = (text: string, sample: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
};

const openDatabase = () => {
  const connection = connect(where, () => undefined);
  afterFile(connection.close);
  return connection.db;
};

describe('the metrics of a server with two workers', () => {
  test('are in the format of Prometheus, each described once', async () => {
    const lines = (await scrape()).split('\n').filter(Boolean);
    const sample = /^[a-z_][a-z0-9_]*(?:\{[a-z_]+="[^"]*"(?:,[a-z_]+="[^"]*")*\})? (?:-?\d[\d.e+-]*|\+Inf|NaN)$/;
    for (const line of lines)
      expect(line).toMatch(line.startsWith('#') ? /^# (?:HELP|TYPE) [a-z_][a-z0-9_]* \S/ : sample);
    const described = lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.split(' ')[2]);
    expect(described).toEqual([...new Set(described)]);
    for (const line of lines.filter((each) => each.startsWith('# TYPE opensocial_')))
      expect(line).toMatch(/_total counter$|(?<!_total) gauge$/);
  });

  test('count sign-ins by result and by what they were for', async () => {
    await signIn(browserAt(server.address), owner);
    const stranger = browserAt(server.address);
    await stranger.submit(await stranger.get('/server/saml/login'), { email: owner.email, password: 'a wrong guess' });
    const text = await scrape();
    expect(valueOf(text, 'opensocial_sign_ins_total{result="success",target="console"}')).toBe(1);
    expect(valueOf(text, 'opensocial_sign_ins_total{result="failure",target="console"}')).toBe(1);
    expect(valueOf(text, 'opensocial_sign_ins_total{result="success",target="site"}')).toBe(0);
    expect(valueOf(text, 'opensocial_password_hashings_total')).toBeGreaterThanOrEqual(2);
    expect(valueOf(text, 'opensocial_password_queue_length')).toBe(0);
  });

  test('add up the connections of the workers', async () => {
    const text = await scrape();
    expect(valueOf(text, 'opensocial_database_pool_connections_max')).toBe(40);
    const [used, idle] = ['used', 'idle'].map((state) =>
      valueOf(text, `opensocial_database_pool_connections{state="${state}"}`),
    );
    expect(Number(used) + Number(idle)).toBeGreaterThan(0);
    expect(valueOf(text, 'opensocial_database_pool_waiting')).toBe(0);
  });

  test('show mails that were sent, failed and wait, and jobs by task and state', async () => {
    const db = openDatabase();
    const jobs = createJobs(createVault([secretKey]), { sendsMail: true });
    const mail = { to: 'a@b.org', subject: 'Test', text: 'Test', html: '' };
    const deliveries = (text: string) =>
      ['sent', 'failed'].map((result) => valueOf(text, `opensocial_mail_deliveries_total{result="${result}"}`));
    expect(deliveries(await scrape())).toEqual([0, 0]);
    await jobs.sendMail(db, mail);
    await eventually(async () => expect(deliveries(await scrape())).toEqual([1, 0]));
    smtp.refuse(1);
    await jobs.sendMail(db, mail);
    await eventually(async () => {
      const text = await scrape();
      expect(deliveries(text)[1]).toBe(1);
      expect(valueOf(text, 'opensocial_jobs{task="send_mail",state="retried"}')).toBe(1);
      expect(valueOf(text, 'opensocial_mails_queued{state="waiting"}')).toBe(1);
      expect(valueOf(text, 'opensocial_mail_longest_wait_seconds')).toBeGreaterThan(0);
      expect(valueOf(text, 'opensocial_mails_queued{state="given_up"}')).toBe(0);
    });
    // A day later, after all attempts.
    await query(
      where,
      `update graphile_worker._private_jobs set attempts = max_attempts, run_at = now() + interval '1 day'`,
    );
    const text = await scrape();
    expect(valueOf(text, 'opensocial_jobs{task="send_mail",state="given_up"}')).toBe(1);
    expect(valueOf(text, 'opensocial_mails_queued{state="given_up"}')).toBe(1);
  });

  test('say when the first signing key in use ends', async () => {
    const db = openDatabase();
    const end = new Date('2031-02-03T04:05:06Z');
    const [key] = await db.select().from(signingKeys);
    await db
      .update(signingKeys)
      .set({ not_after: end })
      .where(eq(signingKeys.id, key?.id ?? 0));
    expect(valueOf(await scrape(), 'opensocial_signing_key_first_expiry_timestamp_seconds')).toBe(
      end.getTime() / 1_000,
    );
  });

  test('say when scheduled backups were made or failed', async () => {
    const namesOf = (text: string) =>
      ['last_success_timestamp_seconds', 'last_failure_timestamp_seconds', 'size_bytes'].map((name) =>
        valueOf(text, `opensocial_backup_${name}`),
      );
    expect(namesOf(await scrape())).toEqual([0, 0, 0]);
    await query(
      where,
      `insert into backup_reports (made_at, file, bytes, failed_at) values ('2026-01-01T00:00:00Z', 'x', 4096, '2026-01-02T00:00:00Z')`,
    );
    expect(namesOf(await scrape())).toEqual([1_767_225_600, 1_767_312_000, 4_096]);
  });

  test('of the database that does not answer say so, and nothing else about the installation', async () => {
    const { db, close } = connect({ host: '127.0.0.1', port: 1, user: 'x', database: 'x' }, () => undefined);
    const text = await readInstallationMetrics({ db, config: readConfig({}) });
    expect(valueOf(text, 'opensocial_database_up')).toBe(0);
    expect(text).not.toContain('opensocial_jobs');
    expect(valueOf(await scrape(), 'opensocial_database_up')).toBe(1);
    await close();
  });
});

const deployed = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../../deploy', path), 'utf8');

const operators = new Set(['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring', 'bool', 'offset']);

/** The names of metrics in an expression: what is left without texts, labels, durations and functions. */
const metricsIn = (expression: string): string[] => {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on|ignoring) *\([^)]*\)/g, '');
  return [...bare.matchAll(/(?<![a-z0-9_])[a-z_][a-z0-9_]*(?! *\(|[a-z0-9_])/gi)]
    .map(([name]) => name)
    .filter(isMetric);
};

const isMetric = (name: string): boolean => !operators.has(name);

type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };
type Dashboard = {
  panels: { title: string; targets: { expr: string }[] }[];
  templating: { list: { query: string }[] };
};

const alerts = (): [string, string][] =>
  (parse(deployed('prometheus/alerts.yml')) as Rules).groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  );

const panels = (): [string, string][] =>
  (JSON.parse(deployed('grafana/opensocial-sso.json')) as Dashboard).panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }): [string, string] => [title, expr]),
  );

describe('every metric that is named', () => {
  /** `up` is of Prometheus itself. */
  const known = async (): Promise<Set<string>> => {
    const described = [...(await scrape()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    return new Set([
      'up',
      ...described.flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    ]);
  };

  test.for([
    ['the alert rules', alerts],
    ['the dashboard', panels],
  ] as const)('in %s exists', async ([, read]) => {
    const names = await known();
    const expressions = read();
    expect(expressions.length).toBeGreaterThan(10);
    for (const [title, expression] of expressions) {
      expect(metricsIn(expression), `${title}: ${expression}`).not.toEqual([]);
      for (const name of metricsIn(expression)) expect([...names], `${title}: ${expression}`).toContain(name);
    }
  });

  test('is found in an expression', () => {
    expect(
      metricsIn(
        'histogram_quantile(0.9, sum by (le, a) (rate(x_bucket{b=~"y|z"}[5m]))) > 1e3 and on (c) time() - y_seconds',
      ),
    ).toEqual(['x_bucket', 'y_seconds']);
  });

  test('in docs/operations.md exists', async () => {
    const names = await known();
    const text = readFileSync(join(import.meta.dirname, '../../../../../docs/operations.md'), 'utf8');
    const named = [...text.matchAll(/`(opensocial_[a-z_]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(10);
    for (const name of named) expect([...names]).toContain(name);
  });
});
