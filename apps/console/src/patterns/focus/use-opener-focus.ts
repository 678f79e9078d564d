import { useEffect, useState } from 'react';

/** For a dialog that is mounted open: as it goes, the focus returns to what opened it. */
export const useOpenerFocus = (): void => {
  const [opener] = useState(() => document.activeElement);
  useEffect(() => () => returnTo(opener), [opener]);
};

const returnTo = (opener: Element | null): void => {
  if (!(opener instanceof HTMLElement)) return;
  opener.focus();
  // A button that was disabled by what it did cannot take it: what stands around it does.
  if (document.activeElement !== opener) opener.parentElement?.closest<HTMLElement>('[tabindex]')?.focus();
};
