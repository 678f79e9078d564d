import { isUtf8 } from 'node:buffer';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { ApiError } from '@opensocial/contract';
import { cleanSvg, sizeOfSvg } from '../markup/svg.ts';
import { extensions, findPictureType, mediaTypes } from './picture-type.ts';
import { type RasterType, redraw } from './raster.ts';

/** A processed picture, in files that we have written. An SVG drawing has no separate thumbnail. */
export type Picture = {
  mediaType: string;
  extension: string;
  file: string;
  thumbnail: string | undefined;
  size: number;
  width: number;
  height: number;
};

/** Processes an uploaded file. The new files are written beside it and named after it. */
export const makePicture = async (given: { path: string; name: string }): Promise<Picture> => {
  const type = await findPictureType(given.path, given.name);
  if (!type) throw new ApiError('file_type_invalid');
  const picture = { mediaType: mediaTypes[type], extension: extensions[type][0], file: `${given.path}.picture` };
  return type === 'svg'
    ? { ...picture, thumbnail: undefined, ...(await copyDrawing(given.path, picture.file)) }
    : { ...picture, ...(await copyRaster(given.path, type, picture.file)) };
};

const copyRaster = async (from: string, type: RasterType, file: string) => {
  const thumbnail = `${from}.thumbnail`;
  try {
    return { thumbnail, ...(await redraw(from, type, { picture: file, thumbnail })) };
  } catch (cause) {
    throw new ApiError(isNoSpace(cause) ? 'storage_full' : 'file_unreadable', { cause });
  }
};

/** The library reports a full disk only in the text of the message. */
const isNoSpace = (error: unknown): boolean =>
  error instanceof Error && /no space left|quota exceeded/i.test(error.message);

const maximumDrawingBytes = 1024 * 1024;

const copyDrawing = async (from: string, file: string) => {
  const clean = cleanSvg(await readDrawing(from));
  if (clean === undefined)
    throw new ApiError('file_unreadable', {
      message: 'This drawing cannot be used: it is not plain SVG, draws nothing, or has more than 1 MB.',
    });
  await writeFile(file, clean);
  return { size: Buffer.byteLength(clean), ...sizeOfSvg(clean) };
};

/** Reads a drawing as text; empty if it is too large or not UTF-8. */
const readDrawing = async (file: string): Promise<string> => {
  if ((await stat(file)).size > maximumDrawingBytes) return '';
  const bytes = await readFile(file);
  return isUtf8(bytes) ? bytes.toString() : '';
};
