import { join } from 'node:path';
import type pg from 'pg';
import { readConfig } from '../../config.ts';
import { type MadeBackup, makeBackup } from '../../features/backups/backups.make.service.ts';
import { type RestoreTarget, restoreBackup } from '../../features/backups/backups.restore.service.ts';
import { createStorage } from '../../storage/create-storage.ts';
import { makeDataFolder } from '../machine/data-folder.ts';
import { makeDatabase } from '../machine/database.ts';
import type { TestApp } from './test-app.ts';

/** The key of `testParts`. */
export const testSecretKey = 'a secret key that only tests use';

/** A backup of a test app in a folder of its own. */
export const backUp = async (
  { where, parts }: Pick<TestApp, 'where' | 'parts'>,
  name = 'backup.tar.gz',
): Promise<MadeBackup> =>
  makeBackup({ where, storage: parts.storage, secretKey: undefined }, join(await makeDataFolder(), name));

/** An empty database and data folder to restore into. */
export const makeTarget = async (
  where?: pg.ClientConfig,
  environment: Record<string, string> = { SECRET_KEY: testSecretKey },
): Promise<RestoreTarget> => {
  const config = readConfig({ DATA_DIR: await makeDataFolder(), ...environment });
  return { config, where: where ?? (await makeDatabase()), isAlone: false, storage: createStorage(config) };
};

export const restore = (file: string, target: RestoreTarget, mayReplace = false) =>
  restoreBackup(file, target, { mayReplace: async () => mayReplace, report: () => undefined });
