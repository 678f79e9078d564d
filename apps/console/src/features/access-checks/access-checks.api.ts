import { ApiError, explainAccess, listSites, type SiteRow, viewDesktop } from '@opensocial/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { pagedQuery } from '../../api/transport/paged-query.ts';

/** The person and the site of a check. */
export type Checked = { siteId: number; userId: number };

/** A check is read again each time it is opened, because it is opened to see the effect of a change. */
export const accessQuery = ({ siteId, userId }: Checked) =>
  queryOptions({
    queryKey: ['access-checks', siteId, userId],
    queryFn: ({ signal }) => call(explainAccess, { params: { site_id: siteId, user_id: userId } }, signal),
    staleTime: 0,
  });

/** The check of the person and the site in the address; undefined until both are chosen and the answer has come. */
export const useCheck = (checked: Checked | undefined) =>
  useQuery({ ...accessQuery(checked ?? { siteId: 0, userId: 0 }), enabled: checked !== undefined }).data;

/** Whether the record does not exist. The server answers 400 if the address contains no valid id. */
export const isGone = (error: Error | null): boolean =>
  error instanceof ApiError && (error.status === 400 || error.status === 404);

/** The sites of the network, for the choice of one. */
export const siteChoiceQuery = (network: NetworkRef, keyword: string) =>
  pagedQuery<SiteRow>({
    queryKey: ['access-checks', 'sites', network.id, keyword],
    page: async (lastid, signal) => {
      const params = { server_id: network.id, sso_server: network.name, lastid, keyword: keyword || undefined };
      const { sites, all_sites, total_is_minimum } = await call(listSites, { params }, signal);
      return { rows: sites, total: all_sites, isMinimum: total_is_minimum === true };
    },
  });

/**
 * Every request is recorded in the audit log as a view, so the desktop is read once when the screen opens, and is neither cached nor
 * read again in the background.
 */
export const desktopOfUserQuery = (network: NetworkRef, userId: number) =>
  queryOptions({
    queryKey: ['access-checks', 'desktop', network.id, userId],
    queryFn: () => call(viewDesktop, { params: { user_id: userId, server_id: network.id } }),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
