import { useEffect, useRef } from 'react';

export type Point = { x: number; y: number };

/**
 * Where the hand is while it moves something. The library tells it only once it has drawn: let go at once, the app would fall
 * to where the hand was a moment before.
 */
export const usePointer = () => {
  const point = useRef<Point>(undefined);
  const following = useRef<AbortController>(undefined);
  const leave = () => {
    following.current?.abort();
    point.current = undefined;
  };
  const follow = (begun: Event) => {
    leave();
    // What the keyboard moves is not moved by a mouse that is touched meanwhile.
    if (begun instanceof KeyboardEvent) return;
    const controller = new AbortController();
    following.current = controller;
    const note = (hand: { clientX: number; clientY: number } | undefined) => {
      if (hand) point.current = { x: hand.clientX, y: hand.clientY };
    };
    const options = { capture: true, signal: controller.signal };
    window.addEventListener('mousemove', note, options);
    window.addEventListener('mouseup', note, options);
    // A touch stays with what it began at, even where that is no longer part of the page.
    begun.target?.addEventListener('touchmove', (event) => note((event as TouchEvent).touches[0]), options);
  };
  useEffect(() => () => following.current?.abort(), []);
  return { follow, leave, last: () => point.current };
};
