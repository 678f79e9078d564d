import { lookup as resolve } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** A failed request to a URL that an administrator has entered. The message is shown to the administrator. */
export class OutboundError extends Error {}

export type OutboundRequest = {
  url: string;
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Whether the target may be in a private network. */
  allowsPrivate: boolean;
  /** The maximum size of the response. */
  maximumBytes?: number;
  /** The maximum duration in milliseconds. */
  timeout?: number;
  /** How many redirects are followed; none by default. Each target is checked like the first one. */
  redirects?: number;
  /** Ends the request early. */
  signal?: AbortSignal;
};

export type OutboundAnswer = {
  status: number;
  contentType: string;
  /** The validators of the response, with which the next request can be conditional; empty if there are none. */
  etag: string;
  lastModified: string;
  body: Buffer;
};

/** The address is one that the server does not request: no request was made. */
export class TargetRefusedError extends OutboundError {}

/** The response has more bytes than the request allows. */
export class ResponseTooLargeError extends OutboundError {}

const defaultTimeout = 5_000;

/** IP ranges that are not public: this machine, private networks, and reserved ranges. */
const notPublic = new BlockList();
const reservedV4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';
for (const range of reservedV4.split(' ')) addRange(range, 'ipv4');

function addRange(range: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', bits = ''] = range.split('/');
  notPublic.addSubnet(network, Number(bits), family);
}

/** Public IPv6 addresses are the global unicast range, without the ranges that embed an IPv4 address. */
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');
for (const range of '2001::/23 2001:db8::/32 2002::/16 3fff::/20'.split(' ')) addRange(range, 'ipv6');

export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address);
  if (family === 4) return !notPublic.check(address, 'ipv4');
  return family === 6 && publicV6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
};

/**
 * Requests a URL that a person has entered. All such requests use this function, which prevents server-side request forgery: the name is
 * resolved once, the addresses are checked, and the connection uses the checked addresses, so that DNS rebinding has no effect.
 */
export const callOutbound = async ({ redirects = 0, ...outbound }: OutboundRequest): Promise<OutboundAnswer> => {
  const { location, ...answer } = await callOnce(outbound);
  if (redirects === 0 || location === undefined || !redirectStatuses.has(answer.status)) return answer;
  const target = URL.parse(location, outbound.url);
  if (!target) throw new OutboundError('The address redirects to something that is not an address.');
  return callOutbound({ ...outbound, url: target.href, redirects: redirects - 1 });
};

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

const callOnce = async (
  outbound: Omit<OutboundRequest, 'redirects'>,
): Promise<OutboundAnswer & { location: string | undefined }> => {
  const url = new URL(outbound.url);
  assertTarget(url, outbound.allowsPrivate);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { timeout = defaultTimeout, signal } = outbound;
  const limit = AbortSignal.timeout(timeout);
  const { promise, resolve: settle, reject } = Promise.withResolvers<Awaited<ReturnType<typeof read>>>();
  const sent = request(
    url,
    {
      method: outbound.method ?? 'GET',
      headers: outbound.headers ?? {},
      agent: false,
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
      lookup: outbound.allowsPrivate ? resolve : lookupPublic,
    },
    (response) => void read(response, outbound.maximumBytes ?? 64 * 1024).then(settle, reject),
  );
  sent.on('error', reject);
  sent.end(outbound.body);
  return promise.catch((error: unknown) => {
    throw error instanceof OutboundError
      ? error
      : new OutboundError(limit.aborted ? explainTimeout(timeout) : explain(error), { cause: error });
  });
};

const refusal = () => new TargetRefusedError('The address leads into a private network, which is not allowed here.');

/**
 * Applies the rules of `callOutbound` to a URL that will be requested later. A name that cannot be resolved yet is accepted, because its
 * server may not be set up yet.
 */
export const assertCallable = async (address: string, allowsPrivate: boolean): Promise<void> => {
  const url = new URL(address);
  assertTarget(url, allowsPrivate);
  if (allowsPrivate || isIP(hostOf(url)) !== 0) return;
  const { promise, resolve: settle, reject } = Promise.withResolvers<undefined>();
  lookupPublic(hostOf(url), {}, (error) => (error instanceof OutboundError ? reject(error) : settle(undefined)));
  // If the resolver does not answer in time, the URL is accepted.
  const timer = setTimeout(() => settle(undefined), defaultTimeout);
  await promise.finally(() => clearTimeout(timer));
};

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** The rules that need no name resolution. An IP address in the URL is never resolved. */
const assertTarget = (url: URL, allowsPrivate: boolean): void => {
  if (url.username || url.password) throw new TargetRefusedError('The address must not contain a user name.');
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:'))
    throw new TargetRefusedError('The address does not begin with https://.');
  if (allowsPrivate) return;
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw refusal();
};

/** Why no request is made to an address, as far as the address itself tells; empty if one is made. */
export const describeRefusedTarget = (address: string, allowsPrivate: boolean): string => {
  const url = URL.parse(address);
  if (!url) return 'There is no address.';
  try {
    assertTarget(url, allowsPrivate);
    return '';
  } catch (error) {
    if (error instanceof TargetRefusedError) return error.message;
    throw error;
  }
};

const lookupPublic: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
      return callback(refusal(), []);
    return callback(null, addresses);
  });
};

const read = async (response: IncomingMessage, maximumBytes: number) => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maximumBytes) throw new ResponseTooLargeError('The response is too large.');
    chunks.push(chunk);
  }
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    etag: response.headers.etag ?? '',
    lastModified: response.headers['last-modified'] ?? '',
    location: response.headers.location,
    body: Buffer.concat(chunks),
  };
};

const explainTimeout = (timeout: number): string =>
  `The server did not answer within ${timeout === defaultTimeout ? 'five' : timeout / 1_000} seconds.`;

const explain = (error: unknown): string => {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The host name could not be resolved.';
  if (code === 'ECONNREFUSED') return 'The server refused the connection.';
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return 'The certificate of the address is not trusted.';
  return 'The connection failed.';
};
