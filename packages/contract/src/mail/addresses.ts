import type { TemplateKind } from '../templates/templates.schemas.ts';

const ownStart = /^(?:\{signup_from\}|\{\{\s*signup_from\s*\}\})(?=[/?#]|$)/;
/** Scheme and host: without a user name, and without characters that a browser would treat as a slash. */
const webStart = /^https?:\/\/[^\s/?#\\{}@]+(?=[/?#]|$)/i;
const mailStart = /^mailto:[^\s{}?]+@[^\s{}?]+(?=\?|$)/i;

/** Browsers ignore these characters in addresses. */
export const bareAddress = (address: string): string => address.replaceAll(/[\t\n\r]/g, '').trim();

/** Whether a link in a mail points to us, to another host, or is not a valid address. Tags cannot change the result. */
export const addressOwner = (address: string, origin: string): 'own' | 'other' | 'none' => {
  if (ownStart.test(address)) return 'own';
  const [start] = webStart.exec(address) ?? [];
  if (start === undefined) return mailStart.test(address) ? 'other' : 'none';
  const url = URL.parse(start);
  if (!url) return 'none';
  return url.origin === origin ? 'own' : 'other';
};

/** The path of a link to us, as a browser parses it; undefined for any other link. */
export const ownPath = (address: string, origin: string): string | undefined =>
  addressOwner(address, origin) === 'own' ? URL.parse(address.replace(ownStart, origin))?.pathname : undefined;

/** Our own pages that a mail to existing account holders may link to. */
const invitationPages = new Set(['/', '/profile']);

/**
 * Whether a template may contain this link: its host must not depend on tags. Only people with an account get the mail
 * `ex_user_invitation`, so a link in it to a site of the network, even through our sign-in, would reveal by a click
 * that the address has an account.
 */
export const canLink = (address: string, kind: TemplateKind, origin: string): boolean =>
  kind === 'ex_user_invitation'
    ? invitationPages.has(ownPath(address, origin) ?? '')
    : addressOwner(address, origin) !== 'none';

const imagePath = /^\/server\/sso\/(?:sso_images\/image|icon_image\/[\w-]+)\/\w+\.\w+$/;

/** Whether this is the path of an image in a media library. Loading any other path of ours could have a side effect. */
export const isImagePath = (path: string): boolean => imagePath.test(path);
