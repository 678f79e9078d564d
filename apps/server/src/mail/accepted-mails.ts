import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Far more than the mails that are sent at the same time. */
const maximumRemembered = 1_000;

export type AcceptedMails = { has: (id: string) => boolean; add: (id: string) => void };

/**
 * The mails that the mail server has accepted most recently. They are remembered in memory for the case that the database is unavailable when
 * their jobs should be completed, and in a file for the case that this process is killed before. The file is written synchronously, because
 * each millisecond counts here. It is not necessary for sending: if it cannot be written, as on a full disk, only the memory remains.
 */
export const openAcceptedMails = (dataDir: string): AcceptedMails => {
  const file = join(dataDir, 'accepted-mails');
  const ids = new Set(readIds(file));
  let inFile = ids.size;

  const store = (id: string): void => {
    inFile += 1;
    if (inFile <= 2 * maximumRemembered) return appendFileSync(file, `${id}\n`, { mode: 0o600 });
    writeFileSync(`${file}.part`, [...ids, ''].join('\n'), { mode: 0o600 });
    renameSync(`${file}.part`, file);
    inFile = ids.size;
  };

  return {
    has: (id) => ids.has(id),
    add: (id) => {
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > maximumRemembered && oldest !== undefined) ids.delete(oldest);
      try {
        store(id);
      } catch {
        // The memory still has it.
      }
    },
  };
};

const readIds = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).slice(-maximumRemembered);
  } catch {
    return [];
  }
};
