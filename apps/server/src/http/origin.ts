import { ApiError } from '@opensocial/contract';
import type { FastifyRequest } from 'fastify';
import type { Parts } from '../parts.ts';

/** The CSRF token for browsers that send neither `Sec-Fetch-Site` nor `Origin`. Clients get it with the session and send it as `x-csrf`. */
export const csrfToken = (parts: Parts, sessionToken: string | undefined): string =>
  sessionToken ? parts.vault.sign('csrf', sessionToken) : '';

export const isCsrfToken = (parts: Parts, sessionToken: string | undefined, given: unknown): boolean =>
  sessionToken !== undefined &&
  sessionToken !== '' &&
  typeof given === 'string' &&
  parts.vault.verify('csrf', sessionToken, given);

/**
 * Whether one of our own pages made the request. Browsers send Lax cookies with top-level navigations from any site, and send
 * `Sec-Fetch-Site` only on https and localhost. So the first of three proofs that is present decides: `Sec-Fetch-Site`, `Origin`, or the
 * CSRF token. Our pages never navigate to a call; a navigation comes from a link, which a network's owner may have placed.
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
