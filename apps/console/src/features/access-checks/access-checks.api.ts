import {
  ApiError,
  explainAccess,
  listSites,
  listUsers,
  type SiteRow,
  type UserRow,
  viewDesktop,
} from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
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

/** Also of an address that contains no valid id. */
export const isGone = (error: Error | null): boolean =>
  error instanceof ApiError && (error.status === 400 || error.status === 404);

/** The sites of the network, for the choice of one. */
export const siteChoiceQuery = (network: NetworkRef, keyword: string) =>
  pagedQuery<SiteRow>({
    queryKey: ['access-checks', 'sites', network.id, keyword],
    page: async (lastid, signal) => {
      const params = { server_id: network.id, sso_server: network.name, lastid, keyword: keyword || undefined };
      const { sites, all_sites } = await call(listSites, { params }, signal);
      return { rows: sites, total: all_sites };
    },
  });

/** The members of the network, for the choice of one. */
export const personChoiceQuery = (network: NetworkRef, keyword: string) =>
  pagedQuery<UserRow>({
    queryKey: ['access-checks', 'people', network.id, keyword],
    page: async (lastId, signal) => {
      const params = { serverId: network.id, serverName: network.name, lastId, keyword: keyword || undefined };
      const { users, all_users } = await call(listUsers, { params }, signal);
      return { rows: users, total: all_users };
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
