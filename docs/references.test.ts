import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(path, 'utf8');

const isSkipped = (path: string): boolean => /(?:^|\/)(?:node_modules|dist)(?:\/|$)/.test(path);
const written = ['*.{md,ts}', '{apps,bench,deploy,docs,e2e,packages,scripts}/**/*.{css,html,md,mjs,sql,ts,tsx}'];

/** Every text file that people write. */
const paths = globSync(written, { cwd: root, exclude: isSkipped }).map((path) => join(root, path));

/** A reference in a file, with the line that it is on. */
type Reference = { path: string; line: number; target: string };

const describeReference = ({ path, line, target }: Reference): string => `${relative(root, path)}:${line} ${target}`;

/** Finds what the first group of a pattern matches. */
const findAll = (path: string, text: string, pattern: RegExp): Reference[] =>
  text
    .split('\n')
    .flatMap((content, index) =>
      [...content.matchAll(pattern)].map(([, target = '']) => ({ path, line: index + 1, target })),
    );

/** A section of the specification as comments, test titles and documents cite it: with the sign, or with the word SPEC. */
const citation = /(?:§|\bSPEC )(\d+(?:\.\d+)*)/g;
const sectionHeading = /^#{2,4} (\d+(?:\.\d+)*)\.? \S/g;

const specification = join(root, 'docs/specification.md');
const sections = findAll(specification, read(specification), sectionHeading).map(({ target }) => target);

/** Citations of sections that have no heading. */
const findDanglingCitations = (path: string, text: string): Reference[] =>
  findAll(path, text, citation).filter(({ target }) => !sections.includes(target));

/** The name that GitHub gives to the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const anchorsIn = (path: string): string[] =>
  findAll(path, read(path), /^#{1,6} (.+)$/g).map(({ target }) => anchorOf(target));

/** The file that a reference leads to: from its own folder, or from the root as comments write it. */
const resolveFile = (path: string, file: string): string | undefined =>
  [join(dirname(path), file), join(root, file)].find((candidate) => existsSync(candidate));

const isDangling = ({ path, target }: Reference): boolean => {
  const [file = '', anchor] = target.split('#');
  const found = file === '' ? path : resolveFile(path, file);
  if (found === undefined) return true;
  return anchor !== undefined && !anchorsIn(found).includes(anchor);
};

const markdownLink = /\]\(([^)\s]+)\)/g;
const htmlLink = /(?:href|src|srcset)="([^"]+)"/g;
/** A document that is named in a text, such as docs/theory.md#a-sign-in. */
const namedDocument = /(?<![\w./-])((?:[\w.-]+\/)*[\w-][\w.-]*\.md(?:#[\w-]+)?)\b/g;

/** Links and names of documents that lead to no file, or to no heading of it. */
const findDanglingLinks = (path: string, text: string): Reference[] => {
  const links = path.endsWith('.md') ? [...findAll(path, text, markdownLink), ...findAll(path, text, htmlLink)] : [];
  const local = links.filter(({ target }) => !/^(?:[a-z]+:|\/\/)/.test(target));
  return [...local, ...findAll(path, text, namedDocument)].filter(isDangling);
};

/** What a check finds in all files, each once: a link to a document also names it. */
const findInAll = (find: (path: string, text: string) => Reference[]): string[] => [
  ...new Set(paths.flatMap((path) => find(path, read(path))).map(describeReference)),
];

test('the files that are checked are there', () => {
  const names = paths.map((path) => relative(root, path));
  expect(names).toEqual(expect.arrayContaining(['README.md', 'docs/theory.md', 'packages/contract/src/errors.ts']));
  expect(names).toEqual(expect.arrayContaining(['e2e/specs/sites.spec.ts', 'apps/console/src/app/router.tsx']));
});

test('every section of the specification has a number of its own', () => {
  expect(sections).toEqual([...new Set(sections)]);
  expect(sections).toEqual(expect.arrayContaining(['1', '2.15', '7.9', '9']));
});

test('every cited section is a heading of docs/specification.md', () => {
  expect(findInAll(findDanglingCitations)).toEqual([]);
});

test('every linked or named document exists, and so does the heading that a link names', () => {
  expect(findInAll(findDanglingLinks)).toEqual([]);
});

// Planted references. They are put together here, because this file is checked as well.
const sign = '§';
const word = 'SPEC';
const extension = '.md';

test.each([
  [`${sign}2.6 is there`, []],
  [`two of them: ${sign}2.6 and ${sign}2.99`, ['2.99']],
  [`/** ${word} 12.3. */`, ['12.3']],
])('a citation is found: %j', (text, dangling) => {
  expect(findDanglingCitations(join(root, 'a.ts'), text).map(({ target }) => target)).toEqual(dangling);
});

test.each([
  [`[rules](docs/security${extension}#trust-model)`, []],
  [`[rules](docs/security${extension}#no-such-heading)`, [`docs/security${extension}#no-such-heading`]],
  [`[rules](#no-such-heading)`, ['#no-such-heading']],
  ['<img src="docs/pictures/no-such-picture.png">', ['docs/pictures/no-such-picture.png']],
  [`See NOTES${extension}, Space.`, [`NOTES${extension}`]],
  ['[elsewhere](https://example.org/page#part)', []],
])('a link is found: %j', (text, dangling) => {
  const found = findDanglingLinks(join(root, `README${extension}`), text).map(({ target }) => target);
  expect([...new Set(found)]).toEqual(dangling);
});
