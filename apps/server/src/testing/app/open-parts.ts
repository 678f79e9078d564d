import type pg from 'pg';
import { readConfig } from '../../config.ts';
import { createLog } from '../../log.ts';
import { open } from '../../process/start.ts';
import { afterFile } from '../machine/cleanup.ts';
import { makeDataFolder } from '../machine/data-folder.ts';
import { urlOf } from '../machine/database.ts';
import { testOrigin } from './test-parts.ts';

/** Starts on a database like a server with these secret keys does, without listening. Closed after the tests of the file. */
export const openParts = async (where: pg.ClientConfig, ...secretKeys: string[]) => {
  const config = readConfig({
    DATABASE_URL: urlOf(where),
    DATA_DIR: await makeDataFolder(),
    SECRET_KEYS: secretKeys.map(encodeURIComponent).join(','),
    PUBLIC_URL: testOrigin,
    LOG_LEVEL: 'silent',
  });
  const opened = await open(config, createLog(config.logLevel));
  afterFile(opened.close);
  return opened;
};
