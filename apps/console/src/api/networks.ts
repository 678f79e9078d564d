import {
  getNetworkDetails,
  listNetworks,
  type Network,
  NetworkName,
  type SessionUser,
  searchNetworks,
} from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { generatePath } from 'react-router';
import { call } from './caller.ts';
import { type Page, pagedQuery } from './paged-query.ts';
import { logsOut, queryClient } from './query-client.ts';
import type { NetworkRef } from './session.ts';

const networksKey = ['networks', 'list'] as const;

type NetworksAsked = { username: string; search: string; sort?: 'name' | '-name' | undefined };

const networksPage = async ({ username, search, sort }: NetworksAsked, lastid: number, signal?: AbortSignal) => {
  const query = { sort };
  const { data, all_servers } =
    search === ''
      ? await call(listNetworks, { params: { username, lastid }, query }, signal)
      : await call(searchNetworks, { params: { username, keyword: search, lastid }, query }, signal);
  return { rows: data, total: all_servers };
};

/** The networks of the signed-in user, all or those whose name holds a keyword. */
export const networksQuery = ({ username }: SessionUser, search: string, sort?: 'name' | '-name') =>
  pagedQuery<Network>({
    queryKey: [...networksKey, search, sort],
    page: (lastId, signal) => networksPage({ username, search, sort }, lastId, signal),
    meta: logsOut,
  });

export const reloadNetworks = (): Promise<void> => queryClient.invalidateQueries({ queryKey: networksKey });

/** A network of the user by its name; nothing where it is unknown or not theirs. */
export const findNetworkNamed = async (user: SessionUser, name: string): Promise<NetworkRef | undefined> => {
  if (name === user.selected_server) return { id: user.selected_id, name };
  if (name === user.default_server) return { id: user.server_id, name };
  const held = queryClient.getQueriesData<{ pages: Page<Network>[] }>({ queryKey: networksKey });
  const known = held.flatMap(([, data]) => data?.pages ?? []).flatMap(({ rows }) => rows);
  const found = known.find(({ url }) => url === name) ?? (await askForNetwork(user, name));
  return found && { id: found.id, name };
};

/** Names hold one another: the wanted one may stand on a later page. */
const askForNetwork = async (user: SessionUser, name: string, lastId = 0): Promise<Network | undefined> => {
  if (!NetworkName.safeParse(name).success) return undefined;
  const { rows } = await networksPage({ username: user.username, search: name }, lastId);
  const last = rows.at(-1);
  if (!last) return undefined;
  return rows.find(({ url }) => url === name) ?? askForNetwork(user, name, last.id);
};

/** A network with its numbers and the addresses of its identity provider. */
export const networkDetailsQuery = ({ id, name }: NetworkRef) =>
  queryOptions({
    queryKey: ['networks', 'details', id, name],
    queryFn: ({ signal }) => call(getNetworkDetails, { params: { server: name, id } }, signal),
  });

/** A network's desktop. Its route selects the network, so that a link is all it takes. */
export const networkDesktopPath = '/sso-servers/:server';

export const toNetworkDesktop = (name: string): string => generatePath(networkDesktopPath, { server: name });
