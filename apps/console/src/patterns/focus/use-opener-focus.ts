import { useEffect, useState } from 'react';

/** Where dialogs that are being closed at this moment return the focus. */
let latestOpener: HTMLElement | undefined;

/** For a dialog that is mounted open: returns the focus to the opener when the dialog unmounts. */
export const useOpenerFocus = (): void => {
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    // A dialog can take the place of another one, whose button was its opener and is gone. The other one has just returned the focus.
    const formerOpener = latestOpener;
    return () => {
      latestOpener = opener instanceof HTMLElement && opener.isConnected ? opener : formerOpener;
      if (latestOpener) returnTo(latestOpener);
      queueMicrotask(() => {
        latestOpener = undefined;
      });
    };
  }, [opener]);
};

const returnTo = (opener: HTMLElement): void => {
  opener.focus();
  // A disabled button cannot get the focus. Its nearest focusable ancestor gets it instead.
  if (document.activeElement !== opener) opener.parentElement?.closest<HTMLElement>('[tabindex]')?.focus();
};
