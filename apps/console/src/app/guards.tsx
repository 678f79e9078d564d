import { Outlet, type RouteObject, useLoaderData } from 'react-router';
import { checkadminId, openAdminNetwork } from '../api/session/admin-network.ts';
import { requireSession } from '../api/session/require-session.ts';
import type { NetworkRef } from '../api/transport/network-ref.ts';
import { PermissionDenied } from '../patterns/permission-denied/permission-denied.tsx';
import { FullPageSpinner } from '../patterns/spinner/full-page-spinner.tsx';
import { SessionErrorPage } from './route-errors.tsx';

// The guards of §2.1 by the names it gives them: routes without a screen, whose loaders run before those of the screens below.

/** Screens for signed-in people: a browser without a session is sent to sign in. */
export const is_loggedin = (screens: RouteObject[]): RouteObject => ({
  id: 'is_loggedin',
  loader: requireSession,
  shouldRevalidate: () => false,
  HydrateFallback: FullPageSpinner,
  ErrorBoundary: SessionErrorPage,
  children: screens,
});

/** The screens of a network that only its administrators see. For others no data is loaded (§6). */
export const checkadmin = (screens: RouteObject[]): RouteObject => ({
  id: checkadminId,
  path: '/sso-servers/:server',
  loader: ({ params }) => openAdminNetwork(params['server'] ?? ''),
  // Moving between panels of the same network asks nothing anew.
  shouldRevalidate: ({ currentParams, nextParams }) => currentParams['server'] !== nextParams['server'],
  Component: AdminNetwork,
  children: screens,
});

function AdminNetwork() {
  const network = useLoaderData<NetworkRef | null>();
  return network ? <Outlet key={network.id} /> : <PermissionDenied />;
}
