import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { openDataFolder, readOrCreateSecret } from '../data-folder.ts';

/** Where images are kept. Servers with the same `place` see the same images. */
export type StoragePlace = { place: string; description: string };

export const mediaFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'media');

/**
 * A folder has an id in a file of its own, because its path says nothing: several machines can mount the same folder, and two machines can
 * have different folders of the same name.
 */
export const findStoragePlace = async (config: Pick<Config, 'bucket' | 'dataDir'>): Promise<StoragePlace> => {
  if (config.bucket) return { place: config.bucket.endpoint, description: `the bucket ${config.bucket.endpoint}` };
  const folder = mediaFolder(config);
  await openDataFolder(config.dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const id = await readOrCreateSecret(join(folder, '.folder-id'), randomUUID);
  return { place: `folder ${id}`, description: `the folder ${folder} of the machine ${hostname()}` };
};
