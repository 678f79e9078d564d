import { createNetwork, type NetworkDraft } from '@opensocial/contract';
import { mutationOptions } from '@tanstack/react-query';
import { call } from '../../api/caller.ts';
import { reloadNetworks } from '../../api/networks.ts';

export const addNetwork = mutationOptions({
  mutationKey: ['networks', 'create'],
  mutationFn: (draft: NetworkDraft) => call(createNetwork, { body: draft }),
  onSuccess: reloadNetworks,
});
