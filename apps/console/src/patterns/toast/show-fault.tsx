import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';

/** An error message of the console. */
export const showFault = (message: string): void => {
  // The same id for the same message, so that a visible toast is not duplicated.
  notifications.show({ id: message, color: 'var(--bad)', icon: <IconAlertTriangle size={18} />, message });
};
