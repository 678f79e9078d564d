import { ApiError } from '@opensocial/contract';
import { initialOf } from '@opensocial/look/initial';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { networkDetailsQuery } from '../../api/session/network-details.ts';
import { useSessionUser } from '../../api/session/session.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { PermissionNotice } from '../../patterns/permission-denied/permission-denied.tsx';
import { SidePanel } from '../../patterns/side-panel/side-panel.tsx';
import { NetworkFacts, NetworkFactsSkeleton } from './network-facts.tsx';
import { NetworkPanelFooter } from './network-panel-footer.tsx';
import { toNetworks } from './networks.links.ts';

/** Also shown if the address contains no valid id, which cannot be a network of the user. */
const isForeign = (error: Error | null): boolean => error instanceof ApiError && [400, 404].includes(error.status);

/** §2.4, network panel. */
export function NetworkPanel() {
  const user = useSessionUser();
  const { name = '', id = '' } = useParams();
  const network = { id: Number(id), name };
  const details = useQuery(networkDetailsQuery(network));
  const isDefault = user.server_id === network.id;
  return (
    <SidePanel
      closeTo={toNetworks()}
      plate={initialOf(name)}
      name={name}
      state={details.data && <span>{isDefault ? 'Your default server' : 'Network'}</span>}
      footer={details.data && <NetworkPanelFooter network={network} isDefault={isDefault} />}
    >
      {details.isPending && <NetworkFactsSkeleton />}
      {details.data && <NetworkFacts network={details.data} />}
      {details.isLoadingError &&
        (isForeign(details.error) ? (
          <PermissionNotice />
        ) : (
          <ErrorPanel onRetry={details.refetch} retrying={details.isFetching} />
        ))}
    </SidePanel>
  );
}
