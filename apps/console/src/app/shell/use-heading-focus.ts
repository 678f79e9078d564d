import { type RefObject, useEffect, useRef } from 'react';
import { usePage } from '../../patterns/page/use-page.ts';

/** Focuses the heading of the new screen after a navigation, so that screen readers read it. */
export const useHeadingFocus = (main: RefObject<HTMLElement | null>): void => {
  const { screen } = usePage();
  const shown = useRef(screen);
  useEffect(() => {
    if (shown.current === screen) return;
    shown.current = screen;
    main.current?.querySelector('h1')?.focus({ preventScroll: true });
  }, [screen, main]);
};
