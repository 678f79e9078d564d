/** How a page is dressed: the network always, the site when someone is on the way to one. */
export type Look = {
  network: NetworkLook;
  site?: SiteLook | undefined;
  announcement?: { title: string; message: string } | undefined;
  termsUrl?: string | undefined;
  privacyUrl?: string | undefined;
  helpEmail?: string | undefined;
  footer?: FooterLook | undefined;
};

/** The network's own footer: its logo with a link, or a text that is already sanitised and is written out as it stands. */
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
  /** Fills the plate; goes before the icon. */
  pictureUrl?: string | undefined;
  /** Markup of one `<svg>`, already sanitised: it is written out as it stands. */
  iconSvg?: string | undefined;
  iconColor?: string | undefined;
  iconBackground?: string | undefined;
};

export const ownLook: Look = { network: { name: 'OpenSocial' } };

export const networkNameOf = ({ network }: Look): string => network.title || network.name;
