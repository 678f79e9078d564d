import type { LoaderFunction } from 'react-router';
import { openAdminNetwork } from '../../../api/session/admin-network.ts';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import type { Listed, PagedQuery } from '../../../api/transport/paged-query.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import type { Filter, ListView } from './list-description.ts';
import { readListView } from './use-list-view.ts';

/**
 * The loader of a list that administrators of a network see. It requests the first rows before the screen is rendered, and does not wait
 * for them. Which columns sort the list depends on those that the viewer has chosen, so a sorted list is left to the screen.
 */
export const beginList =
  <Row extends Listed>(
    query: (network: NetworkRef, view: ListView) => PagedQuery<Row>,
    filters: readonly Filter[] = [],
  ): LoaderFunction =>
  async ({ params, request }) => {
    const view = readListView(new URL(request.url).searchParams, filters);
    // The guard reports errors.
    const network = await openAdminNetwork(params['server'] ?? '').catch(() => null);
    if (network && !view.sort) void queryClient.prefetchInfiniteQuery(query(network, view));
    return null;
  };
