import type { FastifyReply } from 'fastify';
import type { Parts } from '../../../parts.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import { oidcProtocol } from '../oidc/protocol.ts';
import { samlProtocol } from '../saml/sign-on-response.ts';
import type { Granted, StoredRequest } from './sign-on-protocol.ts';
import type { SignOnError, SignOnRequest } from './sign-on-request.ts';

/** Sends the person to the site, signed in. */
export const sendSuccess = (parts: Parts, reply: FastifyReply, granted: Granted<SignOnRequest['message']>) => {
  const { message, ...request } = granted.signOn;
  return message.protocol === 'saml'
    ? samlProtocol.sendSuccess(parts, reply, { ...granted, signOn: { ...request, message } })
    : oidcProtocol.sendSuccess(parts, reply, { ...granted, signOn: { ...request, message } });
};

/** Sends the person back to the site with the reason of the refusal. */
export const sendRefusal = (parts: Parts, reply: FastifyReply, { signOn, refusal }: SignOnError): unknown => {
  const { message, destination } = signOn;
  return message.protocol === 'saml'
    ? samlProtocol.sendRefusal(parts, reply, { destination, message, refusal })
    : oidcProtocol.sendRefusal(parts, reply, { destination, message, refusal });
};

/** The columns of a sign-in in progress that keep its request. */
export const toStoredRequest = (message: SignOnRequest['message']): StoredRequest =>
  message.protocol === 'saml' ? samlProtocol.toColumns(message) : oidcProtocol.toColumns(message);

/** The request of a sign-in in progress, in the protocol of its site. */
export const readStoredRequest = (
  stored: StoredRequest,
  destination: Destination,
): Pick<SignOnRequest, 'message' | 'requiredFactors'> =>
  destination.site.protocol === 'saml'
    ? samlProtocol.fromColumns(stored, destination)
    : oidcProtocol.fromColumns(stored, destination);
