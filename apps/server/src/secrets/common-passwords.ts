import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { commonPasswordsFile } from '../places.ts';

/** Words that are refused with any digits and symbols around them. The long list is in a file of hashes. */
const words = new Set(
  `password passw0rd p@ssw0rd p@ssword letmein welcome admin administrator login master monkey dragon sunshine princess
  football baseball basketball superman batman trustno1 iloveyou shadow michael jennifer jordan hunter charlie starwars
  computer internet whatever freedom secret changeme default guest test testing summer winter autumn spring january february
  march april june july august september october november december monday friday qwerty qwertz azerty qwertyuiop asdfghjkl
  zxcvbnm 1q2w3e4r 1qaz2wsx q1w2e3r4 abc123 laboratory research science microscope company hello opensocial`
    .split(/\s+/)
    .filter(Boolean),
);

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
];
const runs = rows.flatMap((row) => [row, row.split('').toReversed().join('')]);

/** Normalises letters to one case and width. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

const plain = (text: string): string =>
  fold(text)
    .replaceAll('@', 'a')
    .replaceAll('$', 's')
    .replaceAll('0', 'o')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The word without surrounding digits and symbols. */
const core = (text: string): string => fold(text).replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

const isRepeated = (text: string): boolean => /^(.{1,16}?)\1+.{0,3}$/u.test(text);

const isRun = (text: string): boolean => text.length >= 3 && runs.some((run) => `${run}${run}`.includes(text));

let hashes: Buffer | undefined;

/** Binary search in the sorted 64-bit hashes of `make-common-passwords.ts`. */
const isListed = (spelling: string): boolean => {
  hashes ??= readFileSync(commonPasswordsFile);
  const wanted = BigInt(`0x${hash('sha256', spelling, 'hex').slice(0, 16)}`);
  let low = 0;
  let high = hashes.length / 8 - 1;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const found = hashes.readBigUInt64BE(middle * 8);
    if (found === wanted) return true;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
};

/** Whether a password is on the list, also with digits and symbols around it, unless they are most of it. */
const isCommon = (password: string): boolean => {
  const word = core(password);
  const isMostlyWord = word.length * 2 >= password.length;
  return [fold(password), plain(password), ...(isMostlyWord ? [word, plain(word)] : [])].some(isListed);
};

/** Whether a password consists only of known names, digits and symbols. */
const consistsOf = (known: readonly string[], password: string): boolean => {
  const names = known.map(plain).filter((name) => name.length >= 3);
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  const left = longestFirst.reduce((text, name) => text.replaceAll(name, ' '), plain(password));
  // `plain` has turned zeros in numbers into the letter o.
  return left.includes(' ') && !/\p{L}/u.test(left.replaceAll(/(?<=[\do])o|o(?=[\do])/g, ''));
};

/** The publicly known facts about a person: names, the parts of the email address, the network and the product. */
export const publicFactsAbout = (person: {
  email: string;
  firstname?: string;
  lastname?: string;
  network?: string;
}): string[] =>
  [person.email, person.firstname, person.lastname, person.network, 'opensocial', 'sso']
    .flatMap((text = '') => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
    .filter(Boolean);

/**
 * Whether a password is easy to guess: a common one with or without digits around it, a repeated word, a keyboard
 * sequence, or publicly known facts about its owner.
 */
export const isCommonPassword = (password: string, known: readonly string[] = []): boolean => {
  const folded = fold(password);
  const spellings = [folded, plain(password), core(password), plain(core(password))];
  return (
    spellings.some((spelling) => words.has(spelling)) ||
    isCommon(password) ||
    consistsOf(known, password) ||
    isRepeated(folded) ||
    isRun(folded) ||
    isRun(plain(password))
  );
};
