import {
  type ConfiguredApp,
  getSite,
  listAvailableApps,
  listDesktopApps,
  maximumDesktopApps,
  type NetworkMode,
  type Site,
  type SiteInfo,
  saveDesktopApps,
  setNetworkMode,
  updateSiteInfo,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { imageAddress } from '../../api/links/image-address.ts';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { desktopAppsKey, networksKey, sitesKey, usersKey } from '../../api/transport/query-keys.ts';
import type { TileLook } from '../../patterns/app-tile/tile-face.tsx';
import { type Arrangement, byDomain } from './arrangement.ts';

export type DesktopConfig = Arrangement & { mode: NetworkMode; modeVersion: number; version: number };

const configKey = (network: NetworkRef) => ['desktop', network.id, 'config'] as const;
const savingKey = (network: NetworkRef) => [...configKey(network), 'save'] as const;

const isSaving = (network: NetworkRef): boolean => queryClient.isMutating({ mutationKey: savingKey(network) }) > 0;

/** Both lists with their version. */
export const desktopConfigQuery = (network: NetworkRef) =>
  queryOptions({
    queryKey: configKey(network),
    queryFn: async ({ signal }): Promise<DesktopConfig> => {
      const params = { server_id: network.id };
      // The version is read first. If the lists are newer than the version, a save is refused; if they were older, a save would
      // undo changes that they lack.
      const { sites, server_mode, mode_version, version } = await call(listAvailableApps, { params }, signal);
      const desktop = await call(listDesktopApps, { params }, signal);
      const shown = new Set(desktop.map(({ id }) => id));
      const available = sites.filter(({ id }) => !shown.has(id)).toSorted(byDomain);
      return { available, desktop, mode: server_mode, modeVersion: mode_version, version };
    },
    staleTime: 0,
    // A refetch must not replace an arrangement that is being saved.
    refetchOnMount: () => !isSaving(network),
    refetchOnReconnect: () => !isSaving(network),
    refetchOnWindowFocus: () => !isSaving(network),
  });

const readConfig = (network: NetworkRef) => queryClient.getQueryData<DesktopConfig>(configKey(network));

const changeConfig = (network: NetworkRef, changes: Partial<DesktopConfig>): void => {
  queryClient.setQueryData<DesktopConfig>(configKey(network), (cached) => cached && { ...cached, ...changes });
};

/** Shows a new arrangement. Returns the previous one if the caller has to start a save, and undefined if a save is running. */
export const showArrangement = (
  network: NetworkRef,
  change: (cached: DesktopConfig) => DesktopConfig,
): DesktopConfig | undefined => {
  const cached = readConfig(network);
  const next = cached && change(cached);
  if (!next || next === cached) return undefined;
  void queryClient.cancelQueries({ queryKey: configKey(network) });
  queryClient.setQueryData(configKey(network), next);
  return isSaving(network) ? undefined : cached;
};

/** The ids of both lists. If there are more available apps than a call accepts, only those that leave the desktop are sent. */
const groupsOf = (sent: Arrangement, saved: Arrangement) => {
  const before = new Set(saved.desktop.map(({ id }) => id));
  const named =
    sent.available.length > maximumDesktopApps ? sent.available.filter(({ id }) => before.has(id)) : sent.available;
  return { available_apps: named.map(({ id }) => id), desktop_apps: sent.desktop.map(({ id }) => id) };
};

/**
 * §4: saves the shown arrangement, and repeats until nothing has changed in the meantime. Each save is based on the
 * version of the previous one. If a save fails, the last saved arrangement is restored and the current one is loaded.
 */
export const saveArrangement = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: savingKey(network),
    // Offline, the save fails at once instead of waiting, because somebody else may save first.
    networkMode: 'always',
    mutationFn: async (before: DesktopConfig): Promise<void> => {
      const params = { server_id: network.id };
      let saved = before;
      try {
        for (let sent = readConfig(network); sent && sent.desktop !== saved.desktop; sent = readConfig(network)) {
          const body = { ...groupsOf(sent, saved), version: saved.version };
          // oxlint-disable-next-line no-await-in-loop -- each save needs the version of the previous one
          const { version } = await call(saveDesktopApps, { params, body });
          saved = { ...sent, version };
          changeConfig(network, { version });
        }
      } catch (error) {
        const { available, desktop, version } = saved;
        changeConfig(network, { available, desktop, version });
        throw error;
      }
    },
    onSettled: (_done, error) => {
      void queryClient.invalidateQueries({ queryKey: desktopAppsKey(network) });
      if (error) void queryClient.invalidateQueries({ queryKey: configKey(network) });
    },
  });

/** §4, network mode setting: saved at once. Lists of sites and users depend on the mode. */
export const saveMode = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['desktop', network.id, 'mode'],
    networkMode: 'always',
    scope: { id: `network-mode-${network.id}` },
    mutationFn: ({ mode, version }: { mode: NetworkMode; version: number }) =>
      call(setNetworkMode, { body: { server: network.name, mode, based_on: version } }),
    onSuccess: ({ version }, { mode }) => {
      changeConfig(network, { mode, modeVersion: version });
      for (const queryKey of [sitesKey, usersKey, networksKey]) void queryClient.invalidateQueries({ queryKey });
    },
  });

/** The current mode, for a save that was refused because another person has changed it. */
export const reloadMode = async (network: NetworkRef): Promise<Pick<DesktopConfig, 'mode' | 'modeVersion'>> => {
  const { mode, modeVersion } = await queryClient.fetchQuery(desktopConfigQuery(network));
  return { mode, modeVersion };
};

/** The site for the Update Site panel. */
export const tileQuery = (id: number) =>
  queryOptions({
    queryKey: ['desktop', 'site', id],
    queryFn: ({ signal }) => call(getSite, { params: { site_id: id } }, signal),
    staleTime: 0,
    // A form starts with this data, and cached data might be older than the last save.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** The current site, for a form whose save was refused because another person has changed it. */
export const reloadTile = (id: number): Promise<Site> => queryClient.fetchQuery(tileQuery(id));

export const saveTile = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['desktop', network.id, 'tile'],
    mutationFn: ({ version, ...info }: SiteInfo) =>
      call(updateSiteInfo, { params: { server: network.name }, body: { ...info, based_on: version } }),
    onSuccess: (site, { login_url }) => {
      queryClient.setQueryData(tileQuery(site.id).queryKey, site);
      const tile = { ...tileLookOf(network, site), login_url };
      const updateTile = (app: ConfiguredApp) => (app.id === site.id ? { ...app, ...tile } : app);
      const cached = readConfig(network);
      if (cached)
        changeConfig(network, { desktop: cached.desktop.map(updateTile), available: cached.available.map(updateTile) });
      void queryClient.invalidateQueries({ queryKey: sitesKey });
      void queryClient.invalidateQueries({ queryKey: desktopAppsKey(network) });
    },
  });

/** The tile properties of a site. */
export const tileLookOf = (
  network: NetworkRef,
  site: Omit<SiteInfo, 'id' | 'version' | 'based_on' | 'login_url'>,
): TileLook => ({
  name: site.site_name,
  icon: site.icon,
  icon_bg: site.icon_bg && imageAddress({ network: network.name, kind: 'icon', name: site.icon_bg }),
  icon_color: site.icon_color,
  icon_background: site.icon_background,
  text_color: site.text_color,
  text_background: site.text_background,
  icon_width: site.icon_width,
});
