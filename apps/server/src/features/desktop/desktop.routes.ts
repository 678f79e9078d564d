import {
  collapseDesktopSection,
  getDesktopSections,
  listAvailableApps,
  listDesktopApps,
  listUserDesktopApps,
  saveDesktopApps,
  saveDesktopSections,
  setDesktopFavourite,
} from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { GrantedNetwork } from '../../identity/network-access.ts';
import type { Parts } from '../../parts.ts';
import { readVersion } from '../audit/audit.service.ts';
import { readMarkedApps, setFavourite } from './desktop.favourites.service.ts';
import { findAvailableSites, findDesktopSites, findNetworkMode } from './desktop.queries.ts';
import { collapseSection, readSections, saveSections } from './desktop.sections.service.ts';
import { findDesktopOf, saveDesktop, toApp } from './desktop.service.ts';

const viewerOf = (network: GrantedNetwork, user: { id: number }) => ({
  id: user.id,
  isOwner: network.role === 'admin',
});

export const desktopRoutes = (bind: Bind, { db, config }: Parts): void => {
  bind(listDesktopApps, async ({ network }) => (await findDesktopSites(db, network.id)).map(toApp(config, network)));

  bind(listUserDesktopApps, async ({ network, user }) =>
    (await findDesktopOf(db, network, { id: user.id, isOwner: false })).map(toApp(config, network)),
  );

  bind(getDesktopSections, async ({ network, user }) => ({
    ...(await readMarkedApps(db, network, viewerOf(network, user))),
    ...(await readSections(db, network, viewerOf(network, user))),
  }));

  bind(saveDesktopSections, ({ network, user, body }) => saveSections(db, network, viewerOf(network, user), body));

  bind(collapseDesktopSection, async ({ network, user, params: { section_id }, body: { collapsed } }) => {
    await collapseSection(db, { networkId: network.id, userId: user.id }, section_id, collapsed);
    return { collapsed };
  });

  bind(setDesktopFavourite, async ({ network, user, params: { site_id }, body: { favourite } }) => {
    await setFavourite(db, network, viewerOf(network, user), { siteId: site_id, isFavourite: favourite });
    return { favourite };
  });

  bind(listAvailableApps, async ({ network }) => {
    // The mode is read after its version: an older mode with a newer version would hide a change.
    const mode_version = await readVersion(db, `network:${network.id}`);
    return {
      sites: (await findAvailableSites(db, network.id)).map(toApp(config, network)),
      server_mode: await findNetworkMode(db, network.id),
      version: network.desktop_version,
      mode_version,
    };
  });

  bind(saveDesktopApps, async ({ body, ...caller }) => ({
    version: await saveDesktop(db, caller, body),
    message: 'The desktop was saved.',
  }));
};
