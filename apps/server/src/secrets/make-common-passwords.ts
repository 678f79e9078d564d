import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' };
import { commonPasswordsFile } from '../places.ts';
import { fold } from './common-passwords.ts';

/**
 * The most common passwords of published leaks, as sorted 64-bit prefixes of their SHA-256 hashes. They take a tenth of
 * the memory of a set of strings. Run this file after an update of the list.
 */
export const makeCommonPasswords = (): Buffer => {
  const hashes = passwords.map((password) => hash('sha256', fold(password), 'hex').slice(0, 16));
  return Buffer.from([...new Set(hashes)].toSorted().join(''), 'hex');
};

if (import.meta.main) await writeFile(commonPasswordsFile, makeCommonPasswords());
