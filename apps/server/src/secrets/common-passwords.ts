/** What people choose first, and what is tried first. Longer ones are made of these, and are caught by the rules below. */
const common = new Set(
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

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('@', 'a')
    .replaceAll('$', 's')
    .replaceAll('0', 'o')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Without figures and signs around a word. */
const core = (text: string): string => text.toLowerCase().replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

const isRepeated = (text: string): boolean => /^(.{1,16}?)\1+.{0,3}$/u.test(text);

const isRun = (text: string): boolean => text.length >= 3 && runs.some((run) => `${run}${run}`.includes(text));

/**
 * Whether a password is one of those that are guessed first: a common word with or without figures around it, a word said
 * over and over, keys in a row, or what everybody knows of its owner.
 */
export const isCommonPassword = (password: string, known: readonly string[] = []): boolean => {
  const folded = password.toLowerCase();
  const spellings = [folded, plain(password), core(password), plain(core(password))];
  const knownWords = known.map((word) => word.toLowerCase()).filter((word) => word.length >= 3);
  return (
    spellings.some((spelling) => common.has(spelling) || knownWords.includes(spelling)) ||
    isRepeated(folded) ||
    isRun(folded) ||
    isRun(plain(password))
  );
};
