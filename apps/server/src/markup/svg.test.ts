import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanSvg, sizeOfSvg } from './svg.ts';
import { allowedElements } from './svg-allowlist.ts';

const namespace = 'xmlns="http://www.w3.org/2000/svg"';
const svg = (content: string, attributes = ''): string => `<svg ${namespace} ${attributes}>${content}</svg>`;
const dot = '<circle r="1"/>';

/** Whether nothing in a drawing can run, load or link. */
const isInert = (clean: string): boolean => {
  const tags = [...clean.matchAll(/<\/?([^\s/>]+)/g)].map(([, name = '']) => name);
  const values = [...clean.matchAll(/ ([\w-]+)="([^"]*)"/g)];
  return (
    tags.every((name) => allowedElements.has(name)) &&
    values.every(([, name = '']) => !/^(on|href|style|src|class)/i.test(name)) &&
    values.every(([, name, value = '']) => name === 'xmlns' || !/[:;\\&@]|url\((?!#svg-)/.test(value)) &&
    !/<[!?]/.test(clean)
  );
};

const hostile: [string, string][] = [
  ['a script', svg(`<script>fetch('/pwned')</script>${dot}`)],
  ['a script by reference', svg(`<script href="https://evil.example/x.js"/>${dot}`)],
  ['a handler on the root', svg(dot, 'onload="alert(1)"')],
  ['a handler on a shape', svg('<circle r="1" onclick="alert(1)" ONMOUSEOVER="alert(1)"/>')],
  [
    'foreign content',
    svg(`<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>1</script></body></foreignObject>${dot}`),
  ],
  ['a copy of another document', svg(`<use href="https://evil.example/x.svg#a"/>${dot}`)],
  [
    'a copy by data',
    svg(`<use xlink:href="data:image/svg+xml;base64,AAAA#x" xmlns:xlink="http://www.w3.org/1999/xlink"/>${dot}`),
  ],
  ['a picture from elsewhere', svg(`<image href="https://evil.example/p.png"/>${dot}`)],
  ['a style sheet', svg(`<style>@import 'https://evil.example/x.css';</style>${dot}`)],
  ['a style with an address', svg('<circle r="1" style="fill:url(https://evil.example/p)"/>')],
  ['a style with an escape', svg(String.raw`<circle r="1" style="fill:u\72l(https://evil.example/p)"/>`)],
  [
    'a filter that loads',
    svg(`<filter id="f"><feImage href="https://evil.example/p"/></filter><circle r="1" filter="url(#f)"/>`),
  ],
  ['an animated link', svg(`<a><animate attributeName="href" values="javascript:alert(1)"/>${dot}</a>${dot}`)],
  ['a set attribute', svg(`<set attributeName="onmouseover" to="alert(1)"/>${dot}`)],
  ['a link with a script', svg(`<a href="javascript:alert(1)">${dot}</a>${dot}`)],
  ['an address as a colour', svg('<circle r="1" fill="url(https://evil.example/p#a)"/>')],
  ['an address as a colour, in quotes', svg(`<circle r="1" fill="url('https://evil.example/p')"/>`)],
  ['an address as a mask', svg('<circle r="1" mask="url(//evil.example/p#a)" clip-path="url(x.svg#a)"/>')],
  ['an address after a reference', svg('<circle r="1" fill="url(#a) url(https://evil.example)"/>')],
  ['a function nobody knows', svg('<circle r="1" fill="image-set(evil)" stroke="var(--x)"/>')],
  ['a pattern', svg(`<pattern id="p"><image href="https://evil.example"/></pattern><circle r="1" fill="url(#p)"/>`)],
  ['a script in another prefix', svg(`<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>${dot}`)],
  ['a shape of another namespace', svg(`<circle xmlns="http://www.w3.org/1999/xhtml" onclick="alert(1)"/>${dot}`)],
  [
    'HTML in a title',
    svg(`<title><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="alert(1)"/>t</title>${dot}`),
  ],
  ['markup as text in a title', svg(`<title>&lt;/title&gt;&lt;img src=x onerror=alert(1)&gt;</title>${dot}`)],
  ['markup in an attribute', svg('<circle r="1" fill="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"/>')],
  [
    'an xml:base',
    svg(dot, 'xml:base="https://evil.example/" xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="x"'),
  ],
  ['an id that a page looks for', svg(`<linearGradient id="root"/><circle r="1" id="app" fill="url(#root)"/>`)],
  ['an iframe, an embed, an object', svg(`<iframe src="x"/><embed src="x"/><object data="x"/>${dot}`)],
  ['a video', svg(`<video xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="alert(1)"/>${dot}`)],
  ['a comment that ends early', svg(`<!-- --><script>alert(1)</script><!-- -->${dot}`)],
];

const refused: [string, string][] = [
  ['an entity bomb', `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${svg('<text>&b;</text>')}`],
  ['an external entity', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`],
  ['an entity from nowhere', svg(`<text>&nbsp;</text>`)],
  ['a style sheet instruction', `<?xml version="1.0"?><?xml-stylesheet href="https://evil.example/x.css"?>${svg(dot)}`],
  ['an instruction within', svg(`<?php echo 1 ?>${dot}`)],
  ['a script in CDATA', svg(`<text><![CDATA[<script>alert(1)</script>]]></text>`)],
  ['a tree 100,000 deep', '<g>'.repeat(100_000)],
  ['a deep tree that ends', svg('<g>'.repeat(65) + dot + '</g>'.repeat(65))],
  ['100,000 attributes', svg(`<circle ${Array.from({ length: 100_000 }, (_, index) => `a${index}="1"`).join(' ')}/>`)],
  ['100,000 elements', svg(dot.repeat(100_000))],
  ['more than 1 MiB', svg(`<path d="${'M0 0'.repeat(300_000)}"/>`)],
  ['HTML', '<html><body><svg><circle r="1"/></svg></body></html>'],
  ['an svg element of another namespace', '<svg xmlns="http://www.w3.org/1999/xhtml"><circle r="1"/></svg>'],
  ['two roots', svg(dot) + svg(dot)],
  ['an attribute without quotes', '<svg><circle r=1/></svg>'],
  ['an attribute given twice', svg('<circle r="1" r="2"/>')],
  ['a tag left open', `<svg ${namespace}>${dot}`],
  ['a drawing of nothing', svg('<script>alert(1)</script>')],
  ['no markup at all', 'GIF89a/*'],
  ['nothing', ''],
];

describe('untrusted SVG', () => {
  test.for(hostile)('%s is removed, and the drawing stays', ([, markup]) => {
    const clean = cleanSvg(markup) ?? '';
    expect(clean).toContain('<circle r="1"');
    expect(isInert(clean), clean).toBe(true);
  });

  test.for(refused)('%s is refused', ([, markup]) => {
    expect(cleanSvg(markup)).toBeUndefined();
  });

  test('is inert and does not change when it is sanitized again, whatever it contains', () => {
    const names = fc.constantFrom(
      ...allowedElements,
      'script',
      'a',
      'use',
      'image',
      'style',
      'foreignObject',
      'animate',
      'set',
    );
    const keys = fc.constantFrom(
      'id',
      'fill',
      'd',
      'style',
      'onload',
      'href',
      'mask',
      'clip-path',
      'class',
      'transform',
    );
    const values = fc.oneof(
      fc.constantFrom(
        'url(#a)',
        'url(#b)',
        'url(https://evil.example)',
        'a',
        'b',
        'javascript:alert(1)',
        'fill:url(#a)',
      ),
      fc.constantFrom(
        'red',
        '#fff',
        'M0 0h1',
        'rotate(1 2 3)',
        'x" onload="1',
        '<script>',
        'expression(1)',
        'fill:red;d:x',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
    );
    const quoted = (text: string) =>
      text.replaceAll(/[^ -~]/g, '').replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc
        .record({
          name: names,
          attributes: fc.dictionary(keys, values, { maxKeys: 4 }),
          children: fc.array(fc.oneof({ depthSize: 'small' }, fc.string({ maxLength: 5 }).map(quoted), tie('tree')), {
            maxLength: 4,
          }),
        })
        .map(({ name, attributes, children }) => {
          const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${quoted(value)}"`);
          return `<${name}${written.join('')}>${children.join('')}</${name}>`;
        }),
    }));
    fc.assert(
      fc.property(tree, (content) => {
        const clean = cleanSvg(svg(content + dot));
        expect(clean).toBeDefined();
        expect(isInert(clean ?? ''), clean).toBe(true);
        expect(cleanSvg(clean ?? '')).toBe(clean);
      }),
      { numRuns: 1_000 },
    );
  });

  test('keeps shapes, colours, gradients, clips and text', () => {
    const clean = cleanSvg(
      `\uFEFF<?xml version="1.0" encoding="utf-8"?>\n<!-- drawn by hand -->\n${svg(
        '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient><clipPath id="c"><path d="M0 0"/></clipPath></defs>' +
          '<g clip-path="url(#c)"><path d="M0,0\n h1" style="fill: url(#g); stroke:red"/><text x="1">A &amp; B</text></g>',
        'viewBox="0 0 24 12"',
      )}`,
    );
    expect(clean).toMatch(
      /^<svg xmlns="[^"]+" viewBox="0 0 24 12"><defs><linearGradient id="(svg-\w+-0)"><stop offset="0" stop-color="#fff"\/><\/linearGradient><clipPath id="(svg-\w+-1)"><path d="M0 0"\/><\/clipPath><\/defs><g clip-path="url\(#\2\)"><path d="M0,0 h1" fill="url\(#\1\)" stroke="red"\/><text x="1">A &#38; B<\/text><\/g><\/svg>$/,
    );
  });

  test('gives each drawing its own ids', () => {
    const drawing = (colour: string) =>
      cleanSvg(svg(`<linearGradient id="a"><stop stop-color="${colour}"/></linearGradient><rect fill="url(#a)"/>`)) ??
      '';
    const idOf = (clean: string) => / id="([^"]+)"/.exec(clean)?.[1];
    expect(idOf(drawing('red'))).not.toBe(idOf(drawing('blue')));
    expect(idOf(drawing('red'))).toBe(idOf(drawing('red')));
  });

  test('does not allow masks inside masks, whose cost would grow exponentially', () => {
    const masks = Array.from(
      { length: 10 },
      (_, index) => `<mask id="m${index}"><rect mask="url(#m${index + 1})"/></mask>`,
    );
    const clean = cleanSvg(svg(`${masks.join('')}<rect mask="url(#m0)"/>`)) ?? '';
    expect(clean.match(/ mask="/g)).toHaveLength(1);
  });

  test.for([
    ['width="40" height="20"', 40, 20],
    ['width="40px" viewBox="0 0 4 8"', 40, 8],
    ['width="100%" viewBox="0,0,24.4,12"', 24, 12],
    ['', 300, 150],
  ] as const)('with %s measures %i by %i', ([attributes, width, height]) => {
    expect(sizeOfSvg(cleanSvg(svg(dot, attributes)) ?? '')).toEqual({ width, height });
  });
});
