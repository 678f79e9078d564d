import type { TemplateKind } from '@opensocial/contract';
import { secretOf, setPasswordAddress } from '@opensocial/contract/mail';
import {
  type Icon,
  IconAlignLeft,
  IconBoxModel2,
  IconH1,
  IconH2,
  IconH3,
  IconKey,
  IconLineDashed,
  IconList,
  IconListNumbers,
  IconPhoto,
  IconSeparatorHorizontal,
  IconSquareRoundedLetterB,
} from '@tabler/icons-react';
import type { Editor, JSONContent } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';

export type Block = {
  id: string;
  label: string;
  icon: Icon;
  /** Puts it where the cursor is. */
  add: (editor: Editor) => void | Promise<void>;
};

const insert = (content: JSONContent) => (editor: Editor) => {
  const { selection } = editor.state;
  const { $from } = selection;
  const isEmptyLine = selection.empty && $from.parent.isTextblock && $from.parent.content.size === 0;
  // On an empty line it takes its place; else it follows the block that the cursor is in.
  const place =
    selection instanceof NodeSelection
      ? selection.to
      : isEmptyLine
        ? { from: $from.before(), to: $from.after() }
        : $from.depth > 0
          ? $from.after()
          : selection.to;
  editor.chain().focus().insertContentAt(place, content, { updateSelection: true }).run();
  selectNew(editor, content.type);
};

/** What was just added is selected, so that its settings show. */
const selectNew = (editor: Editor, type: string | undefined): void => {
  const { doc, selection } = editor.state;
  for (const at of [selection.from, selection.from - 1, selection.from - 2]) {
    const node = at >= 0 ? doc.nodeAt(at) : null;
    if (node?.type.name === type && node?.isAtom) {
      editor.commands.setNodeSelection(at);
      return;
    }
  }
};

export const blocks = (
  kind: TemplateKind,
  chooseImage: () => Promise<{ src: string; alt: string; width: number } | undefined>,
): Block[] => [
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
    add: async (editor) => {
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
  ...(secretOf[kind] === 'token' ? [setPasswordButton] : []),
];

const setPasswordButton: Block = {
  id: 'set-password',
  label: 'Set your password',
  icon: IconKey,
  add: insert({ type: 'mailButton', attrs: { label: 'Set your password', href: setPasswordAddress } }),
};

const listOf = (type: string): JSONContent => ({
  type,
  content: [{ type: 'listItem', content: [{ type: 'paragraph' }] }],
});
