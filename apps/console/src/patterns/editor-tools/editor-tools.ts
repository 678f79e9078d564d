import {
  type Icon,
  IconAlignCenter,
  IconAlignLeft,
  IconAlignRight,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBold,
  IconItalic,
  IconList,
  IconListNumbers,
  IconStrikethrough,
  IconUnderline,
} from '@tabler/icons-react';
import type { Editor } from '@tiptap/core';

type Chain = ReturnType<Editor['chain']>;

/** A button of the toolbar of a TipTap editor. */
export type EditorTool = {
  label: string;
  icon: Icon;
  run: (chain: Chain) => Chain;
  /** For a tool that can be switched on: whether it is on at the cursor. */
  isOn?: (editor: Editor) => boolean;
  /** For a tool that is not always available. */
  can?: (editor: Editor) => boolean;
  keys?: string;
};

export const runTool = (editor: Editor, { run }: EditorTool): void => {
  run(editor.chain().focus()).run();
};

/** The labels of the tools that are on, and of those that are unavailable. For `useEditorState`. */
export const toolStates = (editor: Editor, tools: readonly EditorTool[]) => ({
  on: tools.filter(({ isOn }) => isOn?.(editor)).map(({ label }) => label),
  off: tools.filter(({ can }) => can && !can(editor)).map(({ label }) => label),
});

export const historyTools: readonly EditorTool[] = [
  {
    label: 'Undo',
    icon: IconArrowBackUp,
    run: (chain) => chain.undo(),
    can: (editor) => editor.can().undo(),
    keys: 'Ctrl+Z',
  },
  {
    label: 'Redo',
    icon: IconArrowForwardUp,
    run: (chain) => chain.redo(),
    can: (editor) => editor.can().redo(),
    keys: 'Ctrl+Shift+Z',
  },
];

export const markTools: readonly EditorTool[] = [
  { label: 'Bold', icon: IconBold, run: (chain) => chain.toggleBold(), isOn: (editor) => editor.isActive('bold') },
  {
    label: 'Italic',
    icon: IconItalic,
    run: (chain) => chain.toggleItalic(),
    isOn: (editor) => editor.isActive('italic'),
  },
  {
    label: 'Underline',
    icon: IconUnderline,
    run: (chain) => chain.toggleUnderline(),
    isOn: (editor) => editor.isActive('underline'),
  },
  {
    label: 'Strikethrough',
    icon: IconStrikethrough,
    run: (chain) => chain.toggleStrike(),
    isOn: (editor) => editor.isActive('strike'),
  },
];

export const listTools: readonly EditorTool[] = [
  {
    label: 'List',
    icon: IconList,
    run: (chain) => chain.toggleBulletList(),
    isOn: (editor) => editor.isActive('bulletList'),
  },
  {
    label: 'Numbered list',
    icon: IconListNumbers,
    run: (chain) => chain.toggleOrderedList(),
    isOn: (editor) => editor.isActive('orderedList'),
  },
];

const alignTool = (side: 'left' | 'center' | 'right', icon: Icon): EditorTool => ({
  label: `Align ${side}`,
  icon,
  run: (chain) => chain.setTextAlign(side),
  isOn: (editor) => editor.isActive({ textAlign: side }),
});

export const alignTools: readonly EditorTool[] = [
  alignTool('left', IconAlignLeft),
  alignTool('center', IconAlignCenter),
  alignTool('right', IconAlignRight),
];
