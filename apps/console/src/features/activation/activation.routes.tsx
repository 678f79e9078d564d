import type { PageRoute } from '../../patterns/page/page-route.ts';
import { readLink } from './activation-link.ts';

export const setPasswordRoute = {
  id: 'SetPassword',
  path: '/set-password',
  loader: ({ request }) => readLink(request.url),
  shouldRevalidate: () => false,
  HydrateFallback: () => null,
  lazy: { Component: async () => (await import('./set-password-page.tsx')).SetPasswordPage },
  handle: { title: 'Account Confirmation' },
} satisfies PageRoute;
