import { afterEach, describe, expect, test, vi } from 'vitest';
import { codeOf } from '../testing/errors.ts';
import { assertPlainMarkup, decodeText, maximumMessageBytes } from './plain-markup.ts';
import { parseXml } from './xml-reader.ts';

const billionLaughs = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "ha">${Array.from(
  { length: 9 },
  (_, level) => `<!ENTITY a${level} "${'&a;'.repeat(10)}">`,
).join('')}]><r>&a8;</r>`;

const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);

describe('the markup check', () => {
  test.each([
    ['plain elements', '<a b="1"><c/>text</a>'],
    ['a declaration', '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\r\n<a/>'],
    ['a declaration in single quotes', "<?xml version='1.0' encoding='utf-8'?><a/>"],
    ['a closing bracket within a value', '<a b="1>2" c=\'">"\'/>'],
    ['64 levels', nested(64)],
    ['references to ordinary characters', '<a>&#65;&#x1F600;&amp;</a>'],
  ])('accepts %s', (_, xml) => {
    expect(codeOf(() => assertPlainMarkup(xml))).toBe('accepted');
  });

  test.each([
    ['a document type', '<!DOCTYPE a><a/>', 'markup_forbidden'],
    ['a billion laughs', billionLaughs, 'markup_forbidden'],
    ['a comment', '<a><!-- --></a>', 'markup_forbidden'],
    ['CDATA', '<a><![CDATA[x]]></a>', 'markup_forbidden'],
    ['a processing instruction', '<a><?x y?></a>', 'markup_forbidden'],
    ['a second declaration', '<?xml version="1.0"?><?xml version="1.0"?><a/>', 'markup_forbidden'],
    ['a declaration that is not first', ' <?xml version="1.0"?><a/>', 'markup_forbidden'],
    ['another encoding', '<?xml version="1.0" encoding="UTF-16"?><a/>', 'markup_forbidden'],
    ['XML 1.1', '<?xml version="1.1"?><a/>', 'markup_forbidden'],
    ['a control character', '<a>\u0001</a>', 'markup_forbidden'],
    ['a lone surrogate', '<a>\ud800</a>', 'markup_forbidden'],
    ['a reference to a control character', '<a>&#x1f;</a>', 'markup_forbidden'],
    ['a reference to a surrogate', '<a>&#xD800;</a>', 'markup_forbidden'],
    ['a reference beyond Unicode', '<a>&#99999999999;</a>', 'markup_forbidden'],
    ['65 levels', nested(65), 'markup_forbidden'],
    ['100,000 levels', '<a>'.repeat(100_000), 'message_too_large'],
    ['80,000 levels within the size', '<a>'.repeat(80_000), 'markup_forbidden'],
    ['6,000 elements', `<a>${'<b/>'.repeat(6_000)}</a>`, 'message_too_large'],
    [
      '101 attributes on one element',
      `<a ${Array.from({ length: 101 }, (_, index) => `b${index}=""`).join(' ')}/>`,
      'message_too_large',
    ],
    ['9,000 attributes', `<a>${'<b c="" d="" e="" f=""/>'.repeat(2_250)}</a>`, 'message_too_large'],
    ['an open tag', '<a b="', 'xml_malformed'],
    ['a tag within a tag', '<a <b/>', 'xml_malformed'],
    ['one byte too many', `<a>${'x'.repeat(maximumMessageBytes - 6)}</a>`, 'message_too_large'],
  ])('refuses %s', (_, xml, code) => {
    expect(codeOf(() => assertPlainMarkup(xml))).toBe(code);
  });

  test('refuses bytes that are not UTF-8', () => {
    expect(codeOf(() => decodeText(Buffer.from([0x3c, 0x61, 0xff])))).toBe('message_undecodable');
    expect(codeOf(() => decodeText(Buffer.from('<a/>', 'utf16le')))).toBe('accepted');
    expect(codeOf(() => assertPlainMarkup(decodeText(Buffer.from('<a/>', 'utf16le'))))).toBe('markup_forbidden');
  });
});

describe('the parser', () => {
  afterEach(() => vi.restoreAllMocks());

  test.each([
    '',
    'x',
    '<a',
    '<a>',
    '<a></b>',
    '<a b=c/>',
    '<a b="1" b="2"/>',
    '<a>&nbsp;</a>',
    '<p:a/>',
    '<a/><a/>',
    '<a/>x',
  ])('refuses %j and prints nothing', (xml) => {
    const printed = (['log', 'warn', 'error'] as const).map((level) => vi.spyOn(console, level));
    expect(codeOf(() => parseXml(xml))).toBe('xml_malformed');
    for (const print of printed) expect(print).not.toHaveBeenCalled();
  });
});
