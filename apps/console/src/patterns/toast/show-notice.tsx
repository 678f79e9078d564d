import { notifications } from '@mantine/notifications';
import { IconInfoCircle } from '@tabler/icons-react';

/** A neutral message. */
export const showNotice = (message: string): void => {
  notifications.show({ color: 'var(--muted)', icon: <IconInfoCircle size={18} />, message });
};
