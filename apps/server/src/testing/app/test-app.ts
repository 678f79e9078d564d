import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Caller, client } from '@opensocial/contract';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { buildApp } from '../../app.ts';
import { type Connection, connect } from '../../database/connect.ts';
import { prepareInstallation } from '../../features/networks/installation.ts';
import type { Parts } from '../../parts.ts';
import { afterFile } from '../machine/cleanup.ts';
import { makeDatabase } from '../machine/database.ts';
import { templateName } from '../machine/global-setup.ts';
import { Browser } from './browser.ts';
import { testOrigin, testParts } from './test-parts.ts';

export type TestApp = Connection & {
  app: FastifyInstance;
  /** The address of the database. */
  where: pg.ClientConfig;
  parts: Parts;
  dataDir: string;
  /** A browser without cookies. */
  browser: () => Browser;
  /** The typed client with the cookies of a browser, like the console uses it. */
  as: (browser: Browser) => Caller;
};

/** Those of requests, but a query may take as long as it does on a machine that is many times slower. */
const limits = { max: 20, connectionTimeoutMillis: 60_000, query_timeout: 60_000, statement_timeout: 60_000 };

/** The real app on its own database, closed after the tests of the file. */
export const buildTestApp = async (environment: Record<string, string> = {}): Promise<TestApp> => {
  const where = await makeDatabase(templateName);
  const connection = connect(where, () => undefined, limits);
  const dataDir = await mkdtemp(join(tmpdir(), 'opensocial-data-'));
  const common = testParts(connection.db, dataDir, environment);
  const parts = { ...common, ...(await prepareInstallation(common)) };
  const app = await buildApp(parts);
  afterFile(async () => {
    await app.close();
    await connection.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    ...connection,
    where,
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
