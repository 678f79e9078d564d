import { randomUUID } from 'node:crypto';
import { constants, copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from './storage.ts';

/** Files in a folder. A file is written aside and has reached the disk before it gets its name. */
export const createFolderStorage = (folder: string): Storage => ({
  put: async (key, file) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const aside = join(folder, `.${randomUUID()}`);
    try {
      await copyFile(file, aside, constants.COPYFILE_FICLONE);
      await flush(aside);
      await rename(aside, placeOf(folder, key));
      await flush(folder);
    } finally {
      await rm(aside, { force: true });
    }
  },
  get: async (key) => {
    try {
      const handle = await open(placeOf(folder, key));
      const { size } = await handle.stat();
      return { size, stream: handle.createReadStream() };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  },
  remove: async (key) => {
    await rm(placeOf(folder, key), { force: true });
  },
});

/** Keys are ours; one that could lead elsewhere is a fault of the program. */
const placeOf = (folder: string, key: string): string => {
  if (!/^\w+(?:\.\w+)*$/.test(key)) throw new Error('This is no key of the storage.');
  return join(folder, key);
};

const flush = async (path: string): Promise<void> => {
  await using handle = await open(path, 'r');
  await handle.sync();
};
