import { lazy, Suspense } from 'react';
import { useFreshSignIn } from '../api/sign-in/fresh-sign-in.ts';

const FreshSignInDialog = lazy(async () => ({
  default: (await import('./fresh-sign-in-dialog.tsx')).FreshSignInDialog,
}));

const OtherPersonDialog = lazy(async () => ({
  default: (await import('./fresh-sign-in-dialog.tsx')).OtherPersonDialog,
}));

/** The dialogs of a fresh sign-in, above the screen that made the call. */
export function FreshSignIn() {
  const state = useFreshSignIn();
  if (!state) return null;
  return (
    <Suspense>
      {'request' in state ? (
        <FreshSignInDialog request={state.request} />
      ) : (
        <OtherPersonDialog username={state.otherPerson} />
      )}
    </Suspense>
  );
}
