import type { Task } from 'graphile-worker';
import type { Parts } from '../../parts.ts';
import { isFileNeeded } from './media.queries.ts';
import { thumbnailKey } from './media.service.ts';

/** Removes the files of an image that is neither in use nor in the trash: it was deleted for good, or its upload was never completed. */
export const removeImageFilesTask =
  ({ db, storage }: Pick<Parts, 'db' | 'storage'>): Task =>
  async (payload) => {
    const { name } = payload as { name: string };
    if (await isFileNeeded(db, name)) return;
    await storage.remove(thumbnailKey(name));
    await storage.remove(name);
  };
