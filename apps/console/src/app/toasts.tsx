import { Notification } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { hideNotification, type NotificationData, useNotifications } from '@mantine/notifications';
import { useLayoutEffect, useRef } from 'react';
import { findToastPlace } from './toast-place.ts';
import classes from './toasts.module.css';

/** §9. */
const displayTime = 5_000;

/** The list of toasts. Mantine's component would add a twelfth to the code of the shell. */
export function Toasts() {
  const { notifications } = useNotifications();
  const place = useRef<HTMLDivElement>(null);
  const isShown = notifications.length > 0;
  useLayoutEffect(() => {
    if (!isShown) return undefined;
    const list = place.current;
    let last: unknown[] = [];
    const move = () => {
      // A toast must not move while the page below it changes or is scrolled.
      const present = placedFor(list);
      if (!list || (present.length === last.length && present.every((part, index) => part === last[index]))) return;
      last = present;
      moveTo(list);
      // A narrower toast can be higher, and then needs another place.
      moveTo(list);
    };
    move();
    // A panel or dialog may open or close while a toast is visible, so the place is computed again.
    const observer = new MutationObserver(move);
    observer.observe(document.body, { childList: true, subtree: true });
    window.addEventListener('resize', move);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', move);
    };
  }, [isShown]);
  return (
    <div ref={place} className={classes.place}>
      {notifications.map((toast) => (
        <Toast key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

const moveTo = (list: HTMLElement): void => {
  const { top, right, width } = findToastPlace(list.offsetHeight);
  list.style.setProperty('inset', `${top}px ${right}px auto auto`);
  list.style.setProperty('width', `${width}px`);
};

/** What the place of the toasts depends on: their number, the window, the page and the layers above it. */
const placedFor = (list: HTMLElement | null): unknown[] => [
  list?.childElementCount,
  window.innerWidth,
  window.innerHeight,
  window.location.pathname,
  ...document.querySelectorAll('[role="dialog"][aria-modal="true"]'),
];

type ToastProps = { toast: NotificationData };

/** A toast does not disappear while the pointer or the focus is on it. */
function Toast({ toast: { id = '', color, icon, message } }: ToastProps) {
  const hide = () => hideNotification(id);
  const { start, clear } = useTimeout(hide, displayTime, { autoInvoke: true });
  return (
    <Notification
      className={classes.toast ?? ''}
      color={color}
      icon={icon}
      onClose={hide}
      onMouseEnter={clear}
      onMouseLeave={start}
      onFocus={clear}
      onBlur={start}
    >
      {message}
    </Notification>
  );
}
