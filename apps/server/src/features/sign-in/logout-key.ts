import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { flowCookie, readCookie } from '../../http/cookies.ts';
import type { LogoutKey } from './logout.queries.ts';

/** The key of a single logout, as far as this browser has it: without the logout's cookie it opens nothing. */
export const logoutKeyOf = (config: Config, request: FastifyRequest, token: string): LogoutKey => ({
  token,
  secret: readCookie(config, request, flowCookie('logout-', token)) ?? '',
});

/** The key of the single logout that this browser began last. */
export const latestLogout = (config: Config, request: FastifyRequest): LogoutKey =>
  logoutKeyOf(config, request, readCookie(config, request, 'logout') ?? '');
