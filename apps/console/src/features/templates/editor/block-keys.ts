import { Extension } from '@tiptap/core';
import { NodeSelection, Plugin, TextSelection, type Transaction } from '@tiptap/pm/state';
import { currentBlock, deleteBlock, duplicateBlock, type FoundBlock, moveBlock, placeBeside } from './block-model.ts';
import { addLine, clickGround, leave, leaveByEnter, readCursor } from './leaving.ts';

/** The keys that act on a block, as ProseMirror and as people write them. */
export const blockShortcuts = {
  up: { keys: 'Alt-Shift-ArrowUp', text: 'Alt+Shift+Up' },
  down: { keys: 'Alt-Shift-ArrowDown', text: 'Alt+Shift+Down' },
  duplicate: { keys: 'Alt-Shift-d', text: 'Alt+Shift+D' },
  remove: { keys: 'Alt-Shift-Backspace', text: 'Alt+Shift+Backspace' },
  handles: { keys: 'Alt-F10', text: 'Alt+F10' },
} as const;

export type BlockAction = 'up' | 'down' | 'duplicate' | 'remove';

/** What an action does to a block; undefined where it cannot, as at the end of the mail. */
export const blockAction = (tr: Transaction, block: FoundBlock, action: BlockAction): Transaction | undefined => {
  if (action === 'duplicate') duplicateBlock(tr, block);
  else if (action === 'remove') deleteBlock(tr, block);
  else {
    const place = placeBeside(tr.doc, block, action === 'down' ? 1 : -1);
    if (place === undefined) return undefined;
    moveBlock(tr, block, place);
  }
  return tr;
};

type BlockKeysOptions = {
  /** The id of the bar with the handles of the current block. */
  handles: string;
};

/** Reads the cursor before any key is handled. */
export const CursorFirst = Extension.create({
  name: 'cursorFirst',
  priority: 2_000,
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleKeyDown: (view) => {
          readCursor(view);
          return false;
        },
      },
    }),
  ],
});

/** The keyboard and the mouse among blocks: moving, copying and deleting them, and leaving sections and columns. */
export const BlockKeys = Extension.create<BlockKeysOptions>({
  name: 'blockKeys',
  // Before the keys of the text and of the gap cursor.
  priority: 1_000,
  addOptions: () => ({ handles: '' }),
  addKeyboardShortcuts() {
    const dispatch = (tr: Transaction | undefined): boolean => {
      if (tr) this.editor.view.dispatch(tr);
      return tr !== undefined;
    };
    const act = (action: BlockAction) => () => {
      const { state } = this.editor;
      const block = currentBlock(state);
      if (block) dispatch(blockAction(state.tr, block, action));
      // Even at the end of the mail the browser has no say in these keys.
      return true;
    };
    return {
      [blockShortcuts.up.keys]: act('up'),
      [blockShortcuts.down.keys]: act('down'),
      [blockShortcuts.duplicate.keys]: act('duplicate'),
      [blockShortcuts.remove.keys]: act('remove'),
      [blockShortcuts.handles.keys]: () => {
        document.getElementById(this.options.handles)?.querySelector('button')?.focus();
        return true;
      },
      ArrowDown: () => dispatch(leave(this.editor.view, 1)),
      ArrowUp: () => dispatch(leave(this.editor.view, -1)),
      Enter: () => dispatch(leaveByEnter(this.editor.state)),
    };
  },
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        // Letters never replace a selected block: they go on a line of their own after it.
        handleTextInput: (view, _from, _to, text) => {
          const { selection, tr } = view.state;
          if (!(selection instanceof NodeSelection) || selection.node.isInline) return false;
          addLine(tr, selection.to);
          const at = tr.selection.from;
          tr.insertText(text, at).setSelection(TextSelection.create(tr.doc, at + text.length));
          view.dispatch(tr);
          return true;
        },
        handleDOMEvents: {
          mousedown: (view, event) => {
            const tr = clickGround(view, event);
            if (!tr) return false;
            event.preventDefault();
            view.dispatch(tr);
            view.focus();
            return true;
          },
        },
      },
    }),
  ],
});
