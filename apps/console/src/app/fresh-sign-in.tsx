import { lazy, Suspense } from 'react';
import { useFreshSignInAsked } from '../api/fresh-sign-in.ts';

const FreshSignInDialog = lazy(async () => ({
  default: (await import('./fresh-sign-in-dialog.tsx')).FreshSignInDialog,
}));

/** Over whatever made the call that needs it. */
export function FreshSignIn() {
  const asking = useFreshSignInAsked();
  return (
    asking && (
      <Suspense>
        <FreshSignInDialog asking={asking} />
      </Suspense>
    )
  );
}
