import { type AnyCall, ApiError, changesState, sessionUserHeader } from '@opensocial/contract';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../identity/actor.ts';
import { findSession, readSession, type SessionRow } from '../identity/console-sessions.ts';
import type { Parts } from '../parts.ts';
import { addressOf } from './address.ts';
import { readCookie } from './cookies.ts';
import { assertOwnPage } from './origin.ts';

/** The caller of a call on a network, from the input of its handler. */
export type Caller = {
  actor: Actor;
  network: { id: number; name: string };
  request: FastifyRequest;
  /** The audit record of the change that this call undoes. */
  reverts?: number;
};

/** The columns of an audit record that describe its actor. */
export const actorOf = ({ actor, network, request, reverts }: Caller) => ({
  network_id: network.id,
  actor,
  address: addressOf(request),
  ...(reverts !== undefined && { reverts_id: reverts }),
});

const toActor = (session: SessionRow): Actor => ({ kind: 'session', user: session.user, session });

/**
 * Finds out who makes a call, by the credential of the request. It is the only place that reads credentials of calls. The body is not read
 * yet. A cookie is sent by the browser whatever page makes the request, so a call that changes state must come from one of our own pages.
 */
export const resolveActor = async (
  parts: Parts,
  declared: AnyCall,
  request: FastifyRequest,
): Promise<Actor | undefined> => {
  const token = readCookie(parts.config, request, 'session');
  if (changesState(declared)) assertOwnPage(parts, request, token);
  const session = token === undefined ? undefined : await findSession(parts.db, token);
  if (declared.access.who !== 'anyone') {
    if (!session) throw new ApiError('auth_required');
    assertShownPerson(request, session);
  }
  return session && toActor(session);
};

/** Finds the actor of a request that was admitted before, and is still open. This does not prolong the session. */
export const resolveActorAgain = async (parts: Parts, request: FastifyRequest): Promise<Actor | undefined> => {
  const session = await readSession(parts.db, readCookie(parts.config, request, 'session') ?? '');
  return session && toActor(session);
};

/**
 * The console names the person whom it shows. The tabs of a browser share one session cookie, so after a sign-in in another tab the
 * request would otherwise be carried out, and audited, in the name of somebody who did not make it. Scripts need not send the header.
 */
const assertShownPerson = (request: FastifyRequest, { user }: SessionRow): void => {
  const shown = request.headers[sessionUserHeader];
  if (shown !== undefined && shown !== String(user.id)) throw new ApiError('other_person');
};
