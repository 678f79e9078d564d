import { defaultDesigns } from '@opensocial/contract/mail';
import { Editor, type JSONContent } from '@tiptap/core';
import { expect, test } from 'vitest';
import { mailExtensions } from './mail-schema.ts';
import { readSaved } from './saved-design.ts';

const words = (text: string) => ({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] });

test.for([
  ['nothing', '', { type: 'doc', content: [{ type: 'paragraph' }] }],
  ['words', 'Just words', words('Just words')],
  ['markup', '<p>Old <b>words</b></p><script>alert(1)</script>', words('Old words')],
  ["another editor's design", JSON.stringify({ design: { body: { rows: [] } }, html: '<h1>Hi</h1>' }), words('Hi')],
  [
    'a design that is none',
    JSON.stringify({ design: { type: 'doc', content: [{ type: 'x' }] }, html: 'Hi' }),
    words('Hi'),
  ],
] as const)('§4 email templates: %s', ([, saved, design]) => expect(readSaved(saved)).toEqual(design));

test.for(Object.values(defaultDesigns))('§4 email templates: a saved design is loaded unchanged', (design) =>
  expect(readSaved(JSON.stringify({ design, html: 'x' }))).toEqual(design),
);

test('§4 email templates: tags and lines of an old text are kept', () => {
  expect(readSaved('Hi {user_name}\nBye {nobody}').content).toEqual([
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Hi ' },
        { type: 'mergeTag', attrs: { name: 'user_name' } },
        { type: 'hardBreak' },
        { type: 'text', text: 'Bye ' },
        { type: 'text', text: '{nobody}' },
      ],
    },
  ]);
});

test('security: a handwritten design loads and runs nothing in the editor', () => {
  const link = { type: 'link', attrs: { href: 'javascript:alert(1)' } };
  const colour = { type: 'textStyle', attrs: { color: 'red;background:url(/server/saml/logout)' } };
  const content = [
    ...['/server/saml/logout', 'https://evil.example/a.png', '/server/sso/remove_server_logo_bg/remove_logo/north'].map(
      (src) => ({ type: 'mailImage', attrs: { src, alt: '"><script>', width: 'x' } }),
    ),
    {
      type: 'mailButton',
      attrs: { label: '<script>alert(1)</script>', href: 'javascript:alert(1)', colour: 'red;x:y' },
    },
    { type: 'section', attrs: { background: 'url(x)' }, content: [{ type: 'paragraph' }] },
    {
      type: 'paragraph',
      attrs: { textAlign: 'left;background:url(/server/saml/logout)' },
      content: [{ type: 'text', text: 'x', marks: [link, colour] }],
    },
  ];
  const element = document.createElement('div');
  const editor = new Editor({
    element,
    injectCSS: false,
    extensions: mailExtensions('https://sso.example.org'),
    content: readSaved(JSON.stringify({ design: { type: 'doc', content }, html: '' })) as JSONContent,
  });
  expect(element.querySelectorAll('[data-block="image"] img')).toHaveLength(3);
  expect(element.querySelectorAll('[src]')).toHaveLength(0);
  expect(element.querySelectorAll('script')).toHaveLength(0);
  for (const styled of element.querySelectorAll<HTMLElement>('[style]'))
    expect(styled.style.cssText).not.toContain('url');
  for (const one of element.querySelectorAll('a')) expect(one.getAttribute('href') ?? '').not.toContain('javascript');
  editor.destroy();
});
