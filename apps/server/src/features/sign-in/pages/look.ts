import type { Look } from '@opensocial/signin';
import { showFooter } from '../../../markup/footer.ts';
import { imageUrl } from '../../media/media.service.ts';
import { plannedMaintenance } from '../accounts/maintenance.ts';
import type { Destination } from '../destination/destinations.queries.ts';

/** The branding of the sign-in page of a site: the site's own settings, otherwise those of its network. */
export const toLook = ({ site, network, settings }: Destination): Look => {
  const image = imagesOf(network);
  const ofNetwork = toNetworkLook(network, settings);
  return {
    // People know the console, and the main network with it, by the product's name.
    network: { ...ofNetwork.network, title: site.kind === 'console' ? site.site_name : undefined },
    footer: ofNetwork.footer,
    ...(site.kind === 'site' && {
      site: {
        name: site.site_name,
        iconSvg: site.icon ?? undefined,
        iconColor: site.icon_color ?? undefined,
        iconBackground: site.icon_background ?? undefined,
        pictureUrl: site.icon_bg ? imageUrl('icon', network.name, site.icon_bg) : undefined,
        logoUrl: image(site.logo),
        backgroundUrl: image(site.background),
      },
    }),
    ...toAnnouncement(site),
    ...toLegalLinks(site.kind === 'site' && !site.domain_level_settings ? site : settings),
  };
};

type NetworkName = Pick<Destination['network'], 'name'>;

/** The settings of a network that are visible on its sign-in pages. */
export type BrandingSettings = Pick<
  Destination['settings'],
  | 'logo'
  | 'background'
  | 'footer'
  | 'footer_type'
  | 'footer_link'
  | 'custom_footer'
  | 'terms_of_use'
  | 'privacy_statement'
  | 'help_email'
>;

const imagesOf = (network: NetworkName) => (name: string | null) =>
  name ? imageUrl('image', network.name, name) : undefined;

/** The branding that a network gives to the sign-in pages of all its sites. */
export const toNetworkLook = (network: NetworkName, settings: BrandingSettings): Pick<Look, 'network' | 'footer'> => {
  const image = imagesOf(network);
  return {
    network: { name: network.name, logoUrl: image(settings.logo), backgroundUrl: image(settings.background) },
    footer: toFooter(settings, image(settings.footer)),
  };
};

type LegalSettings = Pick<BrandingSettings, 'terms_of_use' | 'privacy_statement' | 'help_email'>;

export const toLegalLinks = (legal: LegalSettings): Pick<Look, 'termsUrl' | 'privacyUrl' | 'helpEmail'> => ({
  termsUrl: legal.terms_of_use ?? undefined,
  privacyUrl: legal.privacy_statement ?? undefined,
  helpEmail: legal.help_email ?? undefined,
});

const toAnnouncement = (site: Destination['site']): Pick<Look, 'announcement'> => {
  const planned = plannedMaintenance(site);
  if (planned) return { announcement: { title: 'Planned maintenance', message: planned } };
  return site.site_mode === 'Closed' && site.message
    ? { announcement: { title: site.message_title ?? '', message: site.message } }
    : {};
};

const toFooter = (settings: BrandingSettings, logoUrl: string | undefined): Look['footer'] => {
  if (settings.footer_type === 'Logo')
    return logoUrl ? { logoUrl, link: settings.footer_link ?? undefined } : undefined;
  return settings.custom_footer ? showFooter(settings.custom_footer) : undefined;
};
