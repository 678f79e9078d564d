import { Extension } from '@tiptap/core';
import { NodeSelection, Plugin, TextSelection, type Transaction } from '@tiptap/pm/state';
import { currentBlock, deleteBlock, duplicateBlock, type FoundBlock, moveBlock, placeBeside } from './block-model.ts';
import { addLine, handleBackgroundClick, leave, leaveByEnter, readCursor } from './leaving.ts';

/** The keyboard shortcuts of blocks, in the notation of ProseMirror and as texts. */
export const blockShortcuts = {
  up: { keys: 'Alt-Shift-ArrowUp', text: 'Alt+Shift+Up' },
  down: { keys: 'Alt-Shift-ArrowDown', text: 'Alt+Shift+Down' },
  duplicate: { keys: 'Alt-Shift-d', text: 'Alt+Shift+D' },
  remove: { keys: 'Alt-Shift-Backspace', text: 'Alt+Shift+Backspace' },
  handles: { keys: 'Alt-F10', text: 'Alt+F10' },
} as const;

export type BlockAction = 'up' | 'down' | 'duplicate' | 'remove';

/** Applies an action to a block. Returns undefined if the block cannot be moved any further. */
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

/** Reads the cursor from the DOM before any other extension handles a key. */
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

/** Keyboard shortcuts of blocks, and leaving sections and columns by keyboard and mouse. */
export const BlockKeys = Extension.create<BlockKeysOptions>({
  name: 'blockKeys',
  // Runs before the key bindings of the text and of the gap cursor.
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
      // The browser must not handle these keys, even if there is nothing to do.
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
        // Typing must not replace a selected block, so the text goes to a new line after it.
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
            const tr = handleBackgroundClick(view, event);
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
