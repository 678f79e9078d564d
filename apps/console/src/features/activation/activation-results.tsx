import { Button } from '@mantine/core';
import { IconCircleCheck, IconMailOff } from '@tabler/icons-react';
import { Notice } from '../../patterns/notice/notice.tsx';

type ActivationInvalidProps = { children: string };

export function ActivationInvalid({ children }: ActivationInvalidProps) {
  return <Notice role="alert" tone="bad" icon={<IconMailOff />} title={children} />;
}

// React minds `autoFocus` on fields and buttons only.
const focus = (link: HTMLAnchorElement | null): void => link?.focus();

type ActivationCompletedProps = { isReset: boolean };

export function ActivationCompleted({ isReset }: ActivationCompletedProps) {
  return (
    <Notice
      role="status"
      tone="good"
      icon={<IconCircleCheck />}
      title={isReset ? 'Your password is changed.' : 'Congratulations! Your account has been verified sucessfully.'}
      action={
        <Button ref={focus} component="a" href={window.location.origin}>
          Click here to login
        </Button>
      }
    />
  );
}
