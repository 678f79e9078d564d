import { useLoaderData } from 'react-router';
import { type NetworkRef, useSessionUser } from '../../api/session.ts';
import { PermissionDenied } from '../../patterns/permission-denied/permission-denied.tsx';
import { Desktop } from './desktop.tsx';

/** SPEC 2.1: the desktop of the chosen network. */
export function NetworkDesktop() {
  const user = useSessionUser();
  const network = useLoaderData<NetworkRef | null>();
  return network ? <Desktop key={network.id} user={user} network={network} /> : <PermissionDenied />;
}
