import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { startBucketServer } from '../testing/services/bucket-server.ts';
import { createStorage } from './create-storage.ts';
import type { Storage } from './storage.ts';

const folderStorage = async () => {
  const dataDir = await makeDataFolder();
  return { dataDir, storage: createStorage(readConfig({ DATA_DIR: dataDir })) };
};

const bucketStorage = async () => {
  const bucket = await startBucketServer();
  const dataDir = await makeDataFolder();
  return { bucket, dataDir, storage: createStorage(readConfig({ DATA_DIR: dataDir, MEDIA_URL: bucket.url })) };
};

const read = async (storage: Storage, key: string): Promise<Buffer | undefined> => {
  const stored = await storage.get(key);
  if (!stored) return undefined;
  const bytes = await buffer(stored.stream);
  expect(stored.size).toBe(bytes.length);
  return bytes;
};

const fileWith = async (folder: string, bytes: Buffer): Promise<string> => {
  const file = join(folder, 'given');
  await writeFile(file, bytes);
  return file;
};

const bytes = Buffer.alloc(300_000, 'a picture, as it were; ');

describe.for([
  ['a folder', folderStorage],
  ['a bucket', bucketStorage],
] as const)('the storage in %s', ([, make]) => {
  test('returns what was stored, and nothing once it is removed', async () => {
    const { storage, dataDir } = await make();
    await storage.put('a1b2.png', await fileWith(dataDir, bytes));
    expect(await read(storage, 'a1b2.png')).toEqual(bytes);
    await storage.remove('a1b2.png');
    expect(await read(storage, 'a1b2.png')).toBeUndefined();
    await expect(storage.remove('a1b2.png')).resolves.toBeUndefined();
  });

  test('returns nothing for an unused key', async () => {
    expect(await (await make()).storage.get('c3d4.png')).toBeUndefined();
  });

  test('does not change the given file', async () => {
    const { storage, dataDir } = await make();
    const file = await fileWith(dataDir, bytes);
    await storage.put('a1b2.png', file);
    expect(await readFile(file)).toEqual(bytes);
  });
});

describe('the storage in a folder', () => {
  test('leaves nothing of a file that could not be stored', async () => {
    const { storage, dataDir } = await folderStorage();
    await expect(storage.put('a1b2.png', join(dataDir, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(join(dataDir, 'media'))).toEqual([]);
  });

  test.for(['../secret', 'a/b', '.hidden', '', 'a..b', 'a\0b', '/etc/passwd'])('refuses the key %j', async (key) => {
    const { storage, dataDir } = await folderStorage();
    await expect(storage.get(key)).rejects.toThrow('Invalid storage key');
    await expect(storage.put(key, await fileWith(dataDir, bytes))).rejects.toThrow('Invalid storage key');
    await expect(storage.remove(key)).rejects.toThrow('Invalid storage key');
  });
});

describe('the storage in a bucket', () => {
  test('signs every request as AWS does, including the body', async () => {
    const { bucket, storage, dataDir } = await bucketStorage();
    await storage.put('a1b2.png.thumbnail', await fileWith(dataDir, bytes));
    expect([...bucket.objects.keys()]).toEqual(['/pictures/of-tests/a1b2.png.thumbnail']);
    await read(storage, 'a1b2.png.thumbnail');
    await storage.remove('a1b2.png.thumbnail');
    expect(bucket.answers).toEqual([200, 200, 204]);
  });

  test('reports a refusal without the credentials', async () => {
    const bucket = await startBucketServer();
    const dataDir = await makeDataFolder();
    const storage = createStorage(readConfig({ DATA_DIR: dataDir, MEDIA_URL: bucket.urlWith('another secret') }));
    const file = await fileWith(dataDir, bytes);
    for (const work of [
      () => storage.put('a1b2.png', file),
      () => storage.get('a1b2.png'),
      () => storage.remove('a1b2.png'),
    ]) {
      await expect(work()).rejects.toThrow(/^MEDIA_URL: the bucket answered 403\.$/);
    }
    expect(bucket.objects.size).toBe(0);
  });
});
