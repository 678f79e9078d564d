import { blockDefaults, layoutOf, settingOf } from '@opensocial/contract/mail';
import { mergeAttributes, Node } from '@tiptap/core';
import { attribute } from './block-settings.ts';
import classes from './mail-schema.module.css';

/** Two or three columns. They are stacked on narrow screens, as they are in the mail. */
export const Columns = Node.create({
  name: 'columns',
  group: 'block',
  content: 'column{2,3}',
  isolating: true,
  addAttributes: () => ({
    layout: attribute('layout', 'equal'),
    gap: attribute('gap', blockDefaults.columnGap),
    valign: attribute('valign', 'top'),
  }),
  parseHTML: () => [{ tag: 'div[data-block="columns"]' }],
  renderHTML: ({ node, HTMLAttributes }) => {
    const shape = {
      'data-block': 'columns',
      'data-layout': layoutOf(node.attrs['layout'], node.childCount),
      'data-valign': node.attrs['valign'] === 'middle' ? 'middle' : 'top',
      class: classes['columns'],
      style: `gap: ${settingOf(node.attrs['gap'], 'gap', blockDefaults.columnGap)}px`,
    };
    return ['div', mergeAttributes(HTMLAttributes, shape), 0];
  },
});

/** A column, which can hold every block except sections and other columns. */
export const Column = Node.create({
  name: 'column',
  content:
    '(paragraph | heading | bulletList | orderedList | mailButton | mailImage | horizontalRule | spacer | socialLinks)+',
  isolating: true,
  defining: true,
  selectable: false,
  parseHTML: () => [{ tag: 'div[data-block="column"]' }],
  renderHTML: ({ HTMLAttributes }) => [
    'div',
    mergeAttributes(HTMLAttributes, { 'data-block': 'column', class: classes['column'] }),
    0,
  ],
});
