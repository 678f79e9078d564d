import { Kbd, Modal } from '@mantine/core';
import { Fragment } from 'react';
import classes from './shortcuts-dialog.module.css';

const command = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

const shortcuts: readonly { keys: readonly string[]; effect: string }[] = [
  { keys: [command, 'K'], effect: 'Go to anything: screens, people, sites, groups and actions' },
  { keys: ['/'], effect: 'Search the list' },
  { keys: ['↑', '↓'], effect: 'Move between the rows of a list' },
  { keys: ['Esc'], effect: 'Close a panel or dialog; it asks before it discards changes' },
  { keys: [command, 'Z'], effect: 'Undo, in the editor of emails' },
];

type ShortcutsDialogProps = { onClose: () => void };

export function ShortcutsDialog({ onClose }: ShortcutsDialogProps) {
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size={460}>
      <dl className={classes.list}>
        {shortcuts.map(({ keys, effect }) => (
          <Fragment key={effect}>
            <dt className={classes.keys}>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd className={classes.effect}>{effect}</dd>
          </Fragment>
        ))}
      </dl>
    </Modal>
  );
}
