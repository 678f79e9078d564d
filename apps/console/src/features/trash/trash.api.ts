import { emptyTrash, listTrash, removeFromTrash, type TrashEntry, TrashKind } from '@opensocial/contract';
import { mutationOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { pagedQuery, withoutRows } from '../../api/transport/paged-query.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { markTrashStale, trashListKey } from '../../api/trash/trash.ts';
import type { ListView } from '../../patterns/record-list/model/list-description.ts';

export const trashQuery = (network: NetworkRef, { search, filters }: Pick<ListView, 'search' | 'filters'>) =>
  pagedQuery<TrashEntry>({
    queryKey: [...trashListKey(network), search, filters],
    page: async (lastid, signal) => {
      const kind = TrashKind.safeParse(filters['kind']).data;
      const params = { server: network.name, lastid, kind, keyword: search || undefined };
      const { entries, all_entries, total_is_minimum } = await call(listTrash, { params }, signal);
      return { rows: entries, total: all_entries, isMinimum: total_is_minimum === true };
    },
  });

export const deletePermanently = async (network: NetworkRef, { id }: TrashEntry): Promise<void> => {
  await call(removeFromTrash, { params: { server: network.name, id } });
  queryClient.setQueriesData({ queryKey: trashListKey(network) }, withoutRows(new Set([id])));
};

export const emptyWholeTrash = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['trash', 'empty', network.id],
    mutationFn: () => call(emptyTrash, { params: { server: network.name } }),
    onSuccess: () => markTrashStale(network),
  });
