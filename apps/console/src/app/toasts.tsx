import { Notification } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { hideNotification, type NotificationData, useNotifications } from '@mantine/notifications';
import { useLayoutEffect, useRef } from 'react';
import { findToastPlace } from './toast-place.ts';
import classes from './toasts.module.css';

/** §9. */
const shownFor = 5_000;

/** Where toasts appear. Mantine's own would be a twelfth of all that the shell loads. */
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
    // A panel or dialog may open or close while a toast is shown: it is added to or removed from the body.
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

/** It stays while it is read. */
function Toast({ toast: { id = '', color, icon, message } }: ToastProps) {
  const hide = () => hideNotification(id);
  const { start, clear } = useTimeout(hide, shownFor, { autoInvoke: true });
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
