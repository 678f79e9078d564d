import { defaultSchema } from 'hast-util-sanitize';
import { describe, expect, test } from 'vitest';
import { cleanHtml, harmlessStyle, UnreadableHtml, writeHtml } from './html.ts';

const rules = {
  schema: { tagNames: ['p', 'a'], attributes: { a: ['href'], '*': ['style'] }, protocols: { href: ['https'] } },
  styles: new Set(['color', 'font-family', 'background']),
};
const clean = (html: string) => writeHtml(cleanHtml(html, rules));

describe('untrusted markup', () => {
  test.for([
    ['<p onclick=x>Hello <b>there</b></p>', '<p>Hello there</p>'],
    ['<p>a<script>alert(1)</script><style>p{}</style><title>t</title>b</p>', '<p>ab</p>'],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="https://a.example/?a=1&amp;b=2">x</a>', '<a href="https://a.example/?a=1&amp;b=2">x</a>'],
    ['<p style="color:red;position:fixed;background:url(//evil)">x</p>', '<p style="color:red">x</p>'],
    ['<p style="position:fixed">x</p>', '<p>x</p>'],
    ['<!doctype html><html><head><meta charset=x></head><body><p>x</body></html>', '<p>x</p>'],
    ['a<!-- b -->c &lt;p&gt;', 'ac &lt;p>'],
    ['', ''],
  ])('%j becomes %j', ([html = '', kept]) => expect(clean(html)).toBe(kept));

  test('does not change when it is sanitized again', () => {
    const once = clean('<p style="font-family:\'Segoe UI\', serif">x<svg><p><style><a id="</style><img onerror=x>">');
    expect(clean(once)).toBe(once);
  });

  test('that is nested too deeply is refused', () => {
    expect(() => cleanHtml('<div>'.repeat(100_000), { ...rules, schema: defaultSchema })).toThrow(UnreadableHtml);
  });
});

describe('a style attribute', () => {
  test.for([
    'background:url(https://evil.example)',
    'background:URL (x)',
    'background:u\\72l(x)',
    'background:/**/url(x)',
    'background:image-set("x" 1x)',
    'background:expression(alert(1))',
    'color:var(--x)',
    'color:red}body{display:none',
    'color:</style><img>',
    'behavior:x',
    '-moz-binding:x',
    'color',
    ':red',
  ])('loses %j', (style) => expect(harmlessStyle(style, rules.styles)).toBe(''));

  test('keeps colours and fonts', () => {
    expect(harmlessStyle(` COLOR : rgb(1, 2, 3) ; font-family:'Segoe UI',serif;`, rules.styles)).toBe(
      `color:rgb(1, 2, 3);font-family:'Segoe UI',serif`,
    );
  });
});
