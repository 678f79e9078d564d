import { getTrashRetention, restoreFromTrash } from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../transport/caller.ts';
import type { NetworkRef } from '../transport/network-ref.ts';
import { queryClient } from '../transport/query-client.ts';

type Network = Pick<NetworkRef, 'name'>;

export const trashListKey = ({ name }: Network) => ['trash', 'list', name] as const;

/** For how many days deleted objects can be restored; 0 if they are not kept. */
export const retentionQuery = ({ name }: Network) =>
  queryOptions({
    queryKey: ['trash', 'retention', name],
    queryFn: async ({ signal }) => (await call(getTrashRetention, { params: { server: name } }, signal)).days,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Restores an entry of the trash. Returns sentences about what could not be restored. */
export const restoreEntry = async ({ name }: Network, id: number): Promise<readonly string[]> =>
  (await call(restoreFromTrash, { params: { server: name, id } })).notes;

/** A restored object may be on every screen: in lists, groups, sites, users and the desktop. */
export const reloadAfterRestore = (): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });

/** Called after a deletion: the trash contains it now. */
export const markTrashStale = (network: Network): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: trashListKey(network) });
