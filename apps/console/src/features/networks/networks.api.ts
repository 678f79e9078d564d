import { createNetwork, getNetworkDetails, type NetworkDraft } from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/caller.ts';
import { reloadNetworks } from '../../api/networks.ts';
import type { NetworkRef } from '../../api/session.ts';

export const networkDetailsQuery = ({ id, name }: NetworkRef) =>
  queryOptions({
    queryKey: ['networks', 'details', id, name],
    queryFn: ({ signal }) => call(getNetworkDetails, { params: { server: name, id } }, signal),
  });

export const addNetwork = mutationOptions({
  mutationKey: ['networks', 'create'],
  mutationFn: (draft: NetworkDraft) => call(createNetwork, { body: draft }),
  onSuccess: reloadNetworks,
});
