import type { FastifyRequest } from 'fastify';
import { addressOf } from './address.ts';

/** The caller of a call on a network, from the input of its handler. */
export type Caller = {
  user: { id: number; email: string };
  network: { id: number; name: string };
  request: FastifyRequest;
};

/** The columns of an audit record that describe its actor. */
export const actorOf = ({ user, network, request }: Caller) => ({
  network_id: network.id,
  actor: user,
  address: addressOf(request),
});
