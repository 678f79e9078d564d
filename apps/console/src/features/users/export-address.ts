import { exportUsers } from '@opensocial/contract';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { effectiveSearch } from '../../patterns/record-list/model/use-list-view.ts';
import { userFilters } from './users.api.ts';

/** The address of the CSV export of the list, with its search and filters. */
export const exportAddress = (network: NetworkRef, params: URLSearchParams): string => {
  const filters = Object.fromEntries(params);
  const { lastId: _lastId, ...asked } = userFilters(
    network,
    { search: effectiveSearch(params.get('search') ?? ''), filters },
    0,
  );
  return exportUsers.path.build(asked);
};
