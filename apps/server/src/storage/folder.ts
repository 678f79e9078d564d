import { randomUUID } from 'node:crypto';
import { constants, copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from './storage.ts';

/** Stores files in a folder. A file is written under a temporary name and flushed to disk before it is renamed. */
export const createFolderStorage = (folder: string): Storage => ({
  put: async (key, file) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const temporary = join(folder, `.${randomUUID()}`);
    try {
      await copyFile(file, temporary, constants.COPYFILE_FICLONE);
      await flush(temporary);
      await rename(temporary, pathOf(folder, key));
      await flush(folder);
    } finally {
      await rm(temporary, { force: true });
    }
  },
  get: async (key) => {
    try {
      const handle = await open(pathOf(folder, key));
      const { size } = await handle.stat();
      return { size, stream: handle.createReadStream() };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  },
  remove: async (key) => {
    await rm(pathOf(folder, key), { force: true });
  },
});

/** Keys are created by us. A key that could point outside the folder is a bug. */
const pathOf = (folder: string, key: string): string => {
  if (!/^\w+(?:\.\w+)*$/.test(key)) throw new Error('Invalid storage key.');
  return join(folder, key);
};

const flush = async (path: string): Promise<void> => {
  await using handle = await open(path, 'r');
  await handle.sync();
};
