import { Button } from '@mantine/core';
import { createContext, useContext } from 'react';

/** Closes the surrounding dialog, after a confirmation if it has unsaved input. */
export const CloseDialogContext = createContext<() => void>(() => {});

/** Does the same as Escape and the close button of the dialog. */
export function CancelButton() {
  const close = useContext(CloseDialogContext);
  return (
    <Button variant="default" onClick={close}>
      Cancel
    </Button>
  );
}
