import { randomUUID } from 'node:crypto';
import { access, constants, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { ConfigError } from './config.ts';

/**
 * Creates the folder for the files of this machine: the embedded database, the secret key, mails that could not be
 * sent.
 */
export const openDataFolder = async (dataDir: string): Promise<void> => {
  try {
    // If we run as root, PostgreSQL runs under its own account and must be able to traverse this folder.
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new ConfigError(
      `DATA_DIR: the folder ${dataDir} cannot be written to. Choose another or change its permissions.`,
      { cause },
    );
  }
};

/**
 * Reads a secret, or creates it on first use. The file is linked into place, so that a kill at any moment leaves it
 * complete or missing.
 */
export const readOrCreateSecret = async (file: string, make: () => string): Promise<string> => {
  const read = async () => (await readFile(file, 'utf8')).trim();
  return read().catch(async () => {
    const temporary = `${file}.${randomUUID()}`;
    try {
      await writeFile(temporary, make(), { mode: 0o600, flush: true });
      await link(temporary, file).catch(() => undefined);
      return await read();
    } finally {
      await rm(temporary, { force: true });
    }
  });
};
