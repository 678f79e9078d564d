import { ApiError } from '@opensocial/contract';
import type { NetworkRef } from '../transport/network-ref.ts';
import { findNetworkNamed } from './find-network.ts';
import { requireSession } from './require-session.ts';
import { selectNetwork } from './session.ts';

/** §2.1: the home page shows the desktop of the default network. */
export const openHome = async (): Promise<NetworkRef | null> => openNetwork((await requireSession()).default_server);

/** §4, selected network: opening a network's desktop selects it. Returns null if the user is not a member. */
export const openNetwork = async (name: string): Promise<NetworkRef | null> => {
  const user = await requireSession();
  const network = await findNetworkNamed(user, name);
  if (!network) return null;
  if (network.id === user.selected_id) return network;
  try {
    await selectNetwork(user, network);
    return network;
  } catch (error) {
    // The cached list of networks may be older than the end of the membership.
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
};
