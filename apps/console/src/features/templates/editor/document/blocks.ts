import type { TemplateKind } from '@opensocial/contract';
import { secretOf, setPasswordAddress } from '@opensocial/contract/mail';
import {
  type Icon,
  IconAlignLeft,
  IconBoxModel2,
  IconColumns2,
  IconColumns3,
  IconH1,
  IconH2,
  IconH3,
  IconKey,
  IconLineDashed,
  IconList,
  IconListNumbers,
  IconPhoto,
  IconSeparatorHorizontal,
  IconShare,
  IconSquareRoundedLetterB,
} from '@tabler/icons-react';
import type { Editor, JSONContent, Range } from '@tiptap/core';
import { addBlock } from './block-model.ts';

export type Block = {
  id: string;
  label: string;
  icon: Icon;
  /** Puts the block where the cursor is. The range is what was typed to find the block; it is deleted in the same undo step. */
  add: (editor: Editor, typed?: Range) => void | Promise<void>;
};

const insert =
  (content: JSONContent) =>
  (editor: Editor, typed?: Range): void => {
    editor
      .chain()
      .focus()
      .command(({ tr, state }) => {
        if (typed) tr.delete(typed.from, typed.to);
        addBlock(tr, state.schema.nodeFromJSON(content));
        return true;
      })
      .run();
  };

type ChosenImage = { src: string; alt: string; width: number };

export const blocks = (kind: TemplateKind, chooseImage: () => Promise<ChosenImage | undefined>): Block[] => [
  { id: 'text', label: 'Text', icon: IconAlignLeft, add: insert({ type: 'paragraph' }) },
  { id: 'heading-1', label: 'Heading 1', icon: IconH1, add: insert({ type: 'heading', attrs: { level: 1 } }) },
  { id: 'heading-2', label: 'Heading 2', icon: IconH2, add: insert({ type: 'heading', attrs: { level: 2 } }) },
  { id: 'heading-3', label: 'Heading 3', icon: IconH3, add: insert({ type: 'heading', attrs: { level: 3 } }) },
  { id: 'bullets', label: 'List', icon: IconList, add: insert(listOf('bulletList')) },
  { id: 'numbers', label: 'Numbered list', icon: IconListNumbers, add: insert(listOf('orderedList')) },
  { id: 'button', label: 'Button', icon: IconSquareRoundedLetterB, add: insert({ type: 'mailButton' }) },
  {
    id: 'image',
    label: 'Image',
    icon: IconPhoto,
    add: async (editor, typed) => {
      if (typed) editor.commands.deleteRange(typed);
      const attrs = await chooseImage();
      if (attrs) insert({ type: 'mailImage', attrs })(editor);
    },
  },
  { id: 'divider', label: 'Divider', icon: IconSeparatorHorizontal, add: insert({ type: 'horizontalRule' }) },
  { id: 'spacer', label: 'Spacer', icon: IconLineDashed, add: insert({ type: 'spacer' }) },
  {
    id: 'section',
    label: 'Section',
    icon: IconBoxModel2,
    add: insert({ type: 'section', content: [{ type: 'paragraph' }] }),
  },
  { id: 'columns-2', label: '2 columns', icon: IconColumns2, add: insert(columnsOf(2)) },
  { id: 'columns-3', label: '3 columns', icon: IconColumns3, add: insert(columnsOf(3)) },
  {
    id: 'social',
    label: 'Social links',
    icon: IconShare,
    add: insert({
      type: 'socialLinks',
      attrs: { links: ['linkedin', 'x', 'website'].map((network) => ({ network, url: '' })), textAlign: 'center' },
    }),
  },
  ...(secretOf[kind] === 'token' ? [setPasswordButton] : []),
];

const setPasswordButton: Block = {
  id: 'set-password',
  label: 'Set your password',
  icon: IconKey,
  add: insert({ type: 'mailButton', attrs: { label: 'Set your password', href: setPasswordAddress } }),
};

function listOf(type: string): JSONContent {
  return { type, content: [{ type: 'listItem', content: [{ type: 'paragraph' }] }] };
}

function columnsOf(count: number): JSONContent {
  const column = { type: 'column', content: [{ type: 'paragraph' }] };
  return { type: 'columns', content: Array.from({ length: count }, () => column) };
}
