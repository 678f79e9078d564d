import type { TemplateKind } from '@opensocial/contract';
import { type MergeTag, menuTagsOf, secretOf, setPasswordAddress, textTagsOf } from '@opensocial/contract/mail';
import { type Editor, Extension, type Range } from '@tiptap/core';
import { PluginKey } from '@tiptap/pm/state';
import { Suggestion, type SuggestionProps } from '@tiptap/suggestion';
import type { Block } from '../document/blocks.ts';

export type Suggested = { id: string; label: string; choose: (editor: Editor, typed: Range) => void | Promise<void> };

export type Shown = {
  label: string;
  items: readonly Suggested[];
  at: number;
  place: DOMRect;
  choose: (place: number) => void;
};

/** The suggestions at the cursor, as a store for the list. The editor keeps the focus and handles the keys. */
export class SuggestionStore {
  #shown: Shown | undefined;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly get = (): Shown | undefined => this.#shown;

  readonly set = (shown: Shown | undefined): void => {
    this.#shown = shown;
    for (const listener of this.#listeners) listener();
  };

  /** Handles a key. Returns whether the suggestions used it. */
  readonly takesKey = (key: string): boolean => {
    const shown = this.#shown;
    if (!shown || shown.items.length === 0) return false;
    const count = shown.items.length;
    if (key === 'ArrowDown') this.set({ ...shown, at: (shown.at + 1) % count });
    else if (key === 'ArrowUp') this.set({ ...shown, at: (shown.at + count - 1) % count });
    else if (key === 'Enter' || key === 'Tab') shown.choose(shown.at);
    else return false;
    return true;
  };
}

/**
 * Inserts a tag at the cursor. A token works only in the link that sets a password, so its tag inserts that link, on
 * the selected text if there is any.
 */
export const insertTag =
  (name: MergeTag) =>
  (editor: Editor, typed?: Range): void => {
    const { from, to, empty } = editor.state.selection;
    if (name !== 'token') {
      const tag = { type: 'mergeTag', attrs: { name } };
      editor
        .chain()
        .focus()
        .insertContentAt(typed ?? { from, to }, tag)
        .run();
    } else if (!typed && !empty) editor.chain().focus().setLink({ href: setPasswordAddress }).run();
    else {
      const marks = [{ type: 'link', attrs: { href: setPasswordAddress } }];
      editor
        .chain()
        .focus()
        .insertContentAt(typed ?? { from, to }, { type: 'text', text: 'Set your password', marks })
        .run();
    }
  };

/** Whether a mail has a value for a tag of the menu. */
export const canInsertTag = (kind: TemplateKind, tag: MergeTag): boolean =>
  tag === 'token' ? secretOf[kind] === 'token' : textTagsOf(kind).includes(tag);

/** `{` suggests tags anywhere, `/` suggests blocks on an empty line. */
export const suggestions = (store: SuggestionStore, kind: TemplateKind, blocks: readonly Block[]) => {
  const tagItems = menuTagsOf(kind)
    .filter((tag) => canInsertTag(kind, tag))
    .map((tag) => ({ id: tag, label: `{${tag}}`, choose: insertTag(tag) }));
  const blockItems = blocks.map(({ id, label, add }) => ({ id, label, choose: add }));
  const plugin = (editor: Editor, name: string, char: string, all: readonly Suggested[], options: object) =>
    Suggestion<Suggested, Suggested>({
      editor,
      char,
      pluginKey: new PluginKey(name),
      items: ({ query }) => all.filter(({ label }) => label.toLowerCase().includes(query.toLowerCase())),
      command: ({ editor: within, range, props }) => {
        void props.choose(within, range);
      },
      render: () => drawIn(store, name),
      ...options,
    });
  return Extension.create({
    name: 'suggestions',
    addProseMirrorPlugins() {
      return [
        plugin(this.editor, 'Tags', '{', tagItems, { allowedPrefixes: null }),
        plugin(this.editor, 'Blocks', '/', blockItems, { startOfLine: true, allowSpaces: true }),
      ];
    },
  });
};

const drawIn = (store: SuggestionStore, label: string) => {
  const show = ({ items, clientRect, command }: SuggestionProps<Suggested, Suggested>) => {
    const place = clientRect?.();
    const choose = (at: number) => {
      const item = items[at];
      if (item) command(item);
    };
    store.set(place && items.length > 0 ? { label, items, at: 0, place, choose } : undefined);
  };
  return {
    onStart: show,
    onUpdate: show,
    onExit: () => store.set(undefined),
    onKeyDown: ({ event }: { event: KeyboardEvent }) => store.takesKey(event.key),
  };
};
