import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Text in the metadata that no processed picture may contain. */
export const hiddenWords = 'taken at home by Ana';

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2f6f8f' } });

export const makePng = (width = 40, height = 20): Promise<Buffer> => plain(width, height).png().toBuffer();

/** Pixels that cannot be compressed: about three bytes each. */
export const makeNoise = (side: number): Promise<Buffer> =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();

/** A photograph of 60 by 30, taken in portrait orientation, with location and author in its metadata. */
export const makePhotograph = (): Promise<Buffer> =>
  plain(60, 30)
    .jpeg()
    .withExif({
      IFD0: { Artist: hiddenWords },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '47/1 22/1 30/1', GPSLongitudeRef: 'E', GPSLongitude: '8/1 32/1 30/1' },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();

/** Frames of 8 by 8, alternating between black and white. */
export const makeAnimation = (frames: number): Promise<Buffer> => {
  const size = 8 * 8 * 3;
  const pixels = Buffer.alloc(frames * size, 0);
  for (let frame = 0; frame < frames; frame += 1) pixels.fill((frame % 2) * 255, frame * size, (frame + 1) * size);
  return sharp(pixels, { raw: { width: 8, height: frames * 8, channels: 3, pageHeight: 8 } })
    .gif({ keepDuplicateFrames: true })
    .toBuffer();
};

/** A few kilobytes that claim to be a picture of this many pixels a side. */
export const makeBomb = (side: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.writeUInt8(1, 8);
  const rows = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side), { level: 9 });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const chunk = (type: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
};

export const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 12"><path d="M0 0h24v12z"/></svg>';
