import { listSites, type SiteRow } from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';

/** §4: a search has at least two characters. */
const minimumSearch = 2;

/** The sites of the network that a search finds, at most one page. */
export const foundSitesQuery = (network: NetworkRef, search: string) =>
  queryOptions({
    queryKey: ['sites', 'found', network.id, search],
    queryFn: async ({ signal }): Promise<SiteRow[]> => {
      const params = { server_id: network.id, sso_server: network.name, lastid: 0, keyword: search };
      return (await call(listSites, { params }, signal)).sites;
    },
    enabled: search.length >= minimumSearch,
    staleTime: 0,
  });
