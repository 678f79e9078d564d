import { notifications } from '@mantine/notifications';
import { IconCheck } from '@tabler/icons-react';

export const showSuccess = (message: string): void => {
  notifications.show({ color: 'var(--ok)', icon: <IconCheck size={18} />, message });
};
