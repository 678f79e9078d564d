import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ConfigError } from '../../config.ts';
import type { Database } from '../../database/connect.ts';
import { findRecordsAfter } from './audit.chain.queries.ts';

const batchSize = 1_000;

/** Writes all records to a file, one JSON object per line, with the names of their networks and their places in the chain. Returns how many. */
export const exportAuditLog = async (db: Database, path: string, since: Date | undefined): Promise<number> => {
  let written = 0;
  const lines = async function* () {
    for (let after = 0; ; ) {
      const found = await findRecordsAfter(db, after, since, batchSize);
      const last = found.at(-1);
      if (!last) return;
      after = last.record.id;
      written += found.length;
      yield found
        .map(({ record, network, position, mac }) =>
          JSON.stringify({ ...record, network, position, mac: mac && mac.toString('hex') }),
        )
        .join('\n')
        .concat('\n');
    }
  };
  // The file has personal data: an existing one is not overwritten, and only its owner can read it.
  const file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw new ConfigError(`${path} could not be created: ${(cause as Error).message}`, { cause });
  });
  try {
    await pipeline(lines, file.createWriteStream());
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return written;
};
