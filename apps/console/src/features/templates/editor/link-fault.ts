import { addressOwner, bareAddress, holdsSecret } from '@opensocial/contract/mail';

/** What the server would say of a link, before it is asked. */
export const linkFault = (address: string, origin: string): string | undefined => {
  if (address.trim() === '') return undefined;
  const owner = addressOwner(bareAddress(address), origin);
  if (owner === 'none') return 'A link begins with https://, http://, mailto: or {signup_from}/';
  if (owner === 'other' && holdsSecret(address))
    return '{token} and {email_code} only go into a link that begins with {signup_from}/';
  return undefined;
};
