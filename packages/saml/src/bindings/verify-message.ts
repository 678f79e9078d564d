import { verifyPostSignature } from '../signature/verify-signature.ts';
import type { BoundMessage } from './bound-message.ts';
import { verifyRedirectSignature } from './redirect-binding.ts';

/** Verifies the signature of any binding and returns the signed XML. */
export const verifyMessage = (message: BoundMessage, certificates: readonly string[]): string => {
  if (message.binding !== 'redirect') return verifyPostSignature(message.xml, certificates);
  verifyRedirectSignature(message, certificates);
  return message.xml;
};
