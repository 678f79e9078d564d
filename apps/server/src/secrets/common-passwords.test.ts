import { readFile } from 'node:fs/promises';
import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { commonPasswordsFile } from '../places.ts';
import { isCommonPassword, publicFactsAbout } from './common-passwords.ts';
import { makeCommonPasswords } from './make-common-passwords.ts';

describe('a common password', () => {
  test.each([
    'password',
    'P@ssw0rd',
    'Password123!',
    '12345678',
    '0123456789012345',
    '87654321',
    'qwertyuiopqwertyuiop',
    'aaaaaaaaaaaaaaaa',
    'abcabcabcabcabcabc',
    'passwordpassword',
    'iloveyou2024',
    '!!!Welcome1!!!',
    'abcdefghijklmnop',
    'Trustno1',
    'Liverpool1892',
    '1Mustang!',
    'ｐａｓｓｗｏｒｄ',
    'zaq12wsx',
    'Cheese2026!!',
  ])('%s', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  test.each([
    'correct horse battery staple',
    'Kx7#mQ2v',
    'the blue train at noon',
    'laboratory of thirteen owls',
    '🦉🦉🌲🌊🔑🎈🪁🧭',
    '83!71#tiger?29$64(05',
  ])('but not %s', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });

  describe('publicly known facts about its owner', () => {
    const known = publicFactsAbout({
      email: 'ana.moreno+work@chem.northlab.org',
      firstname: 'Ana María',
      lastname: 'Moreno-Ito',
      network: 'northlab',
    });

    test.each([
      'ana.moreno1985',
      'AnaMoreno#1985#',
      'moreno ito 2026!',
      'Northlab2026!',
      'N0rthl@b-2026',
      'northlab.ana.2026',
      'ANA.MORENO+work@chem.northlab.org',
      'OpenSocial-2026-!',
      'opensocial northlab',
      'maria-maria-7',
    ])('%s', (password) => {
      expect(isCommonPassword(password, known)).toBe(true);
    });

    test.each(['northlab has 13 owls', 'bananas of moreno', '8293-4417-0026-xyv'])('but not %s', (password) => {
      expect(isCommonPassword(password, known)).toBe(false);
    });
  });
});

describe('the list', () => {
  test('that is checked in is the output of its generator', async () => {
    const checkedIn = await readFile(commonPasswordsFile);
    expect(checkedIn.equals(makeCommonPasswords())).toBe(true);
    expect(checkedIn.length / 8).toBeGreaterThan(30_000);
    expect(checkedIn.length).toBeLessThan(500_000);
  });

  test('refuses every password that it was made from', () => {
    for (const password of passwords) expect(isCommonPassword(password)).toBe(true);
  });
});
