import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sealFormat1, signFormat1 } from '../testing/payloads/format-1.ts';
import { createVault, headerLength, headerOf, type SealedFormat } from './encryption.ts';

const secret = 'a secret key that only tests use';
const otherSecret = 'another secret key, as long as that';
const vault = createVault([secret]);
const other = createVault([otherSecret]);

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

  test.for<SealedFormat>([1, 2])(
    'of format %i is refused if a bit is changed, if it is cut, and with another key',
    (format) => {
      const sealed = createVault([secret, otherSecret], format).encrypt('a private key');
      for (const changed of bitFlips(sealed)) expect(() => vault.decrypt(changed)).toThrow();
      for (let length = 0; length < sealed.length; length += 1) {
        expect(() => vault.decrypt(sealed.subarray(0, length))).toThrow();
      }
      expect(() => other.decrypt(sealed)).toThrow();
    },
  );
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

describe('after a change of the key', () => {
  const changed = createVault([otherSecret, secret]);

  test('values of all formats and keys are read, and new ones are made with the first key', () => {
    for (const sealed of [
      sealFormat1(secret, 'stored', 'x'),
      createVault([secret], 1).encrypt('x'),
      vault.encrypt('x'),
    ]) {
      expect(changed.decrypt(sealed).toString()).toBe('x');
      expect([changed.keyIdOf(sealed), vault.keyIdOf(sealed), other.keyIdOf(sealed)]).toEqual([
        vault.keyIds[0],
        vault.keyIds[0],
        undefined,
      ]);
    }
    const carried = sealFormat1(secret, 'carried', '{"a":1}').toString('base64url');
    for (const sealed of [carried, vault.seal({ a: 1 })]) {
      expect(changed.open(sealed)).toEqual({ a: 1 });
      expect(other.open(sealed)).toBeUndefined();
    }
    expect(other.decrypt(changed.encrypt('y')).toString()).toBe('y');
    expect(other.open(changed.seal({ b: 2 }))).toEqual({ b: 2 });
    expect(() => vault.decrypt(changed.encrypt('y'))).toThrow(`The secret key ${other.keyIds[0]} is not configured.`);
  });

  test('format 1 is still written for servers that know no other', () => {
    const sealed = createVault([secret], 1).encrypt('x');
    expect([sealed[0], sealed.length]).toEqual([1, 1 + 12 + 16 + 1]);
  });

  test('a value begins with the id of its key', () => {
    expect(changed.keyIds).toEqual([other.keyIds[0], vault.keyIds[0]]);
    expect(changed.keyIds[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(changed.encrypt('x').subarray(0, headerLength)).toEqual(headerOf(changed.keyIds[0]));
  });

  test('a value cannot be passed off as one of another key', () => {
    const sealed = changed.encrypt('x');
    headerOf(vault.keyIds[0]).copy(sealed);
    expect(() => changed.decrypt(sealed)).toThrow();
  });

  test('proofs of both keys are valid, and new ones are made with the first', () => {
    const before = signFormat1(secret, 'csrf', 'token');
    expect(vault.sign('csrf', 'token')).toBe(before);
    expect(changed.signatures('csrf', 'token')).toEqual([other.sign('csrf', 'token'), before]);
    expect(changed.sign('csrf', 'token')).toBe(other.sign('csrf', 'token'));
    expect(changed.verify('csrf', 'token', before)).toBe(true);
    expect(changed.verify('csrf', 'token', other.sign('csrf', 'token'))).toBe(true);
    for (const wrong of ['', before.slice(1), other.sign('csrf', 'token2')])
      expect(changed.verify('csrf', 'token', wrong)).toBe(false);
    expect(other.verify('csrf', 'token', before)).toBe(false);
  });
});
