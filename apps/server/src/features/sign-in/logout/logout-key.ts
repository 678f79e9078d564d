import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import { type CookieName, readCookie } from '../../../http/cookies.ts';
import type { LogoutKey } from './logouts.queries.ts';

/** The cookie that binds a single logout to its browser. */
export const logoutCookie = (id: number): CookieName => `logout-${id}`;

/** The key of a single logout in this browser. Without the cookie of the logout, the secret is empty and the key matches nothing. */
export const logoutKeyOf = (config: Config, request: FastifyRequest, id: number): LogoutKey => ({
  id,
  secret: readCookie(config, request, logoutCookie(id)) ?? '',
});

/** The key of the latest single logout of this browser. */
export const latestLogout = (config: Config, request: FastifyRequest): LogoutKey =>
  logoutKeyOf(config, request, Number(readCookie(config, request, 'logout') ?? ''));
