import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** The client of a request, as the login log and sessions record it. */
export type RequestClient = { address: string; userAgent: string };

export const clientOf = (request: FastifyRequest): RequestClient => ({
  address: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
});

/**
 * The IP address of the client, without an IPv6 zone, and without the prefix of an IPv4-mapped address. It is unknown once the client has
 * closed the connection, whatever Fastify's type says.
 */
export const addressOf = ({ ip }: { ip: string | undefined }): string =>
  (ip ?? '0.0.0.0').replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');

/** The key for rate limits of a client: an IPv4 address, or the /64 prefix of an IPv6 address. */
export const countedAddress = (address: string): string =>
  isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;

/**
 * The key for limits that combine several clients, such as the lock of an account: an IPv4 address, or the /56 prefix of an IPv6 address.
 * Internet providers assign a /56 to each customer, which holds 256 prefixes of a /64.
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
