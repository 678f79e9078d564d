import { KeyboardCode, KeyboardSensor, MouseSensor, TouchSensor, useSensor, useSensors } from '@dnd-kit/core';
import type { Point } from './use-pointer.ts';

/** Enter opens the focused app, so only the space bar starts a drag. */
const keyboardCodes = {
  start: [KeyboardCode.Space],
  cancel: [KeyboardCode.Esc],
  end: [KeyboardCode.Space, KeyboardCode.Enter, KeyboardCode.Tab],
};

/** Mouse, touch and keyboard. `onStep` moves the app by an arrow key, and returns the corner of its new cell. */
export const useDragSensors = (onStep: (code: string) => Point | undefined) =>
  useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // A finger that moves at once scrolls the page.
    useSensor(TouchSensor, { activationConstraint: { delay: 200, tolerance: 8 } }),
    useSensor(KeyboardSensor, {
      keyboardCodes,
      scrollBehavior: 'auto',
      coordinateGetter: (event) => {
        if (!/^(Arrow|Home|End)/.test(event.code)) return undefined;
        event.preventDefault();
        return onStep(event.code);
      },
    }),
  );
