import {
  createSigningKey,
  listSigningKeySites,
  listSigningKeys,
  removeSigningKey,
  retireSigningKey,
  type SigningAlgorithm,
  type SigningKey,
  type SigningKeySite,
  stopTryingSigningKey,
  switchAllSites,
  switchSite,
  trySigningKey,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { networkDetailsQuery } from '../../../api/session/network-details.ts';
import { call } from '../../../api/transport/caller.ts';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { pagedQuery } from '../../../api/transport/paged-query.ts';
import { queryClient } from '../../../api/transport/query-client.ts';

const keysKey = ({ id }: NetworkRef) => ['signing-keys', id] as const;

export const signingKeysQuery = (network: NetworkRef) =>
  queryOptions({
    queryKey: [...keysKey(network), 'list'],
    queryFn: ({ signal }) => call(listSigningKeys, { params: { server: network.name } }, signal),
  });

export const signingKeySitesQuery = (network: NetworkRef, search: string) =>
  pagedQuery<SigningKeySite>({
    queryKey: [...keysKey(network), 'sites', search],
    page: async (lastid, signal) => {
      const params = { server: network.name, lastid, keyword: search || undefined };
      const { sites, all_sites, total_is_minimum } = await call(listSigningKeySites, { params }, signal);
      return { rows: sites, total: all_sites, isMinimum: total_is_minimum === true };
    },
  });

/** A change of the keys that an owner confirms in a dialog. */
export type KeyChange =
  | { kind: 'create'; algorithm: SigningAlgorithm }
  | { kind: 'try' | 'stop' | 'all' | 'back' | 'retire' | 'remove'; key: SigningKey }
  | { kind: 'site'; key: SigningKey; site: SigningKeySite };

const apply = (server: string, change: KeyChange) => {
  if (change.kind === 'create')
    return call(createSigningKey, { params: { server }, body: { algorithm: change.algorithm } });
  const params = { server, key_id: change.key.id };
  switch (change.kind) {
    case 'try':
      return call(trySigningKey, { params });
    case 'stop':
      return call(stopTryingSigningKey, { params });
    case 'all':
    case 'back':
      return call(switchAllSites, { params });
    case 'retire':
      return call(retireSigningKey, { params });
    case 'remove':
      return call(removeSigningKey, { params });
    case 'site':
      return call(switchSite, { params, body: { site_id: change.site.id } });
  }
};

export const changeKeys = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: [...keysKey(network), 'change'],
    mutationFn: (change: KeyChange) => apply(network.name, change),
    // Also after a refusal: most often another owner has changed the keys in the meantime.
    onSettled: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keysKey(network) }),
        // It contains the certificate of the current key.
        queryClient.invalidateQueries({ queryKey: networkDetailsQuery(network).queryKey }),
      ]);
    },
  });
