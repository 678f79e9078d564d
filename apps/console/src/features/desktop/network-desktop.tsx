import { useLoaderData } from 'react-router';
import { useSessionUser } from '../../api/session/session.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { PermissionDenied } from '../../patterns/permission-denied/permission-denied.tsx';
import { Desktop } from './desktop.tsx';

/** The desktop of the network that the loader has opened. */
export function NetworkDesktop() {
  const user = useSessionUser();
  const network = useLoaderData<NetworkRef | null>();
  return network ? <Desktop key={network.id} user={user} network={network} /> : <PermissionDenied />;
}
