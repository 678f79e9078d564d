import { getSsoId, listDesktopApps, listUserDesktopApps, type SessionUser } from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { isAdmin, roleQuery } from '../../api/session/role.ts';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { desktopAppsKey } from '../../api/transport/query-keys.ts';

/** All apps for an administrator of the network, otherwise the apps that the user may see. */
export const desktopAppsQuery = (user: SessionUser, network: NetworkRef) =>
  queryOptions({
    queryKey: desktopAppsKey(network),
    queryFn: async ({ client, signal }) => {
      const administers = await client.fetchQuery(roleQuery(network.name)).then(isAdmin, () => false);
      return administers
        ? call(listDesktopApps, { params: { server_id: network.id } }, signal)
        : call(listUserDesktopApps, { params: await userDesktopParams(user, network, signal) }, signal);
    },
  });

const userDesktopParams = async (user: SessionUser, network: NetworkRef, signal: AbortSignal) => ({
  selectedId: network.id,
  ssoId: await ssoIdOf(user, network, signal),
  serverId: network.id,
  selectedServer: network.name,
  uid: user.uid,
});

/** The session contains the sso_id of the selected network only. */
const ssoIdOf = async (user: SessionUser, network: NetworkRef, signal: AbortSignal): Promise<string> => {
  if (network.id === user.selected_id) return user.sso_id;
  const { sso_id } = await call(getSsoId, { params: { server: network.name } }, signal);
  return sso_id;
};
