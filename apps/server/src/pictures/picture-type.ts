import { open } from 'node:fs/promises';
import { extname } from 'node:path';

export type PictureType = 'jpeg' | 'png' | 'gif' | 'svg';

export const mediaTypes: Record<PictureType, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  svg: 'image/svg+xml',
};

/** The first extension of each type is the one we use. */
export const extensions: Record<PictureType, [string, ...string[]]> = {
  jpeg: ['.jpg', '.jpeg', '.jpe'],
  png: ['.png'],
  gif: ['.gif'],
  svg: ['.svg'],
};

const signatures: Record<PictureType, (head: string) => boolean> = {
  jpeg: (head) => head.startsWith('\xff\xd8\xff'),
  png: (head) => head.startsWith('\x89PNG\r\n\x1a\n'),
  gif: (head) => /^GIF8[79]a/.test(head),
  svg: (head) => /^(?:\xef\xbb\xbf)?\s*<(?:svg|\?xml|!--)/.test(head),
};

/**
 * Detects the type from a file's first bytes. Undefined if the type is not supported or the file extension says
 * otherwise.
 */
export const findPictureType = async (file: string, name: string): Promise<PictureType | undefined> => {
  const head = await readHead(file);
  const type = (Object.keys(signatures) as PictureType[]).find((each) => signatures[each](head));
  const extension = extname(name).toLowerCase();
  return type && (extension === '' || extensions[type].includes(extension)) ? type : undefined;
};

const readHead = async (file: string): Promise<string> => {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(200) });
  return buffer.toString('latin1', 0, bytesRead);
};
