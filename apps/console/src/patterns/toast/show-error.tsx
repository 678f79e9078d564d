import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { errorText } from '../../api/error-text.ts';

/** SPEC 8, the general rule. Whether an error is a toast is the screen's decision. */
export const showError = (error: unknown): void => {
  const message = errorText(error);
  // The same message while it still stands is the same toast.
  notifications.show({ id: message, color: 'red', icon: <IconAlertTriangle size={18} />, message });
};
