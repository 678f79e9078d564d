import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { UnsavedDialog, type UnsavedTexts } from '../dialog/unsaved-dialog.tsx';

type UnsavedGuardProps = UnsavedTexts & { active: boolean };

/** For `navigate`: what was typed has just been saved, before the form could be drawn as that. */
export const afterSaving = { state: { saved: true } } as const;

const isAfterSaving = (state: unknown): boolean => (state as typeof afterSaving.state | null)?.saved === true;

/** Asks before what was typed is lost: to another route, or by closing the browser's tab. One at a time: the router heeds no second. */
export function UnsavedGuard({ active, ...texts }: UnsavedGuardProps) {
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
  return <UnsavedDialog {...texts} onLeave={blocker.proceed} onStay={blocker.reset} />;
}
