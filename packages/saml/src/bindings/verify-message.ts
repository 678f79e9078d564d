import { verifyPostSignature } from '../signature/verify-signature.ts';
import type { BoundMessage } from './bound-message.ts';
import { verifyRedirectSignature } from './redirect-binding.ts';

/** The xml that the sender signed, whichever binding brought it. */
export const verifyMessage = (message: BoundMessage, certificates: readonly string[]): string => {
  if (message.binding === 'post') return verifyPostSignature(message.xml, certificates);
  verifyRedirectSignature(message, certificates);
  return message.xml;
};
