import type { LoaderFunctionArgs } from 'react-router';
import type { PageRoute } from '../../patterns/page/page-route.ts';

export type ActivationLink = { email: string; token: string };

/** What the link in the mail brought, if it came whole. The token is a secret: it does not stay in the address bar. */
const takeLink = ({ request }: LoaderFunctionArgs): ActivationLink | null => {
  const { pathname, searchParams } = new URL(request.url);
  window.history.replaceState(window.history.state, '', pathname);
  const email = searchParams.get('email');
  const token = searchParams.get('token');
  return email && token ? { email, token } : null;
};

export const setPasswordRoute = {
  path: '/set-password',
  loader: takeLink,
  shouldRevalidate: () => false,
  HydrateFallback: () => null,
  lazy: { Component: async () => (await import('./set-password-page.tsx')).SetPasswordPage },
  handle: { title: 'Account Confirmation' },
} satisfies PageRoute;
