import type { FastifyRequest } from 'fastify';
import { addressOf } from './address.ts';

/** Whoever made a call on a network, as every handler of such a call is told. */
export type By = {
  user: { id: number; email: string };
  network: { id: number; name: string };
  request: FastifyRequest;
};

/** Who, where and from which address: what an audit record begins with. */
export const actorOf = ({ user, network, request }: By) => ({
  network_id: network.id,
  actor: user,
  address: addressOf(request),
});
