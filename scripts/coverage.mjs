import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureInstalled, findNode, main, root } from './prepare.mjs';

const specification = join(root, 'docs/specification.md');
let files;

/** Writes docs/coverage.md: for each section and message of the specification, the tests that name it. */
await main(async () => {
  await ensureInstalled({ forDevelopment: true });
  const text = readFileSync(specification, 'utf8');
  const tests = [...unitTests(), ...browserTests()];
  const headings = [...text.matchAll(/^#{2,3} (\d+(?:\.\d+)*)\.? (.+)$/gm)].map(([, number, title]) => ({
    number,
    title,
  }));
  // A section that only holds others needs no test of its own.
  const isHeading = ({ number }) => headings.some((other) => other.number.startsWith(`${number}.`));
  const sections = headings.filter((section) => !isHeading(section) || provingOf(tests, section.number).length > 0);
  const messages = messagesOf(text);
  const lines = [
    '# Coverage',
    '',
    'Made by `npm run coverage` from the titles of the tests, so it is not edited by hand. A title names the section of `docs/specification.md` that its test proves;',
    'tests inside a group belong to the section of the group.',
    '',
    '## Sections',
    '',
    '| section | tests |',
    '|---|---|',
    ...sections.map(
      ({ number, title }) =>
        `| [${number} ${title}](#${anchorOf(`${number} ${title}`)}) | ${provingOf(tests, number).length} |`,
    ),
    '',
    ...sections.flatMap(({ number, title }) => describeSection(number, title, provingOf(tests, number))),
    '## Messages',
    '',
    'The messages of sections 5 and 8, with the test files that expect each of them.',
    '',
    '| message | tests |',
    '|---|---|',
    ...messages.map(
      (message) =>
        `| \`${message}\` | ${filesExpecting(message)
          .map((file) => `\`${file}\``)
          .join(', ')} |`,
    ),
    '',
  ];
  writeFileSync(join(root, 'docs/coverage.md'), lines.join('\n'));
  const empty = [
    ...sections.filter(({ number }) => provingOf(tests, number).length === 0).map(({ number }) => `section ${number}`),
    ...messages.filter((message) => filesExpecting(message).length === 0).map((message) => `the message “${message}”`),
  ];
  console.log(empty.length === 0 ? 'Every section and message has a test.' : `No test names ${empty.join(', ')}.`);
  return empty.length === 0 ? 0 : 1;
});

/** Vitest and Playwright read the titles without running the tests. */
function list(...args) {
  return JSON.parse(execFileSync(findNode(), args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 }));
}

function unitTests() {
  return list('node_modules/vitest/vitest.mjs', 'list', '--json').map(({ name, file }) => ({
    name,
    file: relative(root, file),
  }));
}

function browserTests() {
  const config = ['--config', 'e2e/playwright.config.ts'];
  const { suites } = list('node_modules/@playwright/test/cli.js', 'test', ...config, '--list', '--reporter=json');
  const collect = (suite, file, titles) => [
    ...(suite.specs ?? []).map(({ title }) => ({ name: [...titles, title].join(' > '), file })),
    ...(suite.suites ?? []).flatMap((inner) => collect(inner, file, [...titles, inner.title])),
  ];
  return suites.flatMap((suite) => collect(suite, `e2e/specs/${suite.title.split('/').at(-1)}`, []));
}

/** The tests that name a section itself. */
function provingOf(tests, number) {
  const names = new RegExp(`(?:§|SPEC )${number.replaceAll('.', '\\.')}(?!\\.?\\d)`);
  return tests.filter(({ name }) => names.test(name));
}

function describeSection(number, title, proving) {
  const byFile = Map.groupBy(proving, ({ file }) => file);
  const parts = [...byFile]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .flatMap(([file, tests]) => [
      `- \`${file}\``,
      ...tests.map(({ name }) => `  - ${escape(name.replaceAll(' > ', ' › '))}`),
    ]);
  return [`### ${number} ${title}`, '', ...parts, ''];
}

/** Titles are text, not markup. */
function escape(title) {
  return title.replaceAll(/([\\`*_<>[\]|])/g, '\\$1');
}

function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** What sections 5 and 8 put in code marks and is a sentence or a phrase. */
function messagesOf(text) {
  const part = (number) => text.split(new RegExp(`^## ${number}\\. .*$`, 'm'))[1]?.split(/^## /m)[0] ?? '';
  const marked = [...(part(5) + part(8)).matchAll(/`([^`]+)`/g)].map(([, message]) => message.trim());
  return [...new Set(marked.filter((message) => /^[A-Z][^/]* /.test(message)))];
}

/** A placeholder in braces stands for any text. */
function filesExpecting(message) {
  const words = message
    .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\{\w+\}/g, '.{1,60}?')
    .replaceAll("'", "\\\\?'");
  const pattern = new RegExp(words);
  return testFiles()
    .filter(({ content }) => pattern.test(content))
    .map(({ file }) => file);
}

function testFiles() {
  files ??= globSync(['{apps,packages}/*/src/**/*.test.{ts,tsx}', 'e2e/specs/*.spec.ts'], { cwd: root })
    .toSorted()
    .map((file) => ({ file, content: readFileSync(join(root, file), 'utf8') }));
  return files;
}
