import { useEffect, useRef } from 'react';

export type Point = { x: number; y: number };

/**
 * The position of the pointer during a drag. dnd-kit reports it only after a render, so after a quick release the app
 * would drop at the previous position.
 */
export const usePointer = () => {
  const point = useRef<Point>(undefined);
  const tracking = useRef<AbortController>(undefined);
  const stop = () => {
    tracking.current?.abort();
    point.current = undefined;
  };
  const start = (startEvent: Event) => {
    stop();
    // A keyboard drag ignores mouse movements.
    if (startEvent instanceof KeyboardEvent) return;
    const controller = new AbortController();
    tracking.current = controller;
    const record = (position: { clientX: number; clientY: number } | undefined) => {
      if (position) point.current = { x: position.clientX, y: position.clientY };
    };
    const options = { capture: true, signal: controller.signal };
    window.addEventListener('mousemove', record, options);
    window.addEventListener('mouseup', record, options);
    // Touch events go to the element where the touch began, even if it has been removed from the page.
    startEvent.target?.addEventListener('touchmove', (event) => record((event as TouchEvent).touches[0]), options);
  };
  useEffect(() => () => tracking.current?.abort(), []);
  return { start, stop, last: () => point.current };
};
