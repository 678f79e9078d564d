import {
  createOidcSecret,
  createOidcSite,
  getOidcClient,
  type OidcClient,
  type OidcClientChanges,
  type OidcClientWithSecret,
  type OidcSiteDraft,
  removeOidcSecret,
  updateOidcClient,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { reloadSites } from '../sites.api.ts';

export const oidcClientQuery = (id: number) =>
  queryOptions({
    queryKey: ['sites', 'oidc', id],
    queryFn: ({ signal }) => call(getOidcClient, { params: { site_id: id } }, signal),
    staleTime: 0,
    // A form starts with this data, so a background refetch must not replace the input.
    refetchOnWindowFocus: false,
  });

/** The current client, for a form whose save was refused because another person has changed it. */
export const reloadOidcClient = (id: number): Promise<OidcClient> => queryClient.fetchQuery(oidcClientQuery(id));

const cacheClient = (client: OidcClient): void => {
  queryClient.setQueryData(oidcClientQuery(client.id).queryKey, client);
};

/** The secret is not cached: it is shown only where it was made. */
const cacheWithoutSecret = ({ secret: _secret, ...client }: OidcClientWithSecret): void => cacheClient(client);

export const addOidcSite = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['sites', 'oidc', 'create', network.id],
    mutationFn: (draft: OidcSiteDraft) => call(createOidcSite, { params: { server_name: network.name }, body: draft }),
    gcTime: 0,
    onSuccess: async (client) => {
      cacheWithoutSecret(client);
      await reloadSites(network);
    },
  });

export const saveOidcClient = (id: number) =>
  mutationOptions({
    mutationKey: ['sites', 'oidc', 'update', id],
    mutationFn: ({ version, ...changes }: OidcClientChanges) =>
      call(updateOidcClient, { body: { ...changes, based_on: version } }),
    onSuccess: cacheClient,
  });

export const makeOidcSecret = (id: number) =>
  mutationOptions({
    mutationKey: ['sites', 'oidc', 'secret', id],
    mutationFn: () => call(createOidcSecret, { params: { site_id: id } }),
    gcTime: 0,
    onSuccess: cacheWithoutSecret,
  });

export const deleteOidcSecret = (id: number) =>
  mutationOptions({
    mutationKey: ['sites', 'oidc', 'secret', id, 'delete'],
    mutationFn: (secret_id: number) => call(removeOidcSecret, { params: { site_id: id, secret_id } }),
    // After a failure, the list may no longer be as it is shown.
    onSettled: () => queryClient.invalidateQueries({ queryKey: oidcClientQuery(id).queryKey }),
  });
