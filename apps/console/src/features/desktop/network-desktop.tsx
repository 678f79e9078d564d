import { useLoaderData } from 'react-router';
import { type NetworkRef, useSessionUser } from '../../api/session.ts';
import { PermissionDenied } from '../../patterns/permission-denied/permission-denied.tsx';
import { Desktop } from './desktop.tsx';

/** The desktop of the network that its route has opened. */
export function NetworkDesktop() {
  const user = useSessionUser();
  const network = useLoaderData<NetworkRef | null>();
  return network ? <Desktop key={network.id} user={user} network={network} /> : <PermissionDenied />;
}
