import {
  createNetwork,
  listNetworks,
  type Network,
  type NetworkDraft,
  type SessionUser,
  searchNetworks,
} from '@opensocial/contract';
import { mutationOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import { pagedQuery } from '../../api/transport/paged-query.ts';
import { logoutMeta, queryClient } from '../../api/transport/query-client.ts';
import { networkListKey } from '../../api/transport/query-keys.ts';

/** The networks of the signed-in user: all, or those whose name contains the search text. */
export const networksQuery = ({ username }: SessionUser, search: string, sort?: 'name' | '-name') =>
  pagedQuery<Network>({
    queryKey: [...networkListKey, search, sort],
    page: async (lastid, signal) => {
      const query = { sort };
      const { data, all_servers } =
        search === ''
          ? await call(listNetworks, { params: { username, lastid }, query }, signal)
          : await call(searchNetworks, { params: { username, keyword: search, lastid }, query }, signal);
      return { rows: data, total: all_servers };
    },
    meta: logoutMeta,
  });

export const addNetwork = mutationOptions({
  mutationKey: ['networks', 'create'],
  mutationFn: (draft: NetworkDraft) => call(createNetwork, { body: draft }),
  onSuccess: () => queryClient.invalidateQueries({ queryKey: networkListKey }),
});
