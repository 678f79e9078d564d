import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

/**
 * `session`: the console's. `identity`: the identity provider's. `browser`: binds a sign-in or sign-out under way to its browser.
 * `logout`: which sign-out is on its way through the sites. `device`: knows a browser that has signed in before. `trusted-…`: is spared a network's second factor. `login-…`: one request of the console's, until it is answered.
 */
export type CookieName =
  | 'session'
  | 'identity'
  | 'browser'
  | 'logout'
  | 'device'
  | `login-${string}`
  | `trusted-${number}`;

/** On https the name itself makes the browser refuse the cookie from another host or path. */
const nameOf = (config: Config, name: CookieName) => (config.isHttps ? `__Host-${name}` : name);

const attributes = (config: Config): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: config.isHttps,
});

export const readCookie = (config: Config, request: FastifyRequest, name: CookieName): string | undefined =>
  request.cookies[nameOf(config, name)];

export const setCookie = (config: Config, reply: FastifyReply, name: CookieName, value: string, maxAge?: number) =>
  reply.setCookie(nameOf(config, name), value, { ...attributes(config), ...(maxAge !== undefined && { maxAge }) });

export const clearCookie = (config: Config, reply: FastifyReply, name: CookieName) =>
  reply.clearCookie(nameOf(config, name), attributes(config));

/** The requests of the console's that this browser has still open, the oldest first, as browsers send them. */
export const openLogins = (config: Config, request: FastifyRequest): `login-${string}`[] =>
  Object.keys(request.cookies)
    .map((name) => (config.isHttps ? name.replace(/^__Host-/, '') : name))
    .filter((name): name is `login-${string}` => name.startsWith('login-'));
