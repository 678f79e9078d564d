import { useEffect, useState } from 'react';

/** For a dialog that is mounted open: returns the focus to the opener when the dialog unmounts. */
export const useOpenerFocus = (): void => {
  const [opener] = useState(() => document.activeElement);
  useEffect(() => () => returnTo(opener), [opener]);
};

const returnTo = (opener: Element | null): void => {
  if (!(opener instanceof HTMLElement)) return;
  opener.focus();
  // A disabled button cannot get the focus. Its nearest focusable ancestor gets it instead.
  if (document.activeElement !== opener) opener.parentElement?.closest<HTMLElement>('[tabindex]')?.focus();
};
