import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' };
import { commonPasswordsFile } from '../places.ts';
import { fold } from './common-passwords.ts';

/**
 * The most common passwords of published leaks, as the first 64 bits of their SHA-256 hashes, sorted: what the server reads is
 * a tenth of the memory that a set of texts takes. Run this file to write it anew after an update of the list.
 */
export const makeCommonPasswords = (): Buffer => {
  const hashes = passwords.map((password) => hash('sha256', fold(password), 'hex').slice(0, 16));
  return Buffer.from([...new Set(hashes)].toSorted().join(''), 'hex');
};

if (import.meta.main) await writeFile(commonPasswordsFile, makeCommonPasswords());
