import type { BoundMessage } from '@opensocial/saml';

/** Whether a message has a signature, valid or not. */
export const isSigned = ({ signature, xml }: BoundMessage): boolean =>
  signature !== undefined || /<(?:[\w.-]+:)?Signature[\s>]/.test(xml);
