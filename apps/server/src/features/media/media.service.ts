import { parse } from 'node:path';
import { ApiError, getIconImage, getImage, type Image, type ImageChanges } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import type { UploadedFile } from '../../http/receive.ts';
import type { Parts } from '../../parts.ts';
import { makePicture, type Picture } from '../../pictures/pictures.ts';
import { newUid } from '../../secrets/tokens.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { assertOpen } from '../session/session.service.ts';
import { findTemplatesWith, removeImageFromTemplates } from '../templates/templates.service.ts';
import {
  clearUses,
  deleteImage,
  findInLibrary,
  findUses,
  type ImageKind,
  type ImageRecord,
  insertImage,
  lockImages,
  measureLibraries,
  updateImage,
} from './media.queries.ts';

/** The URL of an image. */
export const imageUrl = (kind: ImageKind, network: string, name: string): string =>
  kind === 'icon' ? getIconImage.path.build({ server: network, name }) : getImage.path.build({ name });

/** The key of an image's thumbnail. Drawings have none, because they scale. */
export const thumbnailKey = (name: string): string => `${name}.thumbnail`;

export const isDrawing = ({ media_type }: Pick<ImageRecord, 'media_type'>): boolean => media_type === 'image/svg+xml';

export const toImage = (image: ImageRecord, network: string): Image => {
  const url = imageUrl(image.kind, network, image.name);
  return {
    id: image.id,
    name: image.name,
    alt_text: image.alt_text,
    title: image.title,
    caption: image.caption,
    description: image.description,
    created: image.created_at.toISOString(),
    size: Math.ceil(image.size / 1024),
    width: image.width,
    height: image.height,
    file_name: image.file_name,
    url,
    thumbnail: isDrawing(image) ? url : `${url}?thumbnail`,
  };
};

/** The file name without control characters, cut to a readable length. */
const toFileName = (name: string): string => name.replaceAll(/\p{C}/gu, '').slice(0, 255);

/** The delay of the clean-up job, which is longer than storing two files takes. */
const minutesToStore = 60;

/**
 * Processes an uploaded file and adds it to a library. The files are stored before the row is inserted. A job that was
 * queued before removes them if the row is never inserted.
 */
export const addImage = async (
  parts: Parts,
  kind: ImageKind,
  caller: Caller,
  file: UploadedFile,
): Promise<ImageRecord> => {
  const { db, jobs, storage } = parts;
  const picture = await makePicture(file);
  await assertRoom(parts, await measureLibraries(db, caller.network.id), picture);
  const name = `${newUid()}${picture.extension}`;
  await jobs.removeImageFiles(db, name, minutesToStore);
  await storage.put(name, picture.file);
  if (picture.thumbnail) await storage.put(thumbnailKey(name), picture.thumbnail);
  try {
    return await db.transaction(async (tx) => {
      await assertOpen(tx, caller.actor);
      await assertRoom(parts, await measureLibraries(tx, caller.network.id, true), picture);
      const image = await insertImage(tx, {
        network_id: caller.network.id,
        kind,
        name,
        file_name: toFileName(file.name),
        title: toFileName(parse(file.name).name),
        media_type: picture.mediaType,
        size: picture.size,
        width: picture.width,
        height: picture.height,
      });
      await recordAudit(tx, { ...actorOf(caller), action: 'create', subject: 'image', new_data: image });
      return image;
    });
  } catch (error) {
    await jobs.removeImageFiles(db, name).catch(() => undefined);
    throw error;
  }
};

const assertRoom = async ({ config }: Parts, used: number, { size }: Picture): Promise<void> => {
  if (used + size > config.mediaQuota) throw new ApiError('library_full');
};

export const changeImage = ({ db }: Parts, kind: ImageKind, caller: Caller, id: number, changes: ImageChanges) =>
  db.transaction(async (tx) => {
    const old = await findInLibrary(tx, { networkId: caller.network.id, kind }, { id }, true);
    if (!old) throw new ApiError('not_found');
    const image = await updateImage(tx, id, changes);
    await recordAudit(tx, { ...actorOf(caller), action: 'update', subject: 'image', old_data: old, new_data: image });
    return image;
  });

/**
 * Asserts that the images named in a change belong to the network, and locks them against deletion until it is made.
 */
export const assertImagesOf = async (
  tx: Queryable,
  networkId: number,
  kind: ImageKind,
  names: readonly string[],
): Promise<void> => {
  const wanted = [...new Set(names)];
  if (wanted.length > 0 && (await lockImages(tx, { networkId, kind }, wanted)) !== wanted.length)
    throw new ApiError('image_unknown');
};

/** Deletes the row, and queues a job in the same transaction that removes the files. */
export const removeImage = ({ db, jobs }: Parts, kind: ImageKind, caller: Caller, name: string, isForced: boolean) =>
  db.transaction(async (tx) => {
    const image = await findInLibrary(tx, { networkId: caller.network.id, kind }, { name }, true);
    if (!image) throw new ApiError('not_found');
    const mailed = await findTemplatesWith(tx, caller.network.id, name);
    const uses = namesOf({ ...(await findUses(tx, caller.network.id, name)), isMailed: mailed.length > 0 });
    if (uses.length > 0 && !isForced) throw new ApiError('image_in_use', { message: describeUses(uses) });
    await clearUses(tx, caller.network.id, name);
    await removeImageFromTemplates(tx, mailed, name);
    await deleteImage(tx, image.id);
    await recordAudit(tx, { ...actorOf(caller), action: 'delete', subject: 'image', old_data: { ...image, uses } });
    await jobs.removeImageFiles(tx, name);
  });

type Uses = Awaited<ReturnType<typeof findUses>> & { isMailed: boolean };

const namesOf = ({ sites, isNetworks, isMailed }: Uses): string[] => [
  ...sites.map((site) => `the site ${site.name}`),
  ...(isNetworks ? ['the settings of the network'] : []),
  ...(isMailed ? ['the email templates'] : []),
];

const maximumNamed = 5;

const describeUses = (uses: string[]): string => {
  const more = uses.length - maximumNamed;
  const named = [...uses.slice(0, maximumNamed), ...(more > 0 ? [`${more} more`] : [])];
  return `This image is in use by ${new Intl.ListFormat('en').format(named)}. Deleting it removes it there as well.`;
};
