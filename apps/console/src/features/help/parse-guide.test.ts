import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GuideBlock, GuideSpan } from './guide.ts';
import { parseGuide } from './parse-guide.ts';

const root = join(import.meta.dirname, '../../../../..');
const guide = parseGuide(readFileSync(join(root, 'docs/owners.md'), 'utf8'));

const spansOf = (block: GuideBlock): GuideSpan[] => {
  if (block.kind === 'paragraph') return block.spans;
  if (block.kind === 'list') return block.items.flat();
  return block.kind === 'table' ? [...block.head, ...block.rows.flat()].flat() : [];
};
const textsOf = (kind: GuideSpan['kind']): string[] => [
  ...new Set(guide.blocks.flatMap(spansOf).flatMap((span) => (span.kind === kind ? [span.text] : []))),
];

/** The string literals of sources, and the texts between elements, each as a whole. */
const writtenIn = (pattern: string): Set<string> => {
  const files = globSync(pattern, { cwd: root }).filter((path) => !/\.test\.|features\/help\//.test(path));
  const texts = files.flatMap((path) => {
    const source = readFileSync(join(root, path), 'utf8');
    return [/'([^'\n]+)'/g, /"([^"\n]+)"/g, /[>}]([^<>{}]+)(?=[<{])/g].flatMap((literal) =>
      [...source.matchAll(literal)].map(([, text = '']) => text.replaceAll(/\s+/g, ' ').trim()),
    );
  });
  return new Set(texts);
};
const inConsole = writtenIn('apps/console/src/**/*.{ts,tsx}');
const inContract = writtenIn('packages/contract/src/**/*.ts');

const inSignIn = writtenIn('apps/signin/src/**/*.{ts,tsx}');

describe('the guide for owners', () => {
  test('names menus, buttons and fields exactly as the screens do', () => {
    expect(textsOf('name').length).toBeGreaterThan(80);
    expect(
      textsOf('name').filter((text) => ![inConsole, inContract, inSignIn].some((texts) => texts.has(text))),
    ).toEqual([]);
  });

  test('names values exactly as they are stored and shown', () => {
    expect(textsOf('code').length).toBeGreaterThan(2);
    expect(textsOf('code').filter((text) => !inContract.has(text))).toEqual([]);
  });

  test('has an anchor of its own for each heading, and links only to these', () => {
    const anchors = guide.blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : []));
    expect(new Set(anchors).size).toBe(anchors.length);
    const links = guide.blocks.flatMap(spansOf).flatMap((span) => (span.kind === 'link' ? [span.href] : []));
    expect(links.filter((href) => href.startsWith('#') && !anchors.includes(href.slice(1)))).toEqual([]);
  });
});

describe('the Markdown of the guide', () => {
  test('becomes data', () => {
    const markdown = '# Title\n\n## Do *not*'.replace(' *not*', ' "this"');
    expect(parseGuide(`${markdown}\n\nPress **New\nuser** & \`All\`, [see](#do-this).\n\n1. One\n2. Two\n`)).toEqual({
      title: 'Title',
      blocks: [
        { kind: 'heading', level: 2, id: 'do-this', text: 'Do "this"' },
        {
          kind: 'paragraph',
          spans: [
            { kind: 'text', text: 'Press ' },
            { kind: 'name', text: 'New user' },
            { kind: 'text', text: ' & ' },
            { kind: 'code', text: 'All' },
            { kind: 'text', text: ', ' },
            { kind: 'link', text: 'see', href: '#do-this' },
            { kind: 'text', text: '.' },
          ],
        },
        { kind: 'list', isOrdered: true, items: [[{ kind: 'text', text: 'One' }], [{ kind: 'text', text: 'Two' }]] },
      ],
    });
  });

  test.each([
    ['no title', 'Text'],
    ['HTML', '# Title\n\n<script>alert(1)</script>'],
    ['HTML in a text', '# Title\n\nText <img src=x onerror=alert(1)>'],
    ['an image', '# Title\n\n![x](https://example.org/x.png)'],
    ['a script address', '# Title\n\n[x](javascript:alert(1))'],
    ['markup in a name', '# Title\n\n**a `b`**'],
    ['a nested list', '# Title\n\n- a\n  - b'],
    ['a deep heading', '# Title\n\n#### Deep'],
  ])('is refused with %s', (_case, markdown) => {
    expect(() => parseGuide(markdown)).toThrow(/^The guide /);
  });
});
