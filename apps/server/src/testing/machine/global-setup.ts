import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { TestProject } from 'vitest/node';
import { backgroundLimits, connect } from '../../database/connect.ts';
import { startEmbedded } from '../../database/embedded/embedded.ts';
import { migrate } from '../../database/migrate.ts';
import { prepareInstallation } from '../../features/networks/installation.ts';
import { createNetwork } from '../../features/networks/networks.service.ts';
import { prepareJobs } from '../../jobs/jobs.ts';
import { testParts } from '../app/test-parts.ts';

export const templateName = 'template_of_tests';

/**
 * One PostgreSQL for the whole test run, with a template database that every test file gets a copy of. It is installed
 * and has two networks, because generating their keys takes time.
 */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'opensocial-test-'));
  await chmod(folder, 0o711);
  const embedded = await startEmbedded(folder);
  const end = async () => {
    await embedded.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await makeTemplate(embedded.where, folder);
  } catch (error) {
    // Vitest does not end a set-up that has failed, and PostgreSQL would continue to run.
    await end();
    throw error;
  }
  project.provide('database', JSON.stringify(embedded.where));
  return end;
}

const makeTemplate = async (where: pg.ClientConfig, folder: string): Promise<void> => {
  const admin = connect(where, () => undefined, backgroundLimits);
  // The data does not have to survive a crash of the machine, so nothing waits for the disk.
  await admin.pool.query('alter system set fsync = off');
  // PostgreSQL cancels the transaction whose wait began first, if the deadlock exists by the time it looks. On a busy machine a test
  // may need more than the default of one second to create it.
  await admin.pool.query(`alter system set deadlock_timeout = '3s'`);
  await admin.pool.query('select pg_reload_conf()');
  await admin.pool.query(`create database ${templateName}`);
  await admin.close();
  const template = connect({ ...where, database: templateName }, () => undefined, backgroundLimits);
  const parts = testParts(template.db, folder);
  await migrate(template.pool);
  await prepareJobs(template.pool, parts.log);
  const keys = await prepareInstallation(parts);
  await template.db.transaction(async (tx) => {
    await createNetwork(tx, { ...parts, ...keys }, 'northlab');
    await createNetwork(tx, { ...parts, ...keys }, 'southlab');
  });
  await template.close();
};

declare module 'vitest' {
  interface ProvidedContext {
    database: string;
  }
}
