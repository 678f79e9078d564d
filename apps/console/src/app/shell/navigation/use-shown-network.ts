import type { SessionUser } from '@opensocial/contract';
import { useMatches, useNavigation } from 'react-router';
import { toHome } from '../../../features/desktop/desktop.links.ts';

/**
 * The name of the network to show: the selected network. Undefined if the address names another network that could
 * not be opened (§8).
 */
export const useShownNetwork = ({ default_server, selected_server }: SessionUser): string | undefined => {
  const match = useMatches().at(-1);
  const isNavigating = useNavigation().state !== 'idle';
  const wanted = match?.pathname === toHome() ? default_server : match?.params['server'];
  // When the user switches networks, the new network is selected before the address changes.
  return isNavigating || wanted === undefined || wanted === selected_server ? selected_server : undefined;
};
