import { TemplateKind } from '@opensocial/contract';
import {
  type Design,
  type DesignNode,
  defaultDesigns,
  mailDocument,
  mailStyles,
  mailWidth,
  renderDesign,
  settingRanges,
  socialNetworks,
} from '@opensocial/contract/mail';
import fc from 'fast-check';
import { fromHtml } from 'hast-util-from-html';
import { describe, expect, test } from 'vitest';
import { type Element, eachElement, harmlessStyle, writeHtml } from '../markup/html.ts';
import { readMailMarkup } from './mail-markup.ts';

const origin = 'https://sso.example.org';
type Attributes = Readonly<Record<string, unknown>>;
const words = (text: string): DesignNode[] => [{ type: 'text', text }];
const paragraph = (attrs: Attributes = {}): DesignNode => ({ type: 'paragraph', attrs, content: words('Words') });
const list = (type: string, attrs: Attributes = {}): DesignNode => ({
  type,
  attrs,
  content: [{ type: 'listItem', content: [paragraph()] }],
});
const image = (attrs: Attributes = {}): DesignNode => ({
  type: 'mailImage',
  attrs: { src: '/server/sso/sso_images/image/abc.png', alt: 'Logo', ...attrs },
});
const button = (attrs: Attributes = {}): DesignNode => ({
  type: 'mailButton',
  attrs: { label: 'Go', href: '{signup_from}/', ...attrs },
});
const social = (attrs: Attributes = {}): DesignNode => {
  const links = Object.entries(socialNetworks).map(([network, { example }]) => ({ network, url: example }));
  return { type: 'socialLinks', attrs: { links, ...attrs } };
};
const columns = (count: number, attrs: Attributes = {}, column: Attributes = {}): DesignNode => ({
  type: 'columns',
  attrs,
  content: Array.from({ length: count }, () => ({
    type: 'column',
    attrs: column,
    content: [paragraph(), image({ width: 536 }), button(), list('bulletList')],
  })),
});
const section = (attrs: Attributes = {}, ...content: DesignNode[]): DesignNode => ({ type: 'section', attrs, content });

/** Every block, made with the given settings. */
const blocks: Readonly<Record<string, (attrs: Attributes) => DesignNode>> = {
  paragraph,
  heading: (attrs) => ({ type: 'heading', attrs: { level: 2, ...attrs }, content: words('Title') }),
  bulletList: (attrs) => list('bulletList', attrs),
  orderedList: (attrs) => list('orderedList', attrs),
  divider: (attrs) => ({ type: 'horizontalRule', attrs }),
  spacer: (attrs) => ({ type: 'spacer', attrs }),
  button,
  image,
  social,
  section: (attrs) => section(attrs, paragraph(), button(), section({ background: '#222222' }, paragraph())),
  'two columns': (attrs) => columns(2, attrs),
  'three columns': (attrs) => columns(3, attrs),
  column: (attrs) => columns(2, {}, attrs),
  'columns in a section': (attrs) => section({ background: '#0f766e' }, columns(3, attrs)),
};

const settings: readonly Attributes[] = [
  {},
  { above: 0, below: 0 },
  { above: 40, below: 120, inside: 24 },
  { background: '#0f766e' },
  { background: '#ffeeaa', ink: '#112233', inside: 0 },
  { textAlign: 'center' },
  { textAlign: 'right', ink: '#123456' },
  ...[80, 240, 600].map((width) => ({ width })),
  { colour: '#ffffff', gap: 0, valign: 'middle', layout: 'narrow-left', look: 'text' },
  { gap: 48, layout: 'narrow-right', height: 200 },
];

const cases = Object.entries(blocks).flatMap(([name, make]) =>
  settings.map((attrs) => ({ name, attrs, design: { type: 'doc', content: [make(attrs)] } satisfies Design })),
);

const elementsOf = (html: string): Element[] => {
  const elements: Element[] = [];
  eachElement(fromHtml(html, { fragment: true }), (element) => elements.push(element));
  return elements;
};
const shapeOf = (html: string) => elementsOf(html).map(({ tagName, properties }) => ({ tagName, properties }));

/** Checks that the server keeps everything the editor wrote, and that sanitizing is idempotent. */
const expectKept = (design: Design): string => {
  const html = renderDesign(design, { origin });
  const { tree, leftOut } = readMailMarkup(html, 'signup', origin);
  const kept = writeHtml(tree);
  expect(leftOut).toBe(0);
  expect(shapeOf(kept)).toEqual(shapeOf(html));
  expect(writeHtml(readMailMarkup(kept, 'signup', origin).tree)).toBe(kept);
  return kept;
};

const styleOf = ({ properties }: Element): string => properties['style'] ?? '';
const cellsOf = ({ children }: Element) =>
  children.filter((child): child is Element => child.type === 'element' && child.tagName === 'td');

/** The rules of Outlook for Windows, which renders mail with Word: tables and widths, nothing else. */
const expectFitForOutlook = (html: string): void => {
  for (const element of elementsOf(html)) {
    const { tagName, properties } = element;
    const style = styleOf(element);
    expect(style).not.toMatch(/display:(?:flex|grid|inline-flex|inline-grid)|position:|float:|url\(|background-image/);
    if (tagName === 'table')
      expect(properties).toMatchObject({
        role: 'presentation',
        cellPadding: expect.anything(),
        border: expect.anything(),
      });
    // Outlook ignores a maximum width, and prefers the width of a style: a table in pixels has only the attribute.
    if (tagName === 'table' && /^\d+$/.test(String(properties['width']))) expect(style).not.toMatch(/(?:^|;)width:/);
    if (tagName === 'img') {
      expect(Number(properties['width'])).toBeGreaterThanOrEqual(16);
      expect(Number(properties['width'])).toBeLessThanOrEqual(mailWidth);
      expect(properties['alt']).toBeDefined();
    }
    if (tagName !== 'tr') continue;
    const cells = cellsOf(element);
    if (cells.length < 2) continue;
    const widths = cells.map((cell) => Number(cell.properties['width']));
    // The attribute includes the padding, for Outlook; the style excludes it, for browsers.
    for (const [place, width] of widths.entries()) {
      const [, styled, padding = '0'] =
        /^width:(\d+)px(?:.*;padding:(\d+)px)?/.exec(styleOf(cells[place] as Element)) ?? [];
      expect(Number(styled) + 2 * Number(padding)).toBe(width);
    }
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(mailWidth);
    expect(Math.min(...widths)).toBeGreaterThan(0);
  }
};

describe('§2.11 mail: what the editor writes', () => {
  test.for(cases)('$name with $attrs is kept by the server, and works in old Outlook', ({ design }) => {
    expectFitForOutlook(expectKept(design));
  });

  test.for(TemplateKind.options)('the default %s works in old Outlook', (kind) =>
    expectFitForOutlook(renderDesign(defaultDesigns[kind], { origin })),
  );

  test('any mix of blocks and settings is kept as it was written', () => {
    const space = fc.option(fc.integer({ min: -10, max: 300 }), { nil: null });
    const colour = fc.option(fc.stringMatching(/^#[0-9a-f]{6}$/), { nil: '' });
    const attrs = fc.record(
      {
        above: space,
        below: space,
        inside: space,
        width: fc.integer({ min: 0, max: 900 }),
        gap: space,
        background: colour,
        ink: colour,
        colour,
        textAlign: fc.constantFrom('left', 'center', 'right', null),
        layout: fc.constantFrom('equal', 'narrow-left', 'narrow-right', 'x'),
        look: fc.constantFrom('badges', 'text'),
      },
      { requiredKeys: [] },
    );
    const block = fc.tuple(fc.constantFrom(...Object.values(blocks)), attrs).map(([make, given]) => make(given));
    // The narrowest places: columns in a section, each with its own settings.
    const simple = fc
      .tuple(fc.constantFrom(paragraph, button, image, social), attrs)
      .map(([make, given]) => make(given));
    const column = fc.tuple(attrs, simple).map(([given, held]) => ({ type: 'column', attrs: given, content: [held] }));
    const row = fc
      .tuple(attrs, fc.array(column, { minLength: 2, maxLength: 3 }))
      .map(([given, content]) => ({ type: 'columns', attrs: given, content }));
    const nested = fc.tuple(attrs, row).map(([given, held]) => section(given, held));
    fc.assert(
      fc.property(fc.array(fc.oneof(block, nested), { minLength: 1, maxLength: 4 }), colour, (content, background) =>
        expectFitForOutlook(expectKept({ type: 'doc', attrs: { background }, content })),
      ),
      { numRuns: 80 },
    );
  });

  test('columns have cells of one row with widths that add up, and stack by the stylesheet of the mail', () => {
    const html = expectKept({ type: 'doc', content: [columns(3)] });
    const cells = elementsOf(html).filter(({ properties }) => String(properties['className']).startsWith('mail-'));
    expect(cells.filter(({ tagName }) => tagName === 'td').map(({ properties }) => properties['width'])).toEqual([
      162, 24, 162, 24, 162,
    ]);
    // An image is never wider than its column, and fills the screen once the columns are stacked.
    expect(elementsOf(html).find(({ tagName }) => tagName === 'img')?.properties).toMatchObject({
      width: 162,
      className: ['mail-fill'],
    });
    expect(mailDocument('Title', html)).toContain(`<style>${mailStyles}</style>`);
    expect(mailStyles).toContain('.mail-column{display:block!important');
  });

  test('every text has its own colour, also on a background', () => {
    const isText = ({ tagName, children }: Element) =>
      /^(?:p|h[1-6]|ul|ol|a)$/.test(tagName) && children.some(({ type }) => type === 'text');
    const texts = cases.flatMap(({ design }) => elementsOf(renderDesign(design, { origin })).filter(isText));
    for (const text of texts) expect(styleOf(text)).toMatch(/(?:^|;)color:#[0-9a-f]{6}/);
    expect(texts.length).toBeGreaterThan(100);
  });
});

describe('security: the new settings', () => {
  const clean = (html: string) => writeHtml(readMailMarkup(html, 'signup', origin).tree);

  test.for([
    ['<td class="mail-column">x</td>', '<td class="mail-column">x</td>'],
    ['<td class="mail-gutter evil mail-column">x</td>', '<td class="mail-gutter mail-column">x</td>'],
    ['<td class="mail-fill">x</td>', '<td class="">x</td>'],
    ['<td class="mail-column-x">x</td>', '<td class="">x</td>'],
  ])('of the classes of a cell in %s only our own stay', ([cell, kept]) =>
    expect(clean(`<table><tbody><tr>${cell}</tr></tbody></table>`)).toBe(
      `<table><tbody><tr>${kept}</tr></tbody></table>`,
    ),
  );

  test('no other element has a class, an id or a stylesheet', () =>
    expect(
      clean(
        '<style>.mail-column{display:none}</style><p class="mail-column" id="x">x</p><a class="mail-fill">y</a><!--[if mso]><b>z</b><![endif]-->',
      ),
    ).toBe('<p>x</p><a>y</a>'));

  test("Outlook's padding accepts only lengths", () => {
    const styles = new Set(['mso-padding-alt']);
    expect(harmlessStyle('mso-padding-alt:13px 24px', styles)).toBe('mso-padding-alt:13px 24px');
    for (const value of ['url(https://evil.example)', 'expression(alert(1))', '1px;}body{x', '\\75rl(x)'])
      expect(harmlessStyle(`mso-padding-alt:${value}`, styles)).not.toContain('(');
  });

  const hostile = [
    'red;background:url(https://evil.example/a.png)',
    '#0f766e"><script>alert(1)</script>',
    '#0f766e;position:fixed',
    'javascript:alert(1)',
    'https://evil.example@sso.example.org/',
    'https://x.com/"><img src=x onerror=alert(1)>',
    'https://x.com/{token}',
    'https://{site}/',
    '//evil.example/',
    'http://x.com/name',
    'data:text/html,x',
    '1e9',
    { toString: 'x' },
    [['x']],
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1e9,
    null,
  ];

  test.for(hostile)('%j in every setting of every block is left out or clamped', (value) => {
    const names = [
      ...Object.keys(settingRanges),
      ...'background ink colour textAlign width layout valign look label alt src links'.split(' '),
    ];
    const attrs = Object.fromEntries(names.map((name) => [name, value]));
    const links = [{ network: 'x', url: value }, { network: value, url: 'https://x.com/' }, value];
    for (const make of Object.values(blocks)) {
      const content = [make(attrs), make({ ...attrs, label: 'Go', alt: '', links })];
      const design = { type: 'doc', attrs: { background: value }, content } as Design;
      const html = renderDesign(design, { origin });
      for (const { tagName, properties } of elementsOf(html)) {
        expect(tagName).not.toBe('script');
        expect(Object.keys(properties).filter((name) => name.startsWith('on'))).toEqual([]);
        expect(properties['style'] ?? '').not.toMatch(/url|position|NaN|Infinity|undefined|-\d/);
        expect(properties['href'] ?? '').not.toMatch(/^(?:javascript|data)|@|[{"<]token|onerror/);
        expect(properties['src'] ?? '').not.toContain('evil');
      }
    }
  });

  test('a social link that is not https is left out of the mail', () => {
    const links = [
      { network: 'x', url: 'http://x.com/name' },
      { network: 'github', url: 'https://github.com/name' },
      { network: 'website', url: '' },
      { network: 'mastodon', url: 'https://mastodon.social/@name' },
    ];
    const html = expectKept({ type: 'doc', content: [{ type: 'socialLinks', attrs: { links } }] });
    const shown = elementsOf(html).filter(({ tagName }) => tagName === 'a');
    expect(shown.map(({ properties }) => properties['href'])).toEqual([
      'https://github.com/name',
      'https://mastodon.social/@name',
    ]);
  });
});
