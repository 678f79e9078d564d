import { useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';

const fields = 'input, textarea, [contenteditable="true"]';

/** Elements that act when the press is released. Other elements, such as a select or a slider, act on the press. */
const controls =
  'button, a[href], label, summary, [role="button"], [role="radio"], [role="tab"], input:is([type="checkbox"], [type="radio"], [type="button"], [type="submit"])';

const toggles = 'input:is([type="checkbox"], [type="radio"])';

const controlAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element && !target.closest('[draggable="true"]') ? target.closest<HTMLElement>(controls) : null;

/**
 * Keeps the focus in a field until the press on a button has become a click. Otherwise the field would lose the focus
 * on mousedown, its error would appear, the layout would shift, and mouseup would miss the button: the click would be
 * lost.
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
      // A checkbox changes before its click event, which React has not handled yet. A blur at this moment would render the form
      // with the old state of the checkbox, and the change would be lost.
      if (control.matches(toggles)) setTimeout(() => moveFocus(control));
      // In the capture phase, before the click handlers run: a dialog that a handler opens must find this control focused, because
      // the dialog returns the focus there when it closes.
      else moveFocus(control);
    },
    { capture: true },
  );
};

/** A label cannot get the focus. The field loses the focus nevertheless, as it would on a normal press. */
const moveFocus = (control: HTMLElement): void => {
  control.focus({ preventScroll: true });
  if (document.activeElement !== control && document.activeElement instanceof HTMLElement)
    document.activeElement.blur();
};
