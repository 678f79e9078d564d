import {
  type Answer,
  createSite,
  getModeAnnouncement,
  getSite,
  getSiteLogins,
  getSiteMfa,
  getSubscriber,
  listSiteGroups,
  listSites,
  type MetadataSource,
  type Removed,
  readSiteMetadata,
  readSiteMetadataFile,
  removeSite,
  removeSiteImage,
  type Site,
  type SiteChanges,
  type SiteDraft,
  type SiteImageRemoval,
  SiteMode,
  type SiteRow,
  SiteStatus,
  type Subscriber,
  type SubscriberChanges,
  setSiteMode,
  updateSite,
  updateSiteImage,
  updateSubscriber,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { pagedQuery, withChangedRow, withoutRows } from '../../api/transport/paged-query.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { markMembershipsStale } from '../../api/transport/query-keys.ts';
import { readAllRows } from '../../api/transport/read-all-rows.ts';
import type { ListView } from '../../patterns/record-list/model/list-description.ts';

const listKey = (network: NetworkRef) => ['sites', 'list', network.id] as const;
const siteKey = (id: number) => ['sites', 'site', id] as const;

export const sitesQuery = (network: NetworkRef, { search, filters }: Pick<ListView, 'search' | 'filters'>) =>
  pagedQuery<SiteRow>({
    queryKey: [...listKey(network), search, filters],
    page: async (lastid, signal) => {
      const { sites, all_sites, total_is_minimum } = await call(
        listSites,
        {
          params: {
            server_id: network.id,
            sso_server: network.name,
            lastid,
            filter: SiteStatus.safeParse(filters['status']).data,
            site_mode: SiteMode.safeParse(filters['mode']).data,
            keyword: search || undefined,
          },
        },
        signal,
      );
      return { rows: sites, total: all_sites, isMinimum: total_is_minimum === true };
    },
  });

export const reloadSites = (network: NetworkRef): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: listKey(network) });

const changeRow = (network: NetworkRef, id: number, changes: Partial<SiteRow>): void => {
  queryClient.setQueriesData({ queryKey: listKey(network) }, withChangedRow<SiteRow>(id, changes));
};

export const deleteSite = async (network: NetworkRef, { id }: SiteRow): Promise<Removed> => {
  const removed = await call(removeSite, { params: { site_id: id, sso_server: network.name } });
  queryClient.setQueriesData({ queryKey: listKey(network) }, withoutRows(new Set([id])));
  await markMembershipsStale(network);
  return removed;
};

export const changeMode = async (network: NetworkRef, { id }: SiteRow, mode: SiteMode): Promise<void> => {
  await call(setSiteMode, { params: { site_id: id, mode } });
  changeRow(network, id, { site_mode: mode });
  await queryClient.invalidateQueries({ queryKey: siteKey(id) });
};

export const siteQuery = (id: number) =>
  queryOptions({
    queryKey: siteKey(id),
    queryFn: ({ signal }) => call(getSite, { params: { site_id: id } }, signal),
    // A form uses this data, so a background refetch must not replace the input.
    refetchOnWindowFocus: false,
  });

/** Whether the network requires a second factor at a site, and how many people who may enter it have none. */
export const siteMfaQuery = (id: number) =>
  queryOptions({
    queryKey: [...siteKey(id), 'mfa'],
    queryFn: ({ signal }) => call(getSiteMfa, { params: { site_id: id } }, signal),
    // People set up second factors, and the settings of the network change, on other screens.
    staleTime: 0,
  });

/** The current site, for a form whose save was refused because another person has changed it. */
export const reloadSite = (id: number): Promise<Site> => queryClient.fetchQuery({ ...siteQuery(id), staleTime: 0 });

/** Of the chosen login types, those that are usable. */
export const findLogins = async (
  id: number,
  { auth_options, custom_auth_options }: Pick<Site, 'auth_options' | 'custom_auth_options'>,
): Promise<string[]> => {
  const query = { auth_options: auth_options.join(','), custom_auth_options };
  return (await call(getSiteLogins, { params: { site_id: id }, query })).usable;
};

/** Updates the cache with the site that a change returns. */
const cacheSite = (network: NetworkRef) => (site: Site) => {
  queryClient.setQueryData(siteKey(site.id), site);
  changeRow(network, site.id, rowOf(site));
};

const rowOf = ({ site_name, site_mode, status }: Site): Partial<SiteRow> => ({
  name: site_name,
  site_name,
  site_mode,
  status,
});

/** §7.4: the payload includes the groups. `with_out_group` tells the server not to change them. */
const readGroups = async (network: NetworkRef, id: number) => {
  const groups = await readAllRows(async (lastid) => {
    const found = await call(listSiteGroups, { params: { site_id: id, server_id: network.id, lastid } });
    return { rows: found.groups, total: found.all_groups };
  });
  return groups?.map((group) => ({ id: group.id, name: group.name }));
};

export const saveSite = (network: NetworkRef, id: number) =>
  mutationOptions({
    mutationKey: ['sites', 'update', id],
    mutationFn: async ({ version, ...changes }: SiteChanges) => {
      const groups = await readGroups(network, id);
      const body = { ...changes, based_on: version, ...(groups && { groups }) };
      return call(updateSite, { params: { siteId: id }, body });
    },
    onSuccess: cacheSite(network),
  });

type SiteImage = { logo: string } | { background: string } | { icon: string } | { icon_bg: string };

export const saveSiteImage = async (network: NetworkRef, id: number, image: SiteImage): Promise<Site> => {
  const site = await call(updateSiteImage, { body: { id, ...image } });
  cacheSite(network)(site);
  return site;
};

export const clearSiteImage = async (network: NetworkRef, id: number, kind: SiteImageRemoval): Promise<Site> => {
  const site = await call(removeSiteImage, { params: { siteId: id, kind } });
  cacheSite(network)(site);
  return site;
};

export const subscriberQuery = (network: NetworkRef, id: number) =>
  queryOptions({
    queryKey: ['sites', 'subscriber', id],
    queryFn: ({ signal }) => call(getSubscriber, { params: { site_id: id, server_name: network.name } }, signal),
    staleTime: 0,
    // A form starts with this data, and cached data might be older than the last save.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** The current parameters, for a form whose save was refused because another person has changed them. */
export const reloadSubscriber = (network: NetworkRef, id: number): Promise<Subscriber> =>
  queryClient.fetchQuery(subscriberQuery(network, id));

export const addSite = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['sites', 'create', network.id],
    mutationFn: (draft: SiteDraft) =>
      call(createSite, { params: { server_id: network.id, server_name: network.name }, body: draft }),
    onSuccess: () => reloadSites(network),
  });

export const saveSubscriber = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['sites', 'parameters', network.id],
    mutationFn: ({ version, ...changes }: SubscriberChanges) =>
      call(updateSubscriber, {
        params: { server_name: network.name },
        body: { ...changes, based_on: version, sso_server: network.name },
      }),
  });

/** Signs only the assertion in the responses to a site from now on. */
export const signOnlyAssertion = (network: NetworkRef, id: number) =>
  mutationOptions({
    mutationKey: ['sites', 'signature', id],
    mutationFn: async () => {
      const { version, ...site } = await reloadSubscriber(network, id);
      return call(updateSubscriber, {
        params: { server_name: network.name },
        body: { ...site, signs: 'assertion', based_on: version },
      });
    },
    // The parameters, the state and the test show it.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['sites'] }),
  });

/** The server decodes the file, because metadata may have another encoding than UTF-8. */
export type MetadataFile = { file: File; entity_id?: string };

export const importMetadata = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['sites', 'metadata', network.id],
    mutationFn: (source: MetadataSource | MetadataFile) => {
      const params = { server_name: network.name };
      if (!('file' in source)) return call(readSiteMetadata, { params, body: source });
      const { file, entity_id } = source;
      return call(readSiteMetadataFile, { params, body: entity_id === undefined ? {} : { entity_id }, file });
    },
  });

export type ModeAnnouncement = Answer<typeof getModeAnnouncement>;

/** Polls while the notification of the site is pending. */
export const announcementQuery = (id: number) =>
  queryOptions({
    queryKey: [...siteKey(id), 'announcement'],
    queryFn: ({ signal }) => call(getModeAnnouncement, { params: { site_id: id } }, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? 5_000 : false),
  });
