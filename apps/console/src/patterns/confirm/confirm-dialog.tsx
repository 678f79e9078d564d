import { Button, Modal } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { BusyButton } from '../busy-button/busy-button.tsx';
import { useEscape } from '../escape/use-escape.ts';
import { useOpenerFocus } from '../focus/use-opener-focus.ts';
import { DismissedSignInError } from '../form/dismissed-sign-in.tsx';
import classes from './confirm-dialog.module.css';

type ConfirmDialogProps = {
  title: string;
  /** The question, one sentence. */
  text: ReactNode;
  /** The text of the button: a verb with its object. */
  action: string;
  danger?: boolean;
  /** Whether the action is not possible yet. The content says why. */
  disabled?: boolean;
  busy?: boolean;
  /** Shown in place of the question during the action. */
  busyText?: ReactNode;
  cancelText?: string;
  onConfirm: () => void;
  /** Also called during the action. */
  onCancel: () => void;
  children?: ReactNode;
};

/** A confirmation dialog, mounted while it is open. In a dangerous dialog the cancel button gets the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  useOpenerFocus();
  const root = useRef<HTMLDivElement>(null);
  useEscape(root, props.onCancel);
  const {
    title,
    text,
    action,
    danger = false,
    disabled = false,
    busy = false,
    busyText = text,
    cancelText = 'Cancel',
  } = props;
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
      <DismissedSignInError busy={busy} />
      <div className={classes.buttons}>
        <Button variant="default" {...(danger && { 'data-autofocus': true })} onClick={props.onCancel}>
          {cancelText}
        </Button>
        <BusyButton
          {...(danger ? { color: 'red' } : { 'data-autofocus': true })}
          busy={busy}
          disabled={disabled}
          onClick={props.onConfirm}
        >
          {action}
        </BusyButton>
      </div>
    </Modal>
  );
}
