import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressFault,
  addressOwner,
  bareAddress,
  type Design,
  defaultDesigns,
  fillAddress,
  fillAttribute,
  fillText,
  isDesign,
  isSetPasswordAddress,
  type MarkupNode,
  mailDocument,
  plainText,
  readableOn,
  renderDesign,
  sampleValues,
  secretFault,
  setPasswordAddress,
  setPasswordLink,
  splitTags,
  tagsIn,
  textTagsOf,
} from './mail.ts';

const origin = 'https://sso.example.org';
const values = sampleValues(origin, 'northlab');

describe('tags', () => {
  test('are written in one or two braces, and other text is left alone', () => {
    expect(tagsIn('{a} {{ b }} {c d} {} {{e} f}')).toEqual(['a', 'b', 'e']);
    expect(fillText('Hi {user_name}, {{site}} {nobody} {token', values)).toBe(
      'Hi Alex Example, northlab {nobody} {token',
    );
  });

  test('the pieces add up to the text', () =>
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

  test('a value is never parsed for tags', () =>
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

  test('an address of ours points to us, whatever the values are', () =>
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

describe('secrets', () => {
  const link = setPasswordLink(origin, values);

  test('a token is filled in only in the link that sets a password', () => {
    expect(fillText('{token} {{token}} {email_code}', values)).toBe('{token} {{token}} 123456');
    expect(fillAttribute('{token} {email_code} {site}', values)).toBe('{token} {email_code} northlab');
    expect(fillAddress(`${origin}/saml?t={token}&c={email_code}&s={site}`, values)).toBe(
      `${origin}/saml?t={token}&c={email_code}&s=northlab`,
    );
    expect(fillAddress(setPasswordAddress, values)).toBe(link);
    expect(link).toBe(`${origin}/set-password?email=alex%40example.com&token=sample-token`);
  });

  const pieces = [
    '{signup_from}',
    '{{ signup_from }}',
    origin,
    'HTTPS://SSO.EXAMPLE.ORG',
    '/set-password',
    '/saml',
    '..',
    '%2e',
    '\\',
    '//',
    '?',
    '&',
    '#',
    'email={email}',
    'token={token}',
    'token={{token}}',
    '{state}',
    '@',
    ':80',
    '\t',
    '\u0000',
  ];

  test('an address that is recognised as that link is that link for a browser too, whatever the values are', () => {
    let counted = 0;
    const start = fc.constantFrom(...pieces.slice(0, 4));
    const end = fc.constantFrom('email={email}&token={token}', 'token={{token}}&email={{ email }}');
    const orPiece = (usual: string) => fc.oneof(fc.constant(usual), fc.constantFrom(...pieces));
    const address = fc.tuple(start, orPiece('/set-password?'), end, orPiece('')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(address, (written) => {
        if (!isSetPasswordAddress(written, origin)) return;
        counted += 1;
        const plain = written
          .replaceAll(/\{+\s*signup_from\s*\}+/g, origin)
          .replaceAll(/\{+\s*(\w+)\s*\}+/g, '$1-value');
        const url = new URL(plain);
        expect([url.origin, url.pathname, url.hash, url.username]).toEqual([origin, '/set-password', '', '']);
        expect([url.searchParams.size, url.searchParams.get('email'), url.searchParams.get('token')]).toEqual([
          2,
          'email-value',
          'token-value',
        ]);
        expect(fillAddress(written, values)).toBe(link);
      }),
      { numRuns: 1_000 },
    );
    expect(counted).toBeGreaterThan(20);
  });

  test.for([
    ['reset', setPasswordAddress, ''],
    ['reset', `${setPasswordAddress}&x=1`, 'only works in the link'],
    ['reset', '/set-password?email={email}&token={token}', 'only works in the link'],
    ['reset', '{signup_from}/?{email_code}', 'This email has no {email_code}'],
    ['emailmfa', setPasswordAddress, 'This email has no {token}'],
    ['emailmfa', '{signup_from}/?{email_code}', 'only works in the text'],
    ['ex_user_invitation', '{signup_from}/?{state}', ''],
  ] as const)('a link of %s: %s', ([kind, address, words]) => {
    const fault = addressFault(kind, address, origin) ?? '';
    expect(fault).toContain(words);
    expect(fault === '').toBe(words === '');
  });

  const text = (value: string): MarkupNode => ({ type: 'text', value });
  const element = (tagName: string, children: MarkupNode[], properties = {}): MarkupNode => ({
    type: 'element',
    tagName,
    properties,
    children,
  });
  const root = (...children: MarkupNode[]): MarkupNode => ({ type: 'root', children });

  test('a code must be a word of its own, even across elements', () => {
    const fault = (...children: MarkupNode[]) => secretFault('emailmfa', root(...children), origin);
    expect(fault(text('Code: '), element('b', [text('{email_code}')]), text('.'))).toBeUndefined();
    expect(fault(text('evil.example/'), element('b', [text('{email_code}')]))).toContain('evil.example/{email_code}');
    expect(fault(element('p', [text('evil.example/')]), element('p', [text('{email_code}')]))).toBeUndefined();
    expect(fault(element('a', [text('x')], { href: 'https://b.example/?c=' }), text('{email_code}'))).toBeUndefined();
  });

  test('the address of a link has a line of its own in plain text', () => {
    const tree = root(text('evil.example/?u='), element('a', [], { href: link }), text('.more'));
    expect(plainText(tree).split('\n')).toEqual(['evil.example/?u=', link, '.more']);
  });

  test('the tags offered for text are those that text may contain', () => {
    expect(textTagsOf('emailmfa')).toContain('email_code');
    expect(textTagsOf('reset')).not.toContain('email_code');
    for (const kind of ['reset', 'emailmfa', 'ex_user_invitation'] as const) {
      const tree = root(
        text(
          textTagsOf(kind)
            .map((tag) => `{${tag}}`)
            .join(' '),
        ),
      );
      expect(secretFault(kind, tree, origin)).toBeUndefined();
    }
  });
});

describe('a design', () => {
  test('with any content is rendered, and its content stays text', () => {
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

  test('has values filled in if there are any, and otherwise keeps its tags', () => {
    const { invitation } = defaultDesigns;
    expect(isDesign(invitation)).toBe(true);
    expect(tagsIn(renderDesign(invitation, { origin }))).toContain('token');
    const filled = renderDesign(invitation, { origin, values });
    expect(filled).toContain(`href="${origin}/set-password?email=alex%40example.com&amp;token=sample-token"`);
    expect(tagsIn(filled)).toEqual([]);
  });

  test('as a document has the background of its page', () => {
    const body = (markup: string) => /<body style="[^"]*background-color:(#\w+)/.exec(mailDocument('x', markup))?.[1];
    expect(body(renderDesign({ type: 'doc', attrs: { background: '#123456' } }, { origin }))).toBe('#123456');
    expect(body('<p>words</p>')).toBe('#ffffff');
  });

  test.for([
    ['#ffffff', '#0b1220'],
    ['#0b1220', '#ffffff'],
    ['#0f766e', '#ffffff'],
    ['#eef1f5', '#0b1220'],
  ])('text on %s has the colour %s', ([ground = '', ink]) => expect(readableOn(ground)).toBe(ink));
});
