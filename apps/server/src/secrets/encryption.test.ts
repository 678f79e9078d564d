import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { createVault, readSecretKey } from './encryption.ts';

const vault = createVault('a secret key that only tests use');
const other = createVault('another secret key, as long as that');

/** All copies of a value with one bit flipped. */
const bitFlips = (sealed: Buffer): Buffer[] =>
  Array.from({ length: sealed.length * 8 }, (_, bit) => {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return changed;
  });

describe('a value encrypted for the database', () => {
  test('is decrypted to the same value, whatever it is', () => {
    const bytes = fc.uint8Array({ maxLength: 5_000 });
    fc.assert(
      fc.property(bytes, (plain) => {
        expect(vault.decrypt(vault.encrypt(Buffer.from(plain)))).toEqual(Buffer.from(plain));
      }),
      { numRuns: 200 },
    );
    expect(vault.decrypt(vault.encrypt('Größe 😀')).toString()).toBe('Größe 😀');
  });

  test('never looks the same twice, and contains nothing of the plain text', () => {
    const sealed = Array.from({ length: 100 }, () => vault.encrypt('JBSWY3DPEHPK3PXP').toString('latin1'));
    expect(new Set(sealed).size).toBe(100);
    for (const one of sealed) expect(one).not.toContain('JBSWY3DP');
  });

  test('is refused if a single bit is changed, if it is truncated, and with another key', () => {
    const sealed = vault.encrypt('a private key');
    for (const changed of bitFlips(sealed)) expect(() => vault.decrypt(changed)).toThrow();
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => vault.decrypt(sealed.subarray(0, length))).toThrow();
    }
    expect(() => other.decrypt(sealed)).toThrow();
  });
});

describe('a value sealed for a browser', () => {
  test('is opened to the same value, and to undefined once it was changed', () => {
    const value = { requestId: '_1', next: '/sites?x=1' };
    const sealed = vault.seal(value);
    expect(sealed).toMatch(/^[\w-]+$/);
    expect(vault.open(sealed)).toEqual(value);
    for (const changed of bitFlips(Buffer.from(sealed, 'base64url'))) {
      expect(vault.open(changed.toString('base64url'))).toBeUndefined();
    }
    for (const nonsense of ['', '=', sealed.slice(1), sealed.slice(0, -2)])
      expect(vault.open(nonsense)).toBeUndefined();
    expect(other.open(sealed)).toBeUndefined();
  });

  test('cannot be used in place of a value for the database, nor the other way round', () => {
    expect(() => vault.decrypt(Buffer.from(vault.seal({ a: 1 }), 'base64url'))).toThrow();
    expect(vault.open(vault.encrypt('{"a":1}').toString('base64url'))).toBeUndefined();
  });
});

describe('a signed proof', () => {
  test('is valid for one purpose, one value and one key', () => {
    const proofs = [
      vault.sign('csrf', 'token'),
      vault.sign('csrf', 'token2'),
      vault.sign('sign-in', 'token'),
      other.sign('csrf', 'token'),
      vault.sign('csrft', 'oken'),
    ];
    expect(new Set(proofs).size).toBe(proofs.length);
    expect(vault.sign('csrf', 'token')).toBe(proofs[0]);
  });
});

describe('the secret key', () => {
  test('comes from the environment, and then no file is created', async () => {
    const folder = join(await makeDataFolder(), 'never made');
    expect(await readSecretKey('from the environment', folder)).toBe('from the environment');
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  });

  test('is otherwise created once, readable only by us, however many processes start at once', async () => {
    const folder = join(await makeDataFolder(), 'made', 'on the way');
    const keys = await Promise.all(Array.from({ length: 20 }, () => readSecretKey(undefined, folder)));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\w-]{43}$/);
    expect((await stat(join(folder, 'secret-key'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['secret-key']);
  });

  test('is not replaced if it is damaged', async () => {
    const folder = await makeDataFolder();
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'secret-key'), 'half a key');
    await expect(readSecretKey(undefined, folder)).rejects.toThrow('Restore it from a backup.');
    expect(await readFile(join(folder, 'secret-key'), 'utf8')).toBe('half a key');
  });
});
