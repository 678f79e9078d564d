import { useRouteLoaderData } from 'react-router';
import type { NetworkRef } from '../transport/network-ref.ts';
import { queryClient } from '../transport/query-client.ts';
import { openNetwork } from './open-network.ts';
import { isAdmin, roleQuery } from './role.ts';

/** The id of the guard's route. The screens below it are for administrators of the network. */
export const checkadminId = 'checkadmin';

/** The check in progress, which the guard and the list of the screen share. */
let opening: { name: string; network: Promise<NetworkRef | null> } | undefined;

/** The check of the guard `checkadmin`: selects the network. Returns null if the user does not administer it. */
export const openAdminNetwork = (name: string): Promise<NetworkRef | null> => {
  if (opening?.name === name) return opening.network;
  const network = checkNetwork(name).finally(() => {
    if (opening?.network === network) opening = undefined;
  });
  opening = { name, network };
  return network;
};

const checkNetwork = async (name: string): Promise<NetworkRef | null> => {
  const network = await openNetwork(name);
  if (!network) return null;
  const role = await queryClient.ensureQueryData(roleQuery(network.name)).catch(() => 'user');
  return isAdmin(role) ? network : null;
};

/** The network of an admin screen. */
export const useAdminNetwork = (): NetworkRef => {
  const network = useRouteLoaderData<NetworkRef | null>(checkadminId);
  if (!network) throw new Error('useAdminNetwork needs the guard `checkadmin` around the screen.');
  return network;
};
