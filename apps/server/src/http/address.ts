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

/** Whose tries are counted together: one IPv4 address, or the /64 that one IPv6 customer has. */
export const countedAddress = (address: string): string => {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail.split(':').filter(Boolean);
  const all = [...groups, ...Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0'), ...rest];
  return `${all
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
};
