import { type Network, NetworkName, type SessionUser, searchNetworks } from '@opensocial/contract';
import { call } from '../transport/caller.ts';
import type { NetworkRef } from '../transport/network-ref.ts';
import type { Page } from '../transport/paged-query.ts';
import { queryClient } from '../transport/query-client.ts';
import { networkListKey } from '../transport/query-keys.ts';

/** Finds a network of the user by its name; undefined if the network is unknown or the user is not a member. */
export const findNetworkNamed = async (user: SessionUser, name: string): Promise<NetworkRef | undefined> => {
  if (name === user.selected_server) return { id: user.selected_id, name };
  if (name === user.default_server) return { id: user.server_id, name };
  const cached = queryClient.getQueriesData<{ pages: Page<Network>[] }>({ queryKey: networkListKey });
  const known = cached.flatMap(([, data]) => data?.pages ?? []).flatMap(({ rows }) => rows);
  const found = known.find(({ url }) => url === name) ?? (await searchNetwork(user, name));
  return found && { id: found.id, name };
};

/** The search finds every name that contains the keyword, so the exact name may be on a later page. */
const searchNetwork = async (user: SessionUser, name: string, lastid = 0): Promise<Network | undefined> => {
  if (!NetworkName.safeParse(name).success) return undefined;
  const { data } = await call(searchNetworks, {
    params: { username: user.username, keyword: name, lastid },
    query: {},
  });
  const last = data.at(-1);
  if (!last) return undefined;
  return data.find(({ url }) => url === name) ?? searchNetwork(user, name, last.id);
};
