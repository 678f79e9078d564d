import { type RefObject, useEffect, useRef } from 'react';
import { usePage } from '../../patterns/page/use-page.ts';

/** After a navigation the focus goes to the new screen's title, which a screen reader then reads. */
export const useHeadingFocus = (main: RefObject<HTMLElement | null>): void => {
  const { screen } = usePage();
  const shown = useRef(screen);
  useEffect(() => {
    if (shown.current === screen) return;
    shown.current = screen;
    main.current?.querySelector('h1')?.focus({ preventScroll: true });
  }, [screen, main]);
};
