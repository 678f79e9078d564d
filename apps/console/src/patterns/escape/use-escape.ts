import { useWindowEvent } from '@mantine/hooks';
import { type RefObject, useRef } from 'react';

/**
 * Mantine's attributes of an open drop-down, menu or popover, and of the field that it belongs to. The button of a popover has the focus
 * until the popover takes it, a moment after it is shown.
 */
const takesEscape = '[data-position], [data-mantine-stop-propagation="true"], [aria-haspopup][aria-expanded="true"]';

const isTaken = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(takesEscape) !== null;

/** If nothing has the focus, Escape applies to the dialog that was opened last. */
const isTopmost = (dialog: HTMLElement | null): boolean => {
  const last = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].at(-1);
  return last !== undefined && dialog !== null && (last === dialog || dialog.contains(last) || last.contains(dialog));
};

/**
 * Handles Escape in a dialog or panel. An open drop-down or menu, or a search field with text, handles the key first.
 * This is checked in the capture phase, because these elements are already closed when the event has bubbled to the
 * window.
 */
export const useEscape = (dialog: RefObject<HTMLElement | null>, onEscape: () => void, isActive = true): void => {
  const wasTaken = useRef(false);
  useWindowEvent(
    'keydown',
    ({ key, target }) => {
      if (key === 'Escape') wasTaken.current = isTaken(target);
    },
    { capture: true },
  );
  useWindowEvent('keydown', ({ key, target, defaultPrevented, isComposing }) => {
    if (key !== 'Escape' || !isActive || wasTaken.current || defaultPrevented || isComposing) return;
    const isForDialog = target === document.body ? isTopmost(dialog.current) : dialog.current?.contains(target as Node);
    if (isForDialog) onEscape();
  });
};
