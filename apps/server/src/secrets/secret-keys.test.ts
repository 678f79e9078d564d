import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { readSecretKeys } from './secret-keys.ts';

describe('the secret keys', () => {
  test('come from the environment, and then no file is created', async () => {
    const folder = join(await makeDataFolder(), 'never made');
    expect(await readSecretKeys(['from the environment'], folder)).toEqual(['from the environment']);
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  });

  test('are otherwise one that is created once, readable only by us, however many processes start at once', async () => {
    const folder = join(await makeDataFolder(), 'made', 'on the way');
    const keys = await Promise.all(Array.from({ length: 20 }, () => readSecretKeys([], folder)));
    expect(new Set(keys.flat()).size).toBe(1);
    expect(keys[0]?.[0]).toMatch(/^[\w-]{43}$/);
    expect((await stat(join(folder, 'secret-key'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['secret-key']);
  });

  const one = 'a key of the file, long enough for one';
  const two = 'another key of the file, as long as that';

  test('are the lines of the file, the current one first', async () => {
    const folder = await makeDataFolder();
    await writeFile(join(folder, 'secret-key'), `${two}\r\n\n${one}\n`);
    expect(await readSecretKeys([], folder)).toEqual([two, one]);
  });

  test.for(['half a key', '', `${one}\nhalf a key`])('are not replaced if the file is damaged: %j', async (text) => {
    const folder = await makeDataFolder();
    await writeFile(join(folder, 'secret-key'), text);
    await expect(readSecretKeys([], folder)).rejects.toThrow('Restore it from a backup.');
    expect(await readFile(join(folder, 'secret-key'), 'utf8')).toBe(text);
  });

  test('are refused if the file has one twice', async () => {
    const folder = await makeDataFolder();
    await writeFile(join(folder, 'secret-key'), `${one}\n${one}`);
    await expect(readSecretKeys([], folder)).rejects.toThrow('contains a key twice');
  });
});
