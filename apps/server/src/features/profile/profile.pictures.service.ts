import { ApiError } from '@opensocial/contract';
import type { Queryable, Transaction } from '../../database/connect.ts';
import type { UploadedFile } from '../../http/receive.ts';
import type { InSession } from '../../identity/actor.ts';
import type { Parts } from '../../parts.ts';
import { makePicture } from '../../pictures/pictures.ts';
import { newUid } from '../../secrets/tokens.ts';
import { assertOpen } from '../session/session.service.ts';
import { deletePictures, hasPicture, insertPicture, lockUserRow, updatePicture } from './profile.queries.ts';

/** The path prefix of profile pictures, as accounts and sessions store it. */
export const pictureFolder = '/server/sso/profile_pic/';

const toFullPath = (file: string): string => `${pictureFolder}${file}`;
const toFile = (fullPath: string): string => fullPath.slice(pictureFolder.length);

/** The delay of the clean-up job, which is longer than storing a file takes. */
const minutesToStore = 60;

/**
 * Makes a profile picture from an uploaded file, in the size in which it is shown, and stores it. Earlier uploads that
 * are not shown are removed. The file is stored before the row is inserted; a job that was queued before removes it if
 * the row is never inserted.
 */
export const addPicture = async (parts: Parts, { actor, user }: InSession, file: UploadedFile): Promise<string> => {
  const { db, jobs, storage } = parts;
  const picture = await makePicture(file);
  const name = picture.thumbnail ? `${newUid()}.webp` : `${newUid()}${picture.extension}`;
  await jobs.removeImageFiles(db, name, minutesToStore);
  await storage.put(name, picture.thumbnail ?? picture.file);
  const fullPath = toFullPath(name);
  await db.transaction(async (tx) => {
    const locked = await lockUserRow(tx, user.id);
    await assertOpen(tx, actor);
    await insertPicture(tx, user.id, fullPath);
    await deletePicturesExcept(tx, parts, user.id, [fullPath, ...(locked?.picture ? [locked.picture] : [])]);
  });
  return fullPath;
};

/** Shows an uploaded picture and removes the previous one. */
export const showPicture = (parts: Parts, userId: number, picture: string): Promise<void> =>
  parts.db.transaction(async (tx) => {
    await lockUserRow(tx, userId);
    if (!(await updatePicture(tx, userId, picture))) throw new ApiError('picture_unknown');
    await deletePicturesExcept(tx, parts, userId, [picture]);
  });

/** Removes all pictures of an account that is deleted. */
export const removePictures = (tx: Transaction, parts: Parts, userId: number): Promise<void> =>
  deletePicturesExcept(tx, parts, userId);

const deletePicturesExcept = async (
  tx: Queryable,
  { jobs }: Parts,
  userId: number,
  kept?: readonly string[],
): Promise<void> => {
  for (const name of await deletePictures(tx, userId, kept)) await jobs.removeImageFiles(tx, toFile(name));
};

export const hasProfilePicture = (db: Queryable, file: string): Promise<boolean> => hasPicture(db, toFullPath(file));
