import type { Look } from '@opensocial/signin';
import { addressOfImage } from '../media/media.service.ts';
import type { Destination } from './sign-in.queries.ts';

/** How the sign-in page looks for a site: its own plate, the network's name, logo and background. */
export const toLook = ({ site, network, settings }: Destination): Look => ({
  network: {
    name: network.name,
    // People know the console, and the main network with it, by the product's name.
    title: site.kind === 'console' ? site.site_name : undefined,
    logoUrl: settings.logo ? addressOfImage('image', network.name, settings.logo) : undefined,
    backgroundUrl: settings.background ? addressOfImage('image', network.name, settings.background) : undefined,
  },
  ...(site.kind === 'site' && {
    site: {
      name: site.site_name,
      iconSvg: site.icon ?? undefined,
      iconColor: site.icon_color ?? undefined,
      iconBackground: site.icon_background ?? undefined,
      pictureUrl: site.icon_bg ? addressOfImage('icon', network.name, site.icon_bg) : undefined,
    },
  }),
});
