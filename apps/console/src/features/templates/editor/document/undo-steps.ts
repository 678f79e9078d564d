import { type Editor, Extension } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import { Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import { ReplaceStep } from '@tiptap/pm/transform';

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'preventDefault'>;

const key = new PluginKey<string | undefined>('undoSteps');

/**
 * Names the gesture that changes a setting, such as dragging a slider or typing in a field. Changes of one gesture are one undo
 * step. The history groups them as it groups the changes of a composition.
 */
export const markGesture = (tr: Transaction, name: string): Transaction =>
  tr.setMeta(key, name).setMeta('composition', name);

/** Whether a transaction only inserts or deletes characters within one text block. */
const isTyping = ({ steps, docs, doc }: Transaction): boolean =>
  steps.every((step, place) => {
    if (!(step instanceof ReplaceStep)) return false;
    const { content, openStart } = step.slice;
    const isText = openStart === 0 && content.content.every((node) => node.isText);
    return isText && (docs[place] ?? doc).resolve(step.from).sameParent((docs[place] ?? doc).resolve(step.to));
  });

let count = 0;
const kindOf = (tr: Transaction): string => {
  const name = tr.getMeta(key) as string | undefined;
  if (name !== undefined) return name;
  if (isTyping(tr)) return 'typing';
  count += 1;
  return `change ${count}`;
};

const isChange = (tr: Transaction): boolean =>
  tr.docChanged && !tr.getMeta('history$') && !tr.getMeta('appendedTransaction');

/**
 * Makes every change an undo step of its own. The history groups changes that are near one another in time and place; only
 * typing and dragging a control may be grouped like that, so the group is closed before every other change.
 */
export const UndoSteps = Extension.create({
  name: 'undoSteps',
  addProseMirrorPlugins: () => [
    new Plugin<string | undefined>({
      key,
      state: {
        init: () => undefined,
        apply: (tr, last) => (isChange(tr) ? (tr.getMeta('undoKind') as string) : tr.docChanged ? undefined : last),
      },
      // The only hook that sees a transaction before the history does.
      filterTransaction: (tr, state) => {
        if (!isChange(tr)) return true;
        const kind = kindOf(tr);
        tr.setMeta('undoKind', kind);
        if (kind !== key.getState(state)) closeHistory(tr);
        return true;
      },
    }),
  ],
});

/** Undo and redo by keyboard while the focus is on a handle or a setting. Returns whether the key was handled. */
export const undoByKey = (editor: Editor, event: KeyPress): boolean => {
  const letter = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !['z', 'y'].includes(letter)) return false;
  event.preventDefault();
  if (letter === 'y' || event.shiftKey) editor.commands.redo();
  else editor.commands.undo();
  return true;
};
