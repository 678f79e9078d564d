import {
  type ConfiguredApp,
  listAvailableApps,
  listDesktopApps,
  listUserDesktopApps,
  saveDesktopApps,
} from '@opensocial/contract';
import type { sites } from '../../database/schema.ts';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { readVersion } from '../audit/audit.service.ts';
import { imageUrl } from '../media/media.service.ts';
import { shownIn, startAddressOf } from '../sites/sites.service.ts';
import { findAvailableSites, findDesktopSites, findNetworkMode } from './desktop.queries.ts';
import { saveDesktop } from './desktop.service.ts';

export const desktopRoutes = (bind: Bind, { db, config }: Parts): void => {
  const toApp =
    (network: { name: string }) =>
    (site: typeof sites.$inferSelect): ConfiguredApp => ({
      id: site.id,
      name: site.site_name,
      domain: site.domain,
      icon: site.icon ?? '',
      icon_bg: site.icon_bg ? imageUrl('icon', network.name, site.icon_bg) : '',
      icon_color: site.icon_color ?? '',
      icon_background: site.icon_background ?? '',
      text_color: site.text_color ?? '',
      text_background: site.text_background ?? '',
      icon_width: site.icon_width,
      login_url: site.login_url || startAddressOf(config, network, site),
    });

  bind(listDesktopApps, async ({ network }) => (await findDesktopSites(db, network.id)).map(toApp(network)));

  bind(listUserDesktopApps, async ({ network, user }) =>
    (await findDesktopSites(db, network.id, shownIn(network.mode, user.id))).map(toApp(network)),
  );

  bind(listAvailableApps, async ({ network }) => {
    // The mode is read after its version: an older mode with a newer version would hide a change.
    const mode_version = await readVersion(db, `network:${network.id}`);
    return {
      sites: (await findAvailableSites(db, network.id)).map(toApp(network)),
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
