import { createHash } from 'node:crypto';
import { videoOrigins } from '@opensocial/contract';
import { mailStyles } from '@opensocial/contract/mail';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

const common = [
  "default-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
];

const mailStylesHash = `'sha256-${createHash('sha256').update(mailStyles).digest('base64')}'`;

/**
 * The console: its own script, style attributes, which React sets through the DOM and Mantine in its markup, and frames of
 * the pages that are named in the settings. The preview of a mail is a frame that inherits this policy, so the policy names the
 * hash of the stylesheet that every mail has.
 */
const consolePolicy = ({ reportUrl, designerUrl }: Config): string => {
  const framed = [reportUrl, designerUrl].flatMap((url) => (url ? [new URL(url).origin] : []));
  return [
    ...common,
    "script-src 'self'",
    `style-src-elem 'self' ${mailStylesHash}`,
    "style-src-attr 'unsafe-inline'",
    "connect-src 'self'",
    "form-action 'self'",
    `frame-src ${framed.join(' ') || "'none'"}`,
  ].join('; ');
};

type PageParts = {
  /** The address of the one script that the page may run. */
  script?: string | undefined;
  /** A network's own: just the styles that stand in it, and videos where it has one. */
  footer?: { styleHashes: string[]; hasVideo: boolean } | undefined;
};

/** The sign-in pages: no script but the one that asks for a passkey, where one is asked for. */
export const pagePolicy = ({ script, footer }: PageParts = {}): string =>
  [
    ...common,
    "form-action 'self'",
    ...(script ? [`script-src ${script}`] : []),
    ...(footer && footer.styleHashes.length > 0
      ? [`style-src-attr 'unsafe-hashes' ${footer.styleHashes.join(' ')}`]
      : []),
    ...(footer?.hasVideo ? [`frame-src ${videoOrigins.join(' ')}`] : []),
  ].join('; ');

/**
 * The page that posts an answer on by its script. It names no form-action: a service provider may redirect after the post,
 * and browsers would hold that against us.
 */
export const autoPostPolicy = (scriptHash: string): string => [...common, `script-src '${scriptHash}'`].join('; ');

/** The headers of every response, also of those that are sent before there is a route. */
export const securityHeaders = (config: Config): Record<string, string> => ({
  'content-security-policy': consolePolicy(config),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  ...(config.isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
});

export const installHeaders = (app: FastifyInstance, config: Config): void => {
  const headers = securityHeaders(config);
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers));
};
