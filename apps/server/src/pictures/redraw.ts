import { argv, stdout } from 'node:process';
import sharp, { type OutputInfo, type Sharp } from 'sharp';

/**
 * Runs as a separate process: re-encodes one picture, makes a thumbnail, and exits. If a malicious file exploits the
 * image library, the process holds none of our keys or data.
 */
const maximumPixels = 50_000_000;
const maximumFrames = 100;
/** No screen shows more, and everybody who signs in has to load it. */
const longestSide = 4_096;
const thumbnailSide = 320;

const open = (file: string, withFrames = false): Sharp =>
  sharp(file, { limitInputPixels: maximumPixels, animated: withFrames });

/** Optimised coding would hold the whole picture in memory. */
const encode = (picture: Sharp, type: string): Sharp => {
  if (type === 'jpeg') return picture.jpeg({ quality: 88, optimiseCoding: false });
  return type === 'png' ? picture.png({ compressionLevel: 8 }) : picture.gif({ effort: 3 });
};

const fit = (picture: Sharp, side: number): Sharp =>
  picture.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });

/** sharp reports the frames of an animation as one tall picture. */
const toRaster = ({ size, width, height, pageHeight = height }: OutputInfo) => ({ size, width, height: pageHeight });

// Allow only the decoders for the formats that we accept.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadNsgifFile'] });
sharp.cache(false);
sharp.concurrency(1);

const [, , type = '', given = '', picture = '', thumbnail = ''] = argv;
const { pages = 1, format } = await open(given).metadata();
if (pages > maximumFrames || format !== type) throw new Error(`A ${format} of ${pages} frames.`);
const written = await encode(fit(open(given, type === 'gif').autoOrient(), longestSide), type).toFile(picture);
await fit(open(picture), thumbnailSide).webp({ quality: 80 }).toFile(thumbnail);
stdout.write(JSON.stringify(toRaster(written)));
