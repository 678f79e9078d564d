import { describe, expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

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
  ])('%s', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  test.each([
    'correct horse battery staple',
    'Kx7#mQ2v',
    'the blue train at noon',
    'laboratory of thirteen owls',
    '🦉🦉🌲🌊🔑🎈🪁🧭',
  ])('but not %s', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });

  test('what everybody knows of its owner', () => {
    expect(isCommonPassword('ana.moreno1985', ['ana.moreno', 'northlab'])).toBe(true);
    expect(isCommonPassword('Northlab2026!', ['ana.moreno', 'northlab'])).toBe(true);
    expect(isCommonPassword('northlab has 13 owls', ['ana.moreno', 'northlab'])).toBe(false);
  });
});
