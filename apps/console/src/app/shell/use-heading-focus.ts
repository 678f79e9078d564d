import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** After a navigation the focus goes to the new screen's title, which a screen reader then reads. */
export const useHeadingFocus = (main: RefObject<HTMLElement | null>): void => {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.querySelector('h1')?.focus({ preventScroll: true });
  }, [pathname, main]);
};
