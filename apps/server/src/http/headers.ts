import { createHash } from 'node:crypto';
import { videoOrigins } from '@opensocial/contract';
import { mailStyles } from '@opensocial/contract/mail';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../config.ts';

const common = [
  "default-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  // A string never becomes markup or a script of a page by accident, whatever a library does.
  "require-trusted-types-for 'script'",
];

/** No script of these pages handles markup. */
const withoutMarkup = "trusted-types 'none'";

const mailStylesHash = `'sha256-${createHash('sha256').update(mailStyles).digest('base64')}'`;

/**
 * The Content-Security-Policy of the console. It allows the console's own scripts, style attributes, which Mantine has in its markup, and
 * frames of the origins in the configuration. The preview of a mail is a frame that inherits this policy, so the policy has the hash of
 * the stylesheet of all mails.
 */
const consolePolicy = ({ reportUrl, designerUrl }: Config): string => {
  const framed = [reportUrl, designerUrl].flatMap((url) => (url ? [new URL(url).origin] : []));
  return [
    ...common,
    "script-src 'self'",
    // Our own policy parses markup and fills frames without scripts; the other one is how the mail editor reads the clipboard.
    'trusted-types opensocial ProseMirrorClipboard',
    `style-src-elem 'self' ${mailStylesHash}`,
    "style-src-attr 'unsafe-inline'",
    "connect-src 'self'",
    "form-action 'self'",
    `frame-src ${framed.join(' ') || "'none'"}`,
  ].join('; ');
};

type PageParts = {
  /** The URL of the only script that the page may run. */
  script?: string | undefined;
  /** The custom footer of a network. Only the styles in it are allowed, and frames for videos if it has one. */
  footer?: { styleHashes: string[]; hasVideo: boolean } | undefined;
};

/** The policy of the sign-in pages. They run no script except the one for passkeys. */
export const pagePolicy = ({ script, footer }: PageParts = {}): string =>
  [
    ...common,
    withoutMarkup,
    "form-action 'self'",
    ...(script ? [`script-src ${script}`] : []),
    ...(footer && footer.styleHashes.length > 0
      ? [`style-src-attr 'unsafe-hashes' ${footer.styleHashes.join(' ')}`]
      : []),
    ...(footer?.hasVideo ? [`frame-src ${videoOrigins.join(' ')}`] : []),
  ].join('; ');

/**
 * The policy of the page whose script posts a SAML message. It has no form-action, because a service provider may redirect after the
 * post, and browsers apply form-action to that redirect too.
 */
export const autoPostPolicy = (scriptHash: string): string =>
  [...common, withoutMarkup, `script-src '${scriptHash}'`].join('; ');

/**
 * The policy of the answers that the OpenID Connect library writes. The library adds the hash of its script to the empty list of the page
 * that posts a code to an application, which may redirect after the post.
 */
export const unscriptedPolicy = [...common, withoutMarkup, 'script-src'].join('; ');

/**
 * The policy of the page that signs out of sites in frames. Without a list of the pages that frames load, every address is allowed that
 * browsers load in frames: a site that answers may redirect its frame anywhere before it returns. It has no form-action, because the
 * page posts to sites, and its own form leads to one.
 */
export const framesPolicy = ({ isHttps }: Config, script: string, pages?: readonly string[]): string => {
  const loopback = 'http://localhost:* http://127.0.0.1:*';
  const sources = pages ? pages.map(toSource).join(' ') : `'self' https: ${isHttps ? loopback : 'http:'}`;
  return [...common, withoutMarkup, `script-src ${script}`, `frame-src ${sources}`].join('; ');
};

/** An address as a source of a policy: without its query, and without the characters that end a source. */
const toSource = (address: string): string => {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
};

/** The policy of a page that asks whether to sign out. The form may lead to any site of the session, by redirects. */
export const signOutPolicy = [...common, withoutMarkup].join('; ');

/** The policy of the document that a frame of our own page ends on. */
export const framedPolicy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

/**
 * Keeps the connection between a window and the page that opened it. Many applications that use OpenID Connect open the sign-in in a popup,
 * which tells them the outcome at the end. Any other value of this header, on any response of the sign-in, would end the connection for
 * good: the application would believe that the popup was closed. The opener can then navigate the popup, but not read it.
 */
export const keepOpener = (reply: FastifyReply): FastifyReply =>
  reply.header('cross-origin-opener-policy', 'unsafe-none');

/** The headers of every response, including those that are sent before routing. */
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
