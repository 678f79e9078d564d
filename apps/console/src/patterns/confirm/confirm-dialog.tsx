import { Button, Modal } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { BusyButton } from '../busy-button/busy-button.tsx';
import { useEscape } from '../escape/use-escape.ts';
import { useOpenerFocus } from '../focus/use-opener-focus.ts';
import classes from './confirm-dialog.module.css';

type ConfirmDialogProps = {
  title: string;
  /** What is asked, as one sentence. */
  text: ReactNode;
  /** What the button does, in its own words. */
  action: string;
  danger?: boolean;
  busy?: boolean;
  /** In place of the question while it is being done. */
  busyText?: ReactNode;
  cancelText?: string;
  onConfirm: () => void;
  /** Also while busy. */
  onCancel: () => void;
  children?: ReactNode;
};

/** Asks before something is done. Mounted while it is open. The focus goes to the button that does no harm. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  useOpenerFocus();
  const root = useRef<HTMLDivElement>(null);
  useEscape(root, props.onCancel);
  const { title, text, action, danger = false, busy = false, busyText = text, cancelText = 'Cancel' } = props;
  return (
    <Modal
      ref={root}
      opened
      onClose={props.onCancel}
      closeOnEscape={false}
      title={title}
      size={440}
      closeOnClickOutside={!busy}
    >
      <div role="status">{busy ? busyText : text}</div>
      {props.children}
      <div className={classes.buttons}>
        <Button variant="default" {...(danger && { 'data-autofocus': true })} onClick={props.onCancel}>
          {cancelText}
        </Button>
        <BusyButton {...(danger ? { color: 'red' } : { 'data-autofocus': true })} busy={busy} onClick={props.onConfirm}>
          {action}
        </BusyButton>
      </div>
    </Modal>
  );
}
