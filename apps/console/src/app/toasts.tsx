import { Notification } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { hideNotification, type NotificationData, useNotifications } from '@mantine/notifications';
import classes from './toasts.module.css';

/** SPEC 9. */
const shownFor = 5_000;

/** Where toasts appear. Mantine's own would be a twelfth of all that the shell loads. */
export function Toasts() {
  const { notifications } = useNotifications();
  return (
    <div className={classes.place}>
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
