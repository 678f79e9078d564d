import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';

/** What went wrong, in our own words. */
export const showFault = (message: string): void => {
  // The same message while it still stands is the same toast.
  notifications.show({ id: message, color: 'var(--bad)', icon: <IconAlertTriangle size={18} />, message });
};
