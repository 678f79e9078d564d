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
    const move = () => {
      const { top, right } = findToastPlace();
      place.current?.style.setProperty('inset', `${top}px ${right}px auto auto`);
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
