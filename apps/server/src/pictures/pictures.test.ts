import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import {
  drawing,
  hiddenWords,
  makeAnimation,
  makeBomb,
  makePhotograph,
  makePng,
} from '../testing/payloads/pictures.ts';
import { makePicture } from './pictures.ts';

const folder = await makeDataFolder();

const take = async (name: string, bytes: Buffer | string) => {
  const path = join(await mkdtemp(join(folder, 'one-')), 'file');
  await writeFile(path, bytes);
  return { path, made: makePicture({ path, name }) };
};
const make = async (name: string, bytes: Buffer | string) => (await take(name, bytes)).made;

const unreadable = { code: 'file_unreadable', status: 400 };
const wrongType = {
  code: 'file_type_invalid',
  status: 400,
  message: 'The file type is not valid. Supported types: image/jpeg, image/png, image/jpg, image/svg, image/gif',
};

describe('an uploaded picture', () => {
  test.for([
    ['a.png', makePng, { mediaType: 'image/png', extension: '.png', width: 40, height: 20 }],
    ['a.jpg', makePhotograph, { mediaType: 'image/jpeg', extension: '.jpg', width: 30, height: 60 }],
    ['a.JPEG', makePhotograph, { mediaType: 'image/jpeg', extension: '.jpg' }],
    ['a.gif', () => makeAnimation(3), { mediaType: 'image/gif', extension: '.gif', width: 8, height: 8 }],
    ['a.svg', async () => drawing, { mediaType: 'image/svg+xml', extension: '.svg', width: 24, height: 12 }],
    ['named-nothing', makePng, { mediaType: 'image/png' }],
  ] as const)('§5 of the type %s keeps its type', async ([name, bytes, expected]) => {
    const picture = await make(name, await bytes());
    expect(picture).toMatchObject(expected);
    expect(picture.size).toBe((await readFile(picture.file)).length);
  });

  test('contains no location or author, and is upright', async () => {
    const photograph = await makePhotograph();
    expect(photograph.includes(hiddenWords)).toBe(true);
    const { file, thumbnail = '' } = await make('a.jpg', photograph);
    expect((await sharp(file).metadata()).exif).toBeUndefined();
    for (const kept of [file, thumbnail]) expect(await readFile(kept, 'latin1')).not.toMatch(/Exif|Ana|GPS/);
  });

  test('has a thumbnail, which is never larger than the picture', async () => {
    const small = await make('a.png', await makePng(40, 20));
    const large = await make('a.png', await makePng(2_000, 1_000));
    for (const { thumbnail = '' } of [small, large])
      expect(await readFile(thumbnail, 'latin1')).toMatch(/^RIFF....WEBPVP8/s);
    expect(await widthOfWebp(small.thumbnail)).toBe(40);
    expect(await widthOfWebp(large.thumbnail)).toBe(320);
  });

  test('is reduced to the size of a large screen', async () => {
    expect(await make('a.png', await makePng(5_000, 100))).toMatchObject({ width: 4_096, height: 82 });
  });

  test('keeps its frames if it is animated', async () => {
    const { file } = await make('a.gif', await makeAnimation(100));
    expect((await sharp(file, { animated: true }).metadata()).pages).toBe(100);
  });

  test('loses what a polyglot file hides behind its pixels', async () => {
    const polyglot = Buffer.concat([await makePng(), Buffer.from('<script>alert(1)</script><?php echo 1 ?>')]);
    const { file } = await make('a.png', polyglot);
    expect(await readFile(file, 'latin1')).not.toMatch(/script|php/);
  });

  test('that is a drawing is copied without active content', async () => {
    const { file, thumbnail } = await make('a.svg', drawing.replace('<path', '<script>alert(1)</script><path'));
    expect(await readFile(file, 'utf8')).toBe(drawing);
    expect(thumbnail).toBeUndefined();
  });
});

describe('a file that is not a picture', () => {
  test.for([
    ['a script with a first word of GIF', 'a.gif', 'GIF89a/*<script>alert(1)</script>*/=1;'],
    ['a page that says it is a drawing', 'a.svg', '<!-- --><html><body><script>alert(1)</script></body></html>'],
    ['a drawing with an entity bomb', 'a.svg', `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]>${drawing}`],
    ['a drawing of more than 1 MiB', 'a.svg', drawing.replace('M0 0', 'M0 0 '.repeat(250_000))],
    ['a drawing in another encoding', 'a.svg', Buffer.from(drawing.replace('M0', '\xe9'), 'latin1')],
  ] as const)('such as %s is refused', async ([, name, bytes]) => {
    await expect(make(name, bytes)).rejects.toMatchObject(unreadable);
  });

  test.for([
    ['nothing', 'a.png', ''],
    ['a page named .png', 'a.png', '<html><script>alert(1)</script></html>'],
    ['a program named .jpg', 'a.jpg', '#!/bin/sh\n'],
    ['a PDF named .svg', 'a.svg', '%PDF-1.7'],
    ['a picture of a type that is not taken', 'a.webp', Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1')],
    ['a TIFF named .png', 'a.png', Buffer.from('II*\0\x08\0\0\0', 'latin1')],
  ] as const)('such as %s is refused with a list of the supported types', async ([, name, bytes]) => {
    await expect(make(name, bytes)).rejects.toMatchObject(wrongType);
  });

  test('is refused if its name and its content have different types', async () => {
    await expect(make('a.gif', await makePng())).rejects.toMatchObject(wrongType);
    await expect(make('a.html', await makePng())).rejects.toMatchObject(wrongType);
  });

  test.for([16_000, 30_000])(
    'is refused without decoding if a few kilobytes unfold to %i pixels a side',
    async (side) => {
      const bomb = makeBomb(side);
      expect(bomb.length).toBeLessThan(150_000);
      await expect(make('a.png', bomb)).rejects.toMatchObject(unreadable);
    },
  );

  test('is refused if it has more than 100 frames', async () => {
    await expect(make('a.gif', await makeAnimation(101))).rejects.toMatchObject(unreadable);
  });

  test('is refused if it is truncated, and leaves no other files', async () => {
    for (const [name, bytes] of [
      ['a.png', await makePng(400, 300)],
      ['a.jpg', await makePhotograph()],
    ] as const) {
      const { path, made } = await take(name, bytes.subarray(0, Math.floor(bytes.length * 0.7)));
      await expect(made).rejects.toMatchObject(unreadable);
      expect((await readdir(dirname(path))).filter((file) => file.endsWith('.thumbnail'))).toEqual([]);
      expect(basename(path)).toBe('file');
    }
  });
});

/** Reads the width from the header, because the library is not allowed to decode WebP here. */
const widthOfWebp = async (file = ''): Promise<number> => (await readFile(file)).readUInt16LE(26) & 0x3fff;
