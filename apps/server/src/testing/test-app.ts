import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Caller, client } from '@opensocial/contract';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { buildApp } from '../app.ts';
import { type Connection, connect } from '../database/connect.ts';
import { prepareInstallation } from '../features/networks/installation.ts';
import type { Parts } from '../parts.ts';
import { newUid } from '../secrets/tokens.ts';
import { Browser } from './browser.ts';
import { templateName } from './global-setup.ts';
import { testOrigin, testParts } from './test-parts.ts';

export type TestApp = Connection & {
  app: FastifyInstance;
  parts: Parts;
  dataDir: string;
  /** A browser with no cookies. */
  browser: () => Browser;
  /** The typed client, as our own page makes calls, with the cookies of a browser. */
  as: (browser: Browser) => Caller;
};

// Here, because Vitest takes no clean-up from within a beforeAll.
const endings: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of endings) await end();
});

/** The real app on a database of its own, closed after the file's tests. */
export const buildTestApp = async (environment: Record<string, string> = {}): Promise<TestApp> => {
  const where = JSON.parse(inject('database')) as pg.ClientConfig;
  const database = `test_${newUid()}`;
  await execute(where, `create database ${database} template ${templateName}`);
  const connection = connect({ ...where, database }, () => undefined);
  const dataDir = await mkdtemp(join(tmpdir(), 'opensocial-data-'));
  const common = testParts(connection.db, dataDir, environment);
  const { consoleKey } = await prepareInstallation(common);
  const parts = { ...common, consoleKey };
  const app = await buildApp(parts);
  endings.push(async () => {
    await app.close();
    await connection.close();
    await execute(where, `drop database ${database} with (force)`);
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    ...connection,
    app,
    parts,
    dataDir,
    browser: () => new Browser(app),
    as: (browser) =>
      client({
        origin: testOrigin,
        fetch: (url, init) => browser.fetch(url as string, init, { 'sec-fetch-site': 'same-origin' }),
      }),
  };
};

const execute = async (where: pg.ClientConfig, statement: string): Promise<void> => {
  const admin = new pg.Client({ ...where, database: 'postgres' });
  await admin.connect();
  await admin.query(statement).finally(() => admin.end());
};
