import type { Config } from '../../../config.ts';
import type { sites } from '../../../database/schema.ts';

type LogoutAddresses = Pick<typeof sites.$inferSelect, 'sls' | 'sls_binding' | 'sls_response'>;

/** The addresses of a site for logout messages that the browser carries. Undefined if it has none. */
export const frontChannelOf = ({ sls, sls_binding, sls_response }: LogoutAddresses) =>
  sls === null || sls_binding === 'soap'
    ? undefined
    : { url: sls, binding: sls_binding, responseUrl: sls_response ?? sls };

/** The addresses of this machine that a Content-Security-Policy can name. */
const loopback = new Set(['localhost', '127.0.0.1']);

/**
 * Whether a page of ours can load the address in a frame. Browsers block http in a page with https, except on this machine. Our own pages
 * cannot be framed.
 */
export const isFrameable = (
  { publicUrl, isHttps }: Pick<Config, 'publicUrl' | 'isHttps'>,
  address: string,
): boolean => {
  const url = URL.parse(address);
  if (!url || url.origin === new URL(publicUrl).origin) return false;
  return url.protocol === 'https:' || !isHttps || loopback.has(url.hostname);
};
