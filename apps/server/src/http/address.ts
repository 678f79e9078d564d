import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** What an attempt to sign in came from, for the log. */
export type Came = { address: string; userAgent: string };

export const cameFrom = (request: FastifyRequest): Came => ({
  address: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
});

/** The caller's address as the log keeps it: without a zone, and an IPv4 address as such. */
export const addressOf = (request: FastifyRequest): string =>
  request.ip.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');

/** Whose tries are counted together: one IPv4 address, or the /64 of an IPv6 network. */
export const countedAddress = (address: string): string =>
  isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;

/**
 * The same where several networks together decide, such as whether an account is locked: one line of an IPv6 provider has a /56, which
 * is 256 networks of a /64 each.
 */
export const countedCustomer = (address: string): string => {
  if (!isIPv6(address)) return address;
  const [first, second, third, fourth = ''] = groupsOf(address);
  const prefix = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  return `${first}:${second}:${third}:${prefix}::/56`;
};

/** The eight groups of an IPv6 address, in lower case and without leading zeros. */
const groupsOf = (address: string): string[] => {
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail.split(':').filter(Boolean);
  const all = [...groups, ...Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0'), ...rest];
  return all.map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
};
