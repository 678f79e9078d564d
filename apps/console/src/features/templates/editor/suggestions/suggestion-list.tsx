import type { Editor } from '@tiptap/core';
import { useEffect, useId, useSyncExternalStore } from 'react';
import classes from './suggestion-list.module.css';
import type { SuggestionStore } from './suggestions.ts';

type SuggestionListProps = { store: SuggestionStore; editor: Editor };

const width = 240;

/** The suggestions for the typed text. The focus stays in the text, which refers to the active option. */
export function SuggestionList({ store, editor }: SuggestionListProps) {
  const id = useId();
  const shown = useSyncExternalStore(store.subscribe, store.get);
  const optionId = shown ? `${id}-${shown.at}` : undefined;
  useEffect(() => {
    const { dom } = editor.view;
    if (!optionId) return undefined;
    dom.setAttribute('aria-controls', id);
    dom.setAttribute('aria-activedescendant', optionId);
    document.getElementById(optionId)?.scrollIntoView({ block: 'nearest' });
    return () => {
      dom.removeAttribute('aria-controls');
      dom.removeAttribute('aria-activedescendant');
    };
  }, [editor, id, optionId]);
  if (!shown) return null;
  const left = Math.max(8, Math.min(shown.place.left, window.innerWidth - width - 8));
  const isLow = shown.place.bottom + 300 > window.innerHeight;
  const place = isLow ? { bottom: window.innerHeight - shown.place.top + 4 } : { top: shown.place.bottom + 4 };
  return (
    <div id={id} className={classes.list} role="listbox" aria-label={shown.label} style={{ left, width, ...place }}>
      {shown.items.map((item, index) => (
        <div
          key={item.id}
          id={`${id}-${index}`}
          className={classes.option}
          role="option"
          tabIndex={-1}
          aria-selected={index === shown.at}
          // Keeps the focus in the editor.
          onMouseDown={(event) => {
            event.preventDefault();
            shown.choose(index);
          }}
        >
          {item.label}
        </div>
      ))}
    </div>
  );
}
