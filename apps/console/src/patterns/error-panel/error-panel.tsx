import { Button } from '@mantine/core';
import { IconCloudOff, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Notice } from '../notice/notice.tsx';

type ErrorPanelProps = {
  /** Absent if a retry cannot help. */
  onRetry?: () => void;
  retrying?: boolean;
  /** A way on, if a retry cannot help. */
  action?: ReactNode;
  /** What to do next, if there is more to say. */
  children?: ReactNode;
};

/** §2.2: shown in place of content that could not be loaded. */
export function ErrorPanel({ onRetry, retrying = false, action, children }: ErrorPanelProps) {
  return (
    <Notice
      role="alert"
      tone="bad"
      icon={<IconCloudOff />}
      title="Something went wrong with the SSO Server. Please try again or report an issue to support"
      action={
        onRetry ? (
          <Button variant="default" loading={retrying} leftSection={<IconRefresh size={16} />} onClick={onRetry}>
            Try again
          </Button>
        ) : (
          action
        )
      }
    >
      {children}
    </Notice>
  );
}
