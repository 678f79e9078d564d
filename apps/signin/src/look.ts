/** The branding of a page: always that of the network, and that of the site if the sign-in is for one. */
export type Look = {
  network: NetworkLook;
  site?: SiteLook | undefined;
  announcement?: { title: string; message: string } | undefined;
  termsUrl?: string | undefined;
  privacyUrl?: string | undefined;
  helpEmail?: string | undefined;
  footer?: FooterLook | undefined;
};

/** The network's own footer: its logo with a link, or HTML that is already sanitized and is written as it is. */
export type FooterLook =
  | { logoUrl: string; link?: string | undefined }
  | { html: string; styleHashes: string[]; hasVideo: boolean; hasColour: boolean };

export type NetworkLook = {
  name: string;
  title?: string | undefined;
  logoUrl?: string | undefined;
  backgroundUrl?: string | undefined;
};

export type SiteLook = {
  name: string;
  logoUrl?: string | undefined;
  backgroundUrl?: string | undefined;
  /** Fills the plate and takes precedence over the icon. */
  pictureUrl?: string | undefined;
  /** Markup of one `<svg>` that is already sanitized and is written as it is. */
  iconSvg?: string | undefined;
  iconColor?: string | undefined;
  iconBackground?: string | undefined;
};

export const ownLook: Look = { network: { name: 'OpenSocial' } };

export const networkNameOf = ({ network }: Look): string => network.title || network.name;
