import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ConfigError, minimumSecretLength } from '../config.ts';
import { openDataFolder, readOrCreateSecret } from '../data-folder.ts';

/**
 * The configured keys, the current one first. Without any, the keys in the data folder, one per line; the first start
 * creates one.
 */
export const readSecretKeys = async (configured: readonly string[], dataDir: string): Promise<readonly string[]> => {
  if (configured.length > 0) return configured;
  await openDataFolder(dataDir);
  const file = secretKeyFile(dataDir);
  return parseSecretKeys(await readOrCreateSecret(file, () => randomBytes(32).toString('base64url')), file);
};

/** The file of the keys if none is configured. */
export const secretKeyFile = (dataDir: string): string => join(dataDir, 'secret-key');

/** The keys in the text of a file, one per line. */
export const parseSecretKeys = (text: string, file: string): readonly string[] => {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  if (keys.length === 0 || keys.some((key) => key.length < minimumSecretLength))
    throw new ConfigError(`The secret key in ${file} is damaged. Restore it from a backup.`);
  if (new Set(keys).size < keys.length) throw new ConfigError(`The file ${file} contains a key twice.`);
  return keys;
};
