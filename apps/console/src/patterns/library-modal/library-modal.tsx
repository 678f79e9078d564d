import { Modal } from '@mantine/core';
import { type ReactNode, type Ref, useRef } from 'react';
import { useEscape } from '../escape/use-escape.ts';
import { useOpenerFocus } from '../focus/use-opener-focus.ts';
import classes from './library-modal.module.css';

type LibraryModalProps = {
  title: string;
  /** Whether an upload or save is in progress. Only the buttons then close the dialog. */
  busy?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** A large dialog to choose from a library, full-screen on a phone. Mounted while it is open. */
export function LibraryModal({ title, busy = false, onClose, children }: LibraryModalProps) {
  useOpenerFocus();
  const content = useRef<HTMLDivElement>(null);
  useEscape(content, onClose, !busy);
  return (
    <Modal.Root
      opened
      onClose={onClose}
      closeOnEscape={false}
      closeOnClickOutside={!busy}
      padding={0}
      transitionProps={{ duration: 0 }}
      classNames={{ inner: classes.inner, content: classes.content }}
    >
      <Modal.Overlay transitionProps={{ duration: 0 }} className={classes.veil} />
      <Modal.Content ref={content} aria-label={title}>
        <div className={classes.header} data-keep-clear>
          {/* Gets the focus when the dialog opens. */}
          <h2 className={classes.title} tabIndex={-1} data-autofocus>
            {title}
          </h2>
          <Modal.CloseButton aria-label="Close" size={36} iconSize={20} />
        </div>
        {children}
      </Modal.Content>
    </Modal.Root>
  );
}

type LibraryBodyProps = {
  ref?: Ref<HTMLDivElement>;
  /** Search, filters and count. */
  bar: ReactNode;
  /** The details of the selected item, if there is one. */
  detail: ReactNode;
  /** Shown while nothing is selected. */
  hint: string;
  children: ReactNode;
};

export function LibraryBody({ ref, bar, detail, hint, children }: LibraryBodyProps) {
  return (
    <div ref={ref} className={classes.body}>
      <div className={classes.choices}>
        <div className={classes.bar} data-keep-clear>
          {bar}
        </div>
        {children}
      </div>
      <aside className={classes.detail} aria-label="Selected">
        {detail ?? <p className={classes.hint}>{hint}</p>}
      </aside>
    </div>
  );
}

type LibraryCountProps = { children: ReactNode };

export function LibraryCount({ children }: LibraryCountProps) {
  return (
    <p className={classes.count} role="status">
      {children}
    </p>
  );
}

type LibraryFooterProps = { note?: ReactNode; children: ReactNode };

export function LibraryFooter({ note, children }: LibraryFooterProps) {
  return (
    <div className={classes.footer}>
      {note && <div className={classes.note}>{note}</div>}
      <div className={classes.buttons}>{children}</div>
    </div>
  );
}
