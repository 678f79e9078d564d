import { isUtf8 } from 'node:buffer';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { ApiError } from '@opensocial/contract';
import { cleanSvg, sizeOfSvg } from '../markup/svg.ts';
import { extensions, findPictureType, mediaTypes } from './picture-type.ts';
import { type RasterType, redraw } from './raster.ts';

/** A picture as we keep it: in files of our own writing, beside the one that was given. A drawing is its own thumbnail. */
export type Picture = {
  mediaType: string;
  extension: string;
  file: string;
  thumbnail: string | undefined;
  size: number;
  width: number;
  height: number;
};

/** Makes a picture of ours from a file that somebody sent; the files it makes are named after that one. */
export const makePicture = async (given: { path: string; name: string }): Promise<Picture> => {
  const type = await findPictureType(given.path, given.name);
  if (!type) throw new ApiError('file_type_invalid');
  const kept = { mediaType: mediaTypes[type], extension: extensions[type][0], file: `${given.path}.picture` };
  return type === 'svg'
    ? { ...kept, thumbnail: undefined, ...(await copyDrawing(given.path, kept.file)) }
    : { ...kept, ...(await copyRaster(given.path, type, kept.file)) };
};

const copyRaster = async (from: string, type: RasterType, file: string) => {
  const thumbnail = `${from}.thumbnail`;
  try {
    return { thumbnail, ...(await redraw(from, type, { picture: file, thumbnail })) };
  } catch (cause) {
    throw new ApiError(isNoSpace(cause) ? 'storage_full' : 'file_unreadable', { cause });
  }
};

/** The library tells by words alone that the disk is full. */
const isNoSpace = (error: unknown): boolean =>
  error instanceof Error && /no space left|quota exceeded/i.test(error.message);

const longestDrawing = 1024 * 1024;

const copyDrawing = async (from: string, file: string) => {
  const clean = cleanSvg(await readDrawing(from));
  if (clean === undefined)
    throw new ApiError('file_unreadable', {
      message: 'This drawing cannot be used: it is not plain SVG, draws nothing, or has more than 1 MB.',
    });
  await writeFile(file, clean);
  return { size: Buffer.byteLength(clean), ...sizeOfSvg(clean) };
};

/** As text, or nothing where it is too long or no UTF-8. */
const readDrawing = async (file: string): Promise<string> => {
  if ((await stat(file)).size > longestDrawing) return '';
  const bytes = await readFile(file);
  return isUtf8(bytes) ? bytes.toString() : '';
};
