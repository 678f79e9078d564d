import type { FastifyReply } from 'fastify';
import type { RequestClient } from '../../../http/address.ts';
import type { Parts } from '../../../parts.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import type { SignIn } from './sign-ins.queries.ts';
import type { SignOnError, SignOnRefusal, SignOnRequest } from './sign-on-request.ts';

/** A person who may enter a site. `method` is how the person signed in, for the login log. */
export type Granted<Message> = {
  signOn: Omit<SignOnRequest, 'message'> & { message: Message };
  identity: Identity;
  client: RequestClient;
  method: string;
};

/** The columns of a sign-in in progress that keep its request. */
export type StoredRequest = Pick<SignIn, 'request_id' | 'name_id_format' | 'relay_state' | 'requested'>;

type Protocol = SignOnRequest['message']['protocol'];
type MessageOf<Name extends Protocol> = Extract<SignOnRequest['message'], { protocol: Name }>;
type AnsweredMessageOf<Name extends Protocol> = Extract<SignOnError['signOn']['message'], { protocol: Name }>;

/** How a protocol answers a request for single sign-on, and how a sign-in in progress keeps it. */
export type SignOnProtocol<Name extends Protocol> = {
  /** Sends the person to the site, signed in. */
  sendSuccess: (parts: Parts, reply: FastifyReply, granted: Granted<MessageOf<Name>>) => Promise<unknown>;
  /** Sends the person back to the site with the reason of the refusal. */
  sendRefusal: (
    parts: Parts,
    reply: FastifyReply,
    refused: { destination: Destination; message: AnsweredMessageOf<Name>; refusal: SignOnRefusal },
  ) => unknown;
  toColumns: (message: MessageOf<Name>) => StoredRequest;
  /** The stored request, and the second factors of which it needs one. */
  fromColumns: (
    stored: StoredRequest,
    destination: Destination,
  ) => { message: MessageOf<Name> } & Pick<SignOnRequest, 'requiredFactors'>;
};
