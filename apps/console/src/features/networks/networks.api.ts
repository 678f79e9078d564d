import {
  createNetwork,
  inviteOwner,
  listInvitedOwners,
  listNetworks,
  type Network,
  type NetworkDraft,
  type SessionUser,
  searchNetworks,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { pagedQuery } from '../../api/transport/paged-query.ts';
import { logoutMeta, queryClient } from '../../api/transport/query-client.ts';
import { networkListKey, networksKey } from '../../api/transport/query-keys.ts';

/** The networks of the signed-in user: all, or those whose name contains the search text. */
export const networksQuery = ({ username }: SessionUser, search: string, sort?: 'name' | '-name') =>
  pagedQuery<Network>({
    queryKey: [...networkListKey, search, sort],
    page: async (lastid, signal) => {
      const query = { sort };
      const { data, all_servers, total_is_minimum } =
        search === ''
          ? await call(listNetworks, { params: { username, lastid }, query }, signal)
          : await call(searchNetworks, { params: { username, keyword: search, lastid }, query }, signal);
      return { rows: data, total: all_servers, isMinimum: total_is_minimum === true };
    },
    meta: logoutMeta,
  });

export const addNetwork = mutationOptions({
  mutationKey: ['networks', 'create'],
  mutationFn: (draft: NetworkDraft) => call(createNetwork, { body: draft }),
  onSuccess: () => queryClient.invalidateQueries({ queryKey: networkListKey }),
});

/** The owners who have not accepted their invitation yet. Only for owners of the main network. */
export const invitedOwnersQuery = ({ id, name }: NetworkRef) =>
  queryOptions({
    queryKey: [...networksKey, 'invited-owners', id],
    queryFn: ({ signal }) => call(listInvitedOwners, { params: { serverName: name, serverId: id } }, signal),
    // They accept on another screen, so the list is read again whenever it is shown.
    staleTime: 0,
  });

/** An owner may have accepted in the meantime, also if the call was refused. */
export const inviteOwnerAgain = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['networks', 'invite-owner', network.id],
    mutationFn: (ownerId: number) =>
      call(inviteOwner, { params: { serverName: network.name }, body: { owner_id: ownerId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitedOwnersQuery(network).queryKey }),
  });
