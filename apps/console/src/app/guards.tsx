import { Outlet, type RouteObject, useLoaderData } from 'react-router';
import { checkadminId, openAdminNetwork } from '../api/session/admin-network.ts';
import { requireSession } from '../api/session/require-session.ts';
import type { NetworkRef } from '../api/transport/network-ref.ts';
import { PermissionDenied } from '../patterns/permission-denied/permission-denied.tsx';
import { FullPageSpinner } from '../patterns/spinner/full-page-spinner.tsx';
import { SessionErrorPage } from './route-errors.tsx';

// The guards of §2.1, with the names of the specification. They are routes without a screen; their loaders run before the loaders
// of the screens below.

/** Screens for signed-in users. A browser without a session is redirected to the sign-in. */
export const is_loggedin = (screens: RouteObject[]): RouteObject => ({
  id: 'is_loggedin',
  loader: requireSession,
  shouldRevalidate: () => false,
  HydrateFallback: FullPageSpinner,
  ErrorBoundary: SessionErrorPage,
  children: screens,
});

/** The screens of a network for its administrators. Other users get no data (§6). */
export const checkadmin = (screens: RouteObject[]): RouteObject => ({
  id: checkadminId,
  path: '/sso-servers/:server',
  loader: ({ params }) => openAdminNetwork(params['server'] ?? ''),
  // Navigation between panels of the same network does not repeat the check.
  shouldRevalidate: ({ currentParams, nextParams }) => currentParams['server'] !== nextParams['server'],
  Component: AdminNetwork,
  children: screens,
});

function AdminNetwork() {
  const network = useLoaderData<NetworkRef | null>();
  return network ? <Outlet key={network.id} /> : <PermissionDenied />;
}
