import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import { flowCookie, readCookie } from '../../../http/cookies.ts';
import type { LogoutKey } from './logouts.queries.ts';

/** The key of a single logout in this browser. Without the cookie of the logout, the secret is empty and the key matches nothing. */
export const logoutKeyOf = (config: Config, request: FastifyRequest, token: string): LogoutKey => ({
  token,
  secret: readCookie(config, request, flowCookie('logout-', token)) ?? '',
});

/** The key of the latest single logout of this browser. */
export const latestLogout = (config: Config, request: FastifyRequest): LogoutKey =>
  logoutKeyOf(config, request, readCookie(config, request, 'logout') ?? '');
