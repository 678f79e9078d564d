import { useBlocker } from 'react-router';
import { UnsavedDialog, type UnsavedTexts } from '../dialog/unsaved-dialog.tsx';
import { useUnloadQuestion } from '../dialog/use-unload-question.ts';

type UnsavedGuardProps = UnsavedTexts & { active: boolean };

/** For `navigate` after a save: the form has been saved, but has not rendered as unchanged yet. */
export const afterSaving = { state: { saved: true } } as const;

const isAfterSaving = (state: unknown): boolean => (state as typeof afterSaving.state | null)?.saved === true;

/**
 * Asks for confirmation before unsaved input is lost by navigation or by closing the browser tab. React Router supports only one
 * blocker at a time.
 */
export function UnsavedGuard({ active, ...texts }: UnsavedGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      active && currentLocation.pathname !== nextLocation.pathname && !isAfterSaving(nextLocation.state),
  );
  useUnloadQuestion(active);
  if (blocker.state !== 'blocked') return null;
  return <UnsavedDialog {...texts} onLeave={blocker.proceed} onStay={blocker.reset} />;
}
