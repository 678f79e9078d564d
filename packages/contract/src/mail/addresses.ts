import type { TemplateKind } from '../templates/templates.schemas.ts';

const ownStart = /^(?:\{signup_from\}|\{\{\s*signup_from\s*\}\})(?=[/?#]|$)/;
/** As far as the host: without a user name, and with nothing that a browser would read as a slash. */
const webStart = /^https?:\/\/[^\s/?#\\{}@]+(?=[/?#]|$)/i;
const mailStart = /^mailto:[^\s{}?]+@[^\s{}?]+(?=\?|$)/i;

/** Browsers leave these out before they read an address. */
export const bareAddress = (address: string): string => address.replaceAll(/[\t\n\r]/g, '').trim();

/** Whose a link in a mail is: ours, another's, or no address that a mail can have. No tag has a say in that. */
export const addressOwner = (address: string, origin: string): 'own' | 'other' | 'none' => {
  if (ownStart.test(address)) return 'own';
  const [start] = webStart.exec(address) ?? [];
  if (start === undefined) return mailStart.test(address) ? 'other' : 'none';
  const url = URL.parse(start);
  if (!url) return 'none';
  return url.origin === origin ? 'own' : 'other';
};

/** The path of a link of ours, as a browser reads it; undefined for every other link. */
export const ownPath = (address: string, origin: string): string | undefined =>
  addressOwner(address, origin) === 'own' ? URL.parse(address.replace(ownStart, origin))?.pathname : undefined;

/** The pages of ours that holders of an account find in an invitation. */
const invitationPages = new Set(['/', '/profile']);

/**
 * Whether a link is an address that no tag could lead elsewhere. Only holders of an account get the mail `ex_user_invitation`, so a link
 * in it to a site of the network, also by way of our sign-in, would tell the network by a click that the address has an account.
 */
export const canLink = (address: string, kind: TemplateKind, origin: string): boolean =>
  kind === 'ex_user_invitation'
    ? invitationPages.has(ownPath(address, origin) ?? '')
    : addressOwner(address, origin) !== 'none';

const imagePath = /^\/server\/sso\/(?:sso_images\/image|icon_image\/[\w-]+)\/\w+\.\w+$/;

/** Whether this is the path of an image of a media library: any other of ours might do something when it is loaded. */
export const isImagePath = (path: string): boolean => imagePath.test(path);
