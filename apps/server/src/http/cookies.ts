import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { hashToken } from '../secrets/tokens.ts';

/** The prefixes of cookies that belong to one flow. A browser has one cookie for each flow in progress. */
type FlowPrefix = 'login-' | 'signin-' | 'logout-' | 'test-' | 'activation-';
type FlowCookie = `${FlowPrefix}${string}`;

/**
 * `session`: the session of the console. `identity`: the session at the identity provider. `signin-…` and `logout-…`: a random value that
 * binds one sign-in or one single logout to its browser; it is created when the flow begins and never reused. `logout`: the token of the
 * latest single logout. `device`: marks a browser that has signed in before. `trusted-…`: exempts the browser from the second factor of
 * a network. `login-…`: one authentication request of the console, until it is answered. `test-…`: a test of the sign-in to the site with
 * this id. `activation-…`: permits setting up the first second factor of the account with this id, which was activated in this browser.
 */
export type CookieName = 'session' | 'identity' | 'logout' | 'device' | FlowCookie | `trusted-${number}`;

/** Names that applications use too. Browsers share cookies among the ports of a host, where an application may run beside this server. */
const commonNames: ReadonlySet<CookieName> = new Set(['session', 'identity', 'logout', 'device']);

/** On https, the prefix `__Host-` makes browsers reject the cookie from another host or path. */
const nameOf = (config: Config, name: CookieName): string => {
  if (config.isHttps) return `__Host-${name}`;
  return commonNames.has(name) ? `opensocial_${name}` : name;
};

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

/** The name of a flow's cookie. It has only a part of the hash of the flow's token, because cookie names get into logs. */
export const flowCookie = <P extends FlowPrefix>(prefix: P, token: string): `${P}${string}` =>
  `${prefix}${hashToken(token).toString('hex').slice(0, 16)}`;

/** Deletes the oldest cookies of a kind to make room for one more. Browsers send cookies in the order of their creation. */
export const dropOldestCookies = (
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
  { prefix, maximum }: { prefix: FlowPrefix; maximum: number },
): void => {
  const open = Object.keys(request.cookies)
    .map((name) => (config.isHttps ? name.replace(/^__Host-/, '') : name))
    .filter((name): name is FlowCookie => name.startsWith(prefix));
  for (const name of open.slice(0, Math.max(0, open.length + 1 - maximum))) clearCookie(config, reply, name);
};
