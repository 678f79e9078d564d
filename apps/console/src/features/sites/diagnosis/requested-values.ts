import type { UnknownApplication } from '@opensocial/contract';

/** Ends a text that was too long to be stored. */
const cutMark = '…';

const complete = (text: string): string => (text.includes(cutMark) ? '' : text);

/** What the request of an application says about it, for the form of a new site. A value that is not complete is left empty. */
export const requestedValues = ({ identity, address }: Pick<UnknownApplication, 'identity' | 'address'>) => ({
  identity: complete(identity),
  address: complete(address),
  domain: URL.parse(address)?.host ?? '',
});
