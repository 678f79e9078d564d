import { Outlet, type RouteObject, useLoaderData } from 'react-router';
import { adminNetworkRouteId, openAdminNetwork } from '../api/admin-network.ts';
import type { NetworkRef } from '../api/session.ts';
import { PermissionDenied } from '../patterns/permission-denied/permission-denied.tsx';

/** The screens of a network that only its administrators see. For others no data is loaded (SPEC 6). */
export const adminNetworkRoute = (screens: RouteObject[]): RouteObject => ({
  id: adminNetworkRouteId,
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
