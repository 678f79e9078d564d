import { samlProtocol } from '../saml/sign-on-response.ts';
import type { SignOnProtocol } from './sign-on-protocol.ts';
import type { SignOnError, SignOnRequest } from './sign-on-request.ts';

const protocols: Record<SignOnRequest['message']['protocol'], SignOnProtocol> = { saml: samlProtocol };

export const protocolOf = ({ message }: Pick<SignOnError['signOn'], 'message'>): SignOnProtocol =>
  protocols[message.protocol];
