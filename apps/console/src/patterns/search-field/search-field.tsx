import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';
import classes from './search-field.module.css';

type SearchFieldProps = {
  /** Both the label and the placeholder. */
  label: string;
  /** The accessible name, if the screen has several search fields. */
  subject?: string;
  value: string;
  onChange: (value: string) => void;
  onEnter?: () => void;
  onArrowDown?: () => void;
};

/** Whether a dialog is open. The shortcuts then belong to the dialog. */
const isBehindDialog = (field: HTMLElement | null): boolean => {
  const dialog = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].at(-1);
  return dialog !== undefined && !dialog.contains(field);
};

/** A search field. The key `/` focuses it from anywhere on the screen, Escape clears it. */
export function SearchField({ label, subject, value, onChange, onEnter, onArrowDown }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const focus = () => {
    if (isBehindDialog(input.current)) return;
    input.current?.focus();
    input.current?.select();
  };
  const clear = () => {
    onChange('');
    focus();
  };
  useHotkeys([['/', focus]]);

  const actions: Record<string, (() => void) | undefined> = {
    Escape: value === '' ? undefined : clear,
    Enter: onEnter,
    ArrowDown: onArrowDown,
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    // During IME composition, Enter and the arrow keys belong to the input method.
    const act = event.nativeEvent.isComposing ? undefined : actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  return (
    <div role="search" aria-label={subject ? `${label} ${subject}` : label} className={classes.search}>
      <TextInput
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        aria-keyshortcuts="/"
        // The Escape that clears the search must not close a surrounding dialog.
        data-mantine-stop-propagation={value !== ''}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={handleKeyDown}
        leftSection={<IconSearch size={17} />}
        leftSectionWidth={40}
        rightSectionWidth={40}
        rightSectionPointerEvents={value === '' ? 'none' : 'all'}
        rightSection={
          value === '' ? (
            <Kbd className={classes.key} aria-hidden="true">
              /
            </Kbd>
          ) : (
            <CloseButton aria-label="Clear the search" onClick={clear} />
          )
        }
      />
    </div>
  );
}
