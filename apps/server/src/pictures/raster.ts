import sharp, { type OutputInfo, type Sharp } from 'sharp';
import { inTurn } from './in-turn.ts';
import type { PictureType } from './picture-type.ts';

export type RasterType = Exclude<PictureType, 'svg'>;
export type Raster = { size: number; width: number; height: number };

const maximumPixels = 50_000_000;
const maximumFrames = 100;
/** No screen shows more, and everyone who signs in waits for it. */
const longestSide = 4_096;
const thumbnailSide = 320;
const longestSeconds = 30;

// Of all that the library can read, only what we take; nothing is kept from one picture to the next.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadNsgifFile'] });
sharp.cache(false);
sharp.concurrency(1);

/** One after the other: a decoded picture takes up to 200 MB. */
const takeTurn = inTurn();

/**
 * Draws a picture anew, and a thumbnail of it. Whatever else the file held is gone: places, cameras, comments, and code that
 * another program might read. Fails where it cannot be read whole.
 */
export const redraw = (file: string, type: RasterType, into: { picture: string; thumbnail: string }): Promise<Raster> =>
  takeTurn(async () => {
    const { pages = 1, format } = await open(file).metadata();
    if (pages > maximumFrames || format !== type) throw new Error(`A ${format} of ${pages} frames.`);
    const fitted = open(file, type === 'gif')
      .autoOrient()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true });
    const written = await encode(fitted, type).toFile(into.picture);
    await thumbnailOf(into.picture).toFile(into.thumbnail);
    return toRaster(written);
  });

const open = (file: string, withFrames = false): Sharp =>
  sharp(file, { limitInputPixels: maximumPixels, animated: withFrames }).timeout({ seconds: longestSeconds });

/** Finding the best coding first would hold the whole picture in memory. */
const encode = (picture: Sharp, type: RasterType): Sharp => {
  if (type === 'jpeg') return picture.jpeg({ quality: 88, optimiseCoding: false });
  return type === 'png' ? picture.png({ compressionLevel: 8 }) : picture.gif({ effort: 3 });
};

const thumbnailOf = (file: string): Sharp =>
  open(file)
    .resize({ width: thumbnailSide, height: thumbnailSide, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 });

/** The frames of an animation are counted as one tall picture. */
const toRaster = ({ size, width, height, pageHeight = height }: OutputInfo): Raster => ({
  size,
  width,
  height: pageHeight,
});
