import { type RefObject, useEffect } from 'react';

/** Marks an element that scrolls sideways with the sides on which it has more content, so that its style can show it. */
export const useMoreBeside = (element: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const bar = element.current;
    if (!bar) return undefined;
    const mark = () => {
      // A fraction of a pixel is left at the end when the page is zoomed.
      bar.toggleAttribute('data-more-before', bar.scrollLeft > 1);
      bar.toggleAttribute('data-more-after', bar.scrollLeft + bar.clientWidth < bar.scrollWidth - 1);
    };
    mark();
    const resized = new ResizeObserver(mark);
    resized.observe(bar);
    bar.addEventListener('scroll', mark, { passive: true });
    return () => {
      resized.disconnect();
      bar.removeEventListener('scroll', mark);
    };
  }, [element]);
};
