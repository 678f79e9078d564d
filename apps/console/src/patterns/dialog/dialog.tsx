import { Modal, type ModalProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { useEscape } from '../escape/use-escape.ts';
import { useOpenerFocus } from '../focus/use-opener-focus.ts';
import { CloseDialogContext } from './cancel-button.tsx';
import { UnsavedDialog, type UnsavedTexts } from './unsaved-dialog.tsx';

type DialogProps = Omit<ModalProps, 'opened'> & {
  /** Whether the dialog has unsaved input. Closing it then asks for confirmation. */
  dirty?: boolean;
  /** The question, if it is not about unsaved input. */
  unsaved?: UnsavedTexts;
};

/** A modal dialog, mounted while it is open. The focus returns to the opener. */
export function Dialog({ dirty = false, unsaved, onClose, closeOnEscape = true, children, ...modal }: DialogProps) {
  useOpenerFocus();
  const [isAsking, setIsAsking] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const close = dirty ? () => setIsAsking(true) : onClose;
  useEscape(root, close, closeOnEscape && !isAsking);
  return (
    <>
      <Modal closeOnClickOutside={!dirty} {...modal} ref={root} opened onClose={close} closeOnEscape={false}>
        <CloseDialogContext value={close}>{children}</CloseDialogContext>
      </Modal>
      {isAsking && <UnsavedDialog {...unsaved} onLeave={onClose} onStay={() => setIsAsking(false)} />}
    </>
  );
}
