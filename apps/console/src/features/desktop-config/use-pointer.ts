import { useEffect, useRef } from 'react';

export type Point = { x: number; y: number };

/**
 * The position of the pointer during a drag. dnd-kit reports it only after a render, so after a quick release the app
 * would drop at the previous position.
 */
export const usePointer = () => {
  const point = useRef<Point>(undefined);
  const following = useRef<AbortController>(undefined);
  const leave = () => {
    following.current?.abort();
    point.current = undefined;
  };
  const follow = (startEvent: Event) => {
    leave();
    // A keyboard drag ignores mouse movements.
    if (startEvent instanceof KeyboardEvent) return;
    const controller = new AbortController();
    following.current = controller;
    const note = (hand: { clientX: number; clientY: number } | undefined) => {
      if (hand) point.current = { x: hand.clientX, y: hand.clientY };
    };
    const options = { capture: true, signal: controller.signal };
    window.addEventListener('mousemove', note, options);
    window.addEventListener('mouseup', note, options);
    // Touch events go to the element where the touch began, even if it has been removed from the page.
    startEvent.target?.addEventListener('touchmove', (event) => note((event as TouchEvent).touches[0]), options);
  };
  useEffect(() => () => following.current?.abort(), []);
  return { follow, leave, last: () => point.current };
};
