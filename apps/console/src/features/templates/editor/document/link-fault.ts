import type { TemplateKind } from '@opensocial/contract';
import { addressFault, addressOwner, bareAddress, canLink } from '@opensocial/contract/mail';

/** Checks a link by the rules of the server, so that the author sees the problem before saving. */
export const linkFault = (kind: TemplateKind, address: string, origin: string): string | undefined => {
  if (address.trim() === '') return undefined;
  const bare = bareAddress(address);
  if (addressOwner(bare, origin) === 'none') return 'A link begins with https://, http://, mailto: or {signup_from}/';
  const fault = addressFault(kind, bare, origin);
  if (fault !== undefined || canLink(bare, kind, origin)) return fault;
  return 'Links in this email can only open {signup_from}/ or {signup_from}/profile. Any other link is sent as plain text.';
};
