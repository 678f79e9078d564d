import { getNetworkDetails } from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../transport/caller.ts';
import type { NetworkRef } from '../transport/network-ref.ts';
import { networksKey } from '../transport/query-keys.ts';

/** A network with its mode, its numbers and the addresses of its identity provider. */
export const networkDetailsQuery = ({ id, name }: NetworkRef) =>
  queryOptions({
    queryKey: [...networksKey, 'details', id, name],
    queryFn: ({ signal }) => call(getNetworkDetails, { params: { server: name, id } }, signal),
  });
