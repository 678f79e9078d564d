import type { FastifyReply } from 'fastify';
import type { RequestClient } from '../../../http/address.ts';
import type { Parts } from '../../../parts.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import type { SignOnError, SignOnRequest } from './sign-on-request.ts';

/** How a protocol answers a request for single sign-on. */
export type SignOnProtocol = {
  /** Sends the person to the site, signed in. `method` is how the person signed in, for the login log. */
  sendSuccess: (
    parts: Parts,
    reply: FastifyReply,
    granted: { signOn: SignOnRequest; identity: Identity; client: RequestClient; method: string },
  ) => Promise<unknown>;
  /** Sends the person back to the site with the reason of the refusal. */
  sendRefusal: (parts: Parts, reply: FastifyReply, error: SignOnError) => unknown;
};
