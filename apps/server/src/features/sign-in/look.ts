import type { Look } from '@opensocial/signin';
import type { Destination } from './sign-in.queries.ts';

/** How the sign-in page looks for a site: its own plate, the network's name, logo and background. */
export const toLook = ({ site, network, settings }: Destination): Look => ({
  network: {
    name: network.name,
    // People know the console, and the main network with it, by the product's name.
    title: site.kind === 'console' ? site.site_name : undefined,
    logoUrl: imageUrl(settings.logo),
    backgroundUrl: imageUrl(settings.background),
  },
  ...(site.kind === 'site' && {
    site: {
      name: site.site_name,
      iconSvg: site.icon ?? undefined,
      iconColor: site.icon_color ?? undefined,
      iconBackground: site.icon_background ?? undefined,
      pictureUrl: imageUrl(site.icon_bg),
    },
  }),
});

const imageUrl = (name: string | null): string | undefined =>
  name ? `/server/sso/sso_images/image/${encodeURIComponent(name)}` : undefined;
