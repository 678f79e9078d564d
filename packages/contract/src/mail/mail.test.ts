import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressOwner,
  bareAddress,
  type Design,
  defaultDesigns,
  fillAddress,
  fillText,
  isDesign,
  mailDocument,
  readableOn,
  renderDesign,
  sampleValues,
  splitTags,
  tagsIn,
} from './mail.ts';

const origin = 'https://sso.example.org';
const values = sampleValues(origin, 'northlab');

describe('tags', () => {
  test('stand in one or two braces, and what they are not stays text', () => {
    expect(tagsIn('{a} {{ b }} {c d} {} {{e} f}')).toEqual(['a', 'b', 'e']);
    expect(fillText('Hi {user_name}, {{site}} {nobody} {token', values)).toBe(
      'Hi Alex Example, northlab {nobody} {token',
    );
  });

  test('the pieces are the text', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom('{', '}', 'token', ' ', 'x')), (parts) => {
        const text = parts.join('');
        expect(
          splitTags(text)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      }),
    ));

  test('a value is never read as a tag', () =>
    expect(fillText('{user_name}', { ...values, user_name: '{token}{{token}}' })).toBe('{token}{{token}}'));
});

describe('addresses', () => {
  test.for([
    ['{signup_from}/x', 'own'],
    ['{{signup_from}}?a', 'own'],
    ['{signup_from}', 'own'],
    [`${origin}/x`, 'own'],
    ['HTTPS://SSO.example.org/x', 'own'],
    ['https://sso.example.org:443#x', 'own'],
    ['https://b.example/{token}', 'other'],
    ['mailto:help@b.example?subject={site}', 'other'],
    ['{signup_from}.evil.example/', 'none'],
    ['https://sso.example.org@evil.example/', 'none'],
    ['https://sso.example.org\\@evil.example/', 'none'],
    ['https://{site}/', 'none'],
    ['{site}', 'none'],
    ['javascript:alert(1)', 'none'],
    ['/relative', 'none'],
    ['', 'none'],
  ])('%s is %s', ([address = '', owner]) => expect(addressOwner(address, origin)).toBe(owner));

  const parts = [
    '{signup_from}',
    '{site}',
    '{token}',
    'https:',
    'http:',
    '//',
    '/',
    '\\',
    '@',
    ':',
    '?',
    '#',
    '.',
    '\t',
  ];
  const piece = fc.constantFrom(...parts, 'sso.example.org', 'evil.example', 'javascript:', ' ', '%2f', '\u3002');
  const value = fc.constantFrom(
    '@evil.example',
    '//evil.example',
    '.evil.example',
    ':x@evil.example',
    '\\',
    '\r\n',
    '\ud800',
  );

  test('an address that is ours leads to us, whatever the values are', () =>
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), value, (pieces, hostile) => {
        const address = bareAddress(pieces.join(''));
        fc.pre(addressOwner(address, origin) === 'own');
        const filled = fillAddress(address, { ...values, site: hostile, token: hostile });
        expect(URL.parse(filled)?.origin).toBe(origin);
      }),
      { numRuns: 500 },
    ));
});

describe('a design', () => {
  test('of anything at all is rendered, and what it holds stays text', () => {
    const scalar = fc.constantFrom('<script>', '"><img src=x>', 'javascript:alert(1)', '#0f766e', 3, null, 'center');
    const type = fc.constantFrom(
      'heading',
      'section',
      'mailButton',
      'mailImage',
      'text',
      'mergeTag',
      'spacer',
      'listItem',
      'bulletList',
      'x',
    );
    const attrs = fc.dictionary(
      fc.constantFrom('level', 'href', 'src', 'label', 'colour', 'background', 'textAlign', 'name', 'width'),
      scalar,
    );
    const tree = (depth: number): fc.Arbitrary<unknown> =>
      fc.record({
        type,
        attrs,
        text: fc.constant('<script>alert("1")</script>'),
        marks: fc.array(
          fc.record({
            type: fc.constantFrom('bold', 'link', 'textStyle'),
            attrs: fc.record({ href: scalar, color: scalar }),
          }),
          { maxLength: 2 },
        ),
        content: depth > 0 ? fc.array(tree(depth - 1), { maxLength: 3 }) : fc.constant([]),
      });
    fc.assert(
      fc.property(fc.array(tree(3), { maxLength: 4 }), (content) => {
        const html = renderDesign({ type: 'doc', content } as Design, { origin, values });
        expect(html).not.toMatch(/<script|<img src=x|href="javascript|="[^"]*[<>]/);
      }),
      { numRuns: 300 },
    );
  });

  test('with values has them, and without has its tags', () => {
    const { invitation } = defaultDesigns;
    expect(isDesign(invitation)).toBe(true);
    expect(tagsIn(renderDesign(invitation, { origin }))).toContain('token');
    const filled = renderDesign(invitation, { origin, values });
    expect(filled).toContain(`href="${origin}/set-password?email=alex%40example.com&amp;token=sample-token"`);
    expect(tagsIn(filled)).toEqual([]);
  });

  test('as a document stands on the ground of its page', () => {
    const body = (markup: string) => /<body style="[^"]*background-color:(#\w+)/.exec(mailDocument('x', markup))?.[1];
    expect(body(renderDesign({ type: 'doc', attrs: { background: '#123456' } }, { origin }))).toBe('#123456');
    expect(body('<p>words</p>')).toBe('#ffffff');
  });

  test.for([
    ['#ffffff', '#0b1220'],
    ['#0b1220', '#ffffff'],
    ['#0f766e', '#ffffff'],
    ['#eef1f5', '#0b1220'],
  ])('on %s one reads %s', ([ground = '', ink]) => expect(readableOn(ground)).toBe(ink));
});
