import { Button } from '@mantine/core';
import { IconCircleCheck, IconMailOff } from '@tabler/icons-react';
import { Notice } from '../../patterns/notice/notice.tsx';

type ActivationInvalidProps = {
  /** Whether the link is no longer valid and the user has to request a new one. */
  isSpent: boolean;
  onRetry: () => void;
  children: string;
};

export function ActivationInvalid({ isSpent, onRetry, children }: ActivationInvalidProps) {
  return (
    <Notice
      role="alert"
      tone="bad"
      icon={<IconMailOff />}
      title={children}
      action={
        isSpent ? (
          <ToSignIn />
        ) : (
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {isSpent &&
        'A link works once and for a limited time, and a newer link replaces it. You can request another one on the sign-in page, or ask the person who has invited you.'}
    </Notice>
  );
}

export function ToSignIn() {
  return (
    <Button component="a" href={window.location.origin} variant="default">
      Go to the sign-in page
    </Button>
  );
}

// React supports `autoFocus` only on fields and buttons.
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
