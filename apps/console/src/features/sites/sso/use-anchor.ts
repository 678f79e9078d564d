import { type RefObject, useEffect } from 'react';
import { useLocation } from 'react-router';

/**
 * Scrolls to a heading and focuses it when the address names it after the number sign. The router changes the address without a page load,
 * and the heading may appear later than the page, so that the browser does not do it.
 */
export const useAnchor = (heading: RefObject<HTMLElement | null>, anchor: string | undefined): void => {
  const { hash, key } = useLocation();
  // The key makes a link work again that leads to the place that was left by scrolling.
  useEffect(() => {
    if (key === '' || anchor === undefined || hash !== `#${anchor}`) return;
    heading.current?.scrollIntoView({ block: 'start' });
    heading.current?.focus({ preventScroll: true });
  }, [heading, anchor, hash, key]);
};
