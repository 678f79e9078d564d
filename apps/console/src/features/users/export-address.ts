import { exportUsers } from '@opensocial/contract';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { withQuery } from '../../patterns/date-range/days.ts';
import { effectiveSearch } from '../../patterns/record-list/model/use-list-view.ts';
import { userFilters } from './users.api.ts';

/** The address of the CSV export of the list, with its search and filters. */
export const exportAddress = (network: NetworkRef, params: URLSearchParams): string => {
  const filters = Object.fromEntries(params);
  const { asked, zone } = userFilters(network, { search: effectiveSearch(params.get('search') ?? ''), filters });
  return withQuery(exportUsers.path.build(asked), { zone });
};
