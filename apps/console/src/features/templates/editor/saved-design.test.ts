import { defaultDesigns } from '@opensocial/contract/mail';
import { expect, test } from 'vitest';
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

test.for(Object.values(defaultDesigns))('§4 email templates: a design is loaded as it was saved', (design) =>
  expect(readSaved(JSON.stringify({ design, html: 'x' }))).toEqual(design),
);

test('§4 email templates: tags and lines of an old text stay tags and lines', () => {
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
