import { ApiError } from '@opensocial/contract';
import type { FastifyRequest } from 'fastify';
import type { Parts } from '../parts.ts';
import { isSame } from '../secrets/tokens.ts';

/** The proof for where a browser itself sends none: given with the session, sent back as the header `x-csrf`. */
export const csrfToken = (parts: Parts, sessionToken: string | undefined): string =>
  sessionToken ? parts.vault.sign('csrf', sessionToken) : '';

export const isCsrfToken = (parts: Parts, sessionToken: string | undefined, given: unknown): boolean =>
  sessionToken !== undefined && typeof given === 'string' && isSame(given, csrfToken(parts, sessionToken));

/**
 * Whether our own page made the request. A Lax cookie travels with a top-level navigation from anywhere, and browsers
 * send `Sec-Fetch-Site` only on https and localhost: so whichever proof there is, is enough, and none is not. A page of ours
 * that makes a call does not navigate to it: that is a link, which a tenant may have put there.
 */
const isOwnPage = (parts: Parts, request: FastifyRequest, sessionToken: string | undefined): boolean => {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' && request.headers['sec-fetch-mode'] !== 'navigate';
  if (request.headers.origin !== undefined) return request.headers.origin === parts.config.publicUrl;
  return isCsrfToken(parts, sessionToken, request.headers['x-csrf']);
};

export const assertOwnPage = (parts: Parts, request: FastifyRequest, sessionToken: string | undefined): void => {
  if (!isOwnPage(parts, request, sessionToken)) throw new ApiError('cross_site');
};
