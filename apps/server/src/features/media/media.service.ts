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
import { measureTrash, moveToTrash } from '../trash/trash.service.ts';
import {
  clearUses,
  deleteImage,
  findInLibrary,
  findLinks,
  findUses,
  holdLibraries,
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
  await assertRoom(parts, await measureStored(db, caller.network.id), picture);
  const name = `${newUid()}${picture.extension}`;
  await jobs.removeImageFiles(db, name, minutesToStore);
  await storage.put(name, picture.file);
  if (picture.thumbnail) await storage.put(thumbnailKey(name), picture.thumbnail);
  try {
    return await db.transaction(async (tx) => {
      await assertOpen(tx, caller.actor);
      await holdLibraries(tx, caller.network.id);
      await assertRoom(parts, await measureStored(tx, caller.network.id), picture);
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
      await recordAudit(tx, {
        ...actorOf(caller),
        action: 'create',
        object: 'image',
        subject: 'image',
        new_data: image,
      });
      return image;
    });
  } catch (error) {
    await jobs.removeImageFiles(db, name).catch(() => undefined);
    throw error;
  }
};

/** The size of all images whose files are stored, also of those in the trash. Otherwise deleting images would be a way around the quota. */
const measureStored = async (db: Queryable, networkId: number): Promise<number> =>
  (await measureLibraries(db, networkId)) + (await measureTrash(db, networkId));

const assertRoom = async ({ config }: Parts, used: number, { size }: Picture): Promise<void> => {
  if (used + size > config.mediaQuota) throw new ApiError('library_full');
};

export const changeImage = ({ db }: Parts, kind: ImageKind, caller: Caller, id: number, changes: ImageChanges) =>
  db.transaction(async (tx) => {
    const old = await findInLibrary(tx, { networkId: caller.network.id, kind }, { id }, true);
    if (!old) throw new ApiError('not_found');
    const image = await updateImage(tx, id, changes);
    const change = { action: 'update', object: 'image', subject: 'image', old_data: old, new_data: image } as const;
    await recordAudit(tx, { ...actorOf(caller), ...change });
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

/**
 * Moves an image to the trash. A job that is queued in the same transaction removes the files if nothing is kept there. Returns the id of the
 * entry.
 */
export const removeImage = (parts: Parts, kind: ImageKind, caller: Caller, name: string, isForced: boolean) =>
  parts.db.transaction(async (tx) => {
    const image = await findInLibrary(tx, { networkId: caller.network.id, kind }, { name }, true);
    if (!image) throw new ApiError('not_found');
    const mailed = await findTemplatesWith(tx, caller.network.id, name);
    const uses = namesOf({ ...(await findUses(tx, caller.network.id, name)), isMailed: mailed.length > 0 });
    if (uses.length > 0 && !isForced) throw new ApiError('image_in_use', { message: describeUses(uses) });
    const change = { action: 'delete', object: 'image', subject: 'image', old_data: { ...image, uses } } as const;
    const auditId = await recordAudit(tx, { ...actorOf(caller), ...change });
    const trashId = await moveToTrash(tx, parts, caller, {
      kind: 'image',
      id: image.id,
      label: image.title || image.file_name || image.name,
      detail: image.file_name,
      auditId,
      bytes: image.size,
      links: await findLinks(tx, caller.network.id, name),
      notes: mailed.length > 0 ? ['The image was used in email templates. Add it to them again.'] : [],
    });
    await clearUses(tx, caller.network.id, name);
    await removeImageFromTemplates(tx, mailed, name);
    await deleteImage(tx, image.id);
    await parts.jobs.removeImageFiles(tx, name);
    return trashId;
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
