import { randomUUID } from 'node:crypto';
import { access, constants, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { ConfigError } from './config.ts';

/** The folder for what this machine keeps: its own database, the secret key, mail that could not be sent. */
export const openDataFolder = async (dataDir: string): Promise<void> => {
  try {
    // PostgreSQL runs under an account of its own when we are root, and has to pass through.
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new ConfigError(
      `DATA_DIR: the folder ${dataDir} cannot be written to. Choose another or change its permissions.`,
      { cause },
    );
  }
};

/** A secret made at the first start and only read from then on. Killed at any moment, it is there whole or not at all. */
export const keepSecret = async (file: string, make: () => string): Promise<string> => {
  const read = async () => (await readFile(file, 'utf8')).trim();
  return read().catch(async () => {
    const aside = `${file}.${randomUUID()}`;
    try {
      await writeFile(aside, make(), { mode: 0o600, flush: true });
      await link(aside, file).catch(() => undefined);
      return await read();
    } finally {
      await rm(aside, { force: true });
    }
  });
};
