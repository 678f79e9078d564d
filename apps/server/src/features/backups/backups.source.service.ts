import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { type Config, ConfigError } from '../../config.ts';
import { openDataFolder } from '../../data-folder.ts';
import { describeCluster, isInitialised } from '../../database/embedded/cluster.ts';
import { findEmbedded, startEmbedded } from '../../database/embedded/embedded.ts';
import { secretKeyFile } from '../../secrets/secret-keys.ts';
import { createStorage } from '../../storage/create-storage.ts';
import { BackupError } from './backups.format.ts';
import type { BackupSource } from './backups.make.service.ts';
import type { RestoreTarget } from './backups.restore.service.ts';

type Opened = { where: pg.ClientConfig; close: () => Promise<void> };

const nothing = async (): Promise<void> => undefined;

/** The database of the configuration. A running server is used together with it; nothing is migrated. */
const openExisting = async ({ databaseUrl, dataDir }: Config): Promise<Opened> => {
  if (databaseUrl) return { where: { connectionString: databaseUrl }, close: nothing };
  const running = await findEmbedded(dataDir);
  if (running) return { where: running, close: nothing };
  if (!(await isInitialised(await describeCluster(dataDir))))
    throw new ConfigError(
      `DATA_DIR: there is no database in ${dataDir}, so there is nothing to back up. Set DATA_DIR or DATABASE_URL as for the server.`,
    );
  const { where, stop } = await startEmbedded(dataDir);
  return { where, close: stop };
};

/** What a backup of this installation is made of. */
export const describeSource = async (config: Config, where: pg.ClientConfig): Promise<BackupSource> => ({
  where,
  storage: createStorage(config),
  secretKey: await readKeyToInclude(config),
});

const readKeyToInclude = async ({ secretKeys, dataDir, backups }: Config): Promise<string | undefined> => {
  if (secretKeys.length > 0 || !backups.includesKey) return undefined;
  const file = secretKeyFile(dataDir);
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new BackupError(
      `The secret key ${file} cannot be read. Set DATA_DIR as for the server, or BACKUP_SECRET_KEY to omit.`,
      { cause },
    );
  });
};

export const openSource = async (config: Config): Promise<{ source: BackupSource; close: () => Promise<void> }> => {
  const { where, close } = await openExisting(config);
  try {
    return { source: await describeSource(config, where), close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** The database that a backup is restored into. The embedded one is created if it does not exist, and no server may use it. */
export const openTarget = async (config: Config): Promise<{ target: RestoreTarget; close: () => Promise<void> }> => {
  await openDataFolder(config.dataDir);
  const storage = createStorage(config);
  if (config.databaseUrl)
    return {
      target: { config, where: { connectionString: config.databaseUrl }, isAlone: false, storage },
      close: nothing,
    };
  const { where, stop } = await startEmbedded(config.dataDir);
  return { target: { config, where, isAlone: true, storage }, close: stop };
};
