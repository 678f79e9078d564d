import { listOidcKeys, type OidcKeyReplacement, replaceOidcKey } from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { queryClient } from '../../../api/transport/query-client.ts';

export const oidcKeysQuery = (network: NetworkRef) =>
  queryOptions({
    queryKey: ['oidc-keys', network.id],
    queryFn: ({ signal }) => call(listOidcKeys, { params: { server: network.name } }, signal),
  });

export const replaceKey = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['oidc-keys', network.id, 'replace'],
    mutationFn: (body: OidcKeyReplacement) => call(replaceOidcKey, { params: { server: network.name }, body }),
    // Also after a refusal: most often another owner has replaced the key in the meantime.
    onSettled: () => queryClient.invalidateQueries({ queryKey: oidcKeysQuery(network).queryKey }),
  });
