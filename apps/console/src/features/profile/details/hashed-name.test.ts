import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashedName } from './hashed-name.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

test('§7.8 a picture is named by a hash of name, file name and time, plus its extension', async () => {
  expect(await hashedName('Ana Moreno', 'Me at work.JPG', 42)).toBe(`${hashOf('Ana MorenoMe at work.JPG42')}.jpg`);
  expect(await hashedName('Ana', 'no extension', 42)).toBe(hashOf('Anano extension42'));
});
