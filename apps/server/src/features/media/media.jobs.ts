import type { Task } from 'graphile-worker';
import type { Parts } from '../../parts.ts';
import { hasProfilePicture } from '../profile/profile.pictures.service.ts';
import { hasImage } from './media.queries.ts';
import { thumbnailKey } from './media.service.ts';

/** Removes the files of an image without a row: it was deleted, or its upload was never completed. */
export const removeImageFilesTask =
  ({ db, storage }: Pick<Parts, 'db' | 'storage'>): Task =>
  async (payload) => {
    const { name } = payload as { name: string };
    if ((await hasImage(db, name)) || (await hasProfilePicture(db, name))) return;
    await storage.remove(thumbnailKey(name));
    await storage.remove(name);
  };
