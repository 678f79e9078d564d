import { signedInAgainPath } from '../../api/sign-in/fresh-sign-in.ts';
import type { PageRoute } from '../../patterns/page/page-route.ts';

export const signedInAgainRoute = {
  id: 'SignedInAgain',
  path: signedInAgainPath,
  lazy: { Component: async () => (await import('./signed-in-again.tsx')).SignedInAgain },
  handle: { title: 'Signed in again' },
} satisfies PageRoute;
