import { useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';

const fields = 'input, textarea, [contenteditable="true"]';

/** What is pressed and released to act. A press on anything else, such as a select or a slider, acts at once. */
const controls =
  'button, a[href], label, summary, [role="button"], [role="radio"], [role="tab"], input:is([type="checkbox"], [type="radio"], [type="button"], [type="submit"])';

const toggles = 'input:is([type="checkbox"], [type="radio"])';

const controlAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element && !target.closest('[draggable="true"]') ? target.closest<HTMLElement>(controls) : null;

/**
 * Keeps the focus in a field until the press on a button has become a click. Otherwise the field loses the focus as the mouse goes down,
 * its error or hint appears, the form moves, and the mouse comes up beside the button: the click is lost.
 */
export const usePressFocus = (): void => {
  const pressed = useRef<HTMLElement | null>(null);
  useWindowEvent('mousedown', (event) => {
    const control = controlAt(event.target);
    const isInField = document.activeElement?.matches(fields) && !control?.contains(document.activeElement);
    // A control that prevents the default itself leaves the focus in the field on purpose.
    pressed.current = control && isInField && event.button === 0 && !event.defaultPrevented ? control : null;
    if (pressed.current) event.preventDefault();
  });
  useWindowEvent(
    'click',
    (event) => {
      const control = pressed.current;
      pressed.current = null;
      if (!control || controlAt(event.target) !== control) return;
      // A checkbox changes before its click event, and React has not seen that yet. Leaving the field now would draw the form again, with
      // the checkbox as it was, and the change would be lost.
      if (control.matches(toggles)) setTimeout(() => moveFocus(control));
      // In the capture phase, before the click handlers run: a dialog that a handler opens must find this control focused, because it
      // returns the focus there when it closes.
      else moveFocus(control);
    },
    { capture: true },
  );
};

/** A label cannot take the focus: the field loses it all the same, as it would have by the press. */
const moveFocus = (control: HTMLElement): void => {
  control.focus({ preventScroll: true });
  if (document.activeElement !== control && document.activeElement instanceof HTMLElement)
    document.activeElement.blur();
};
