import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from '../confirm/confirm-dialog.tsx';

type UnsavedGuardProps = {
  active: boolean;
  title?: string;
  text?: string;
  action?: string;
  cancelText?: string;
};

/** For `navigate`: what was typed has just been saved, before the form could be drawn as that. */
export const afterSaving = { state: { saved: true } } as const;

const isAfterSaving = (state: unknown): boolean => (state as typeof afterSaving.state | null)?.saved === true;

/** Asks before what was typed is lost: to another route, or by closing the browser's tab. One at a time: the router heeds no second. */
export function UnsavedGuard({
  active,
  title = 'Leave without saving?',
  text = 'What you have changed here is not saved yet.',
  action = 'Leave without saving',
  cancelText = 'Keep editing',
}: UnsavedGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      active && currentLocation.pathname !== nextLocation.pathname && !isAfterSaving(nextLocation.state),
  );
  useEffect(() => {
    if (!active) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [active]);

  if (blocker.state !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={title}
      text={text}
      action={action}
      cancelText={cancelText}
      danger
      onConfirm={blocker.proceed}
      onCancel={blocker.reset}
    />
  );
}
