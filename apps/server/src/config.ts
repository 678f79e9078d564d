import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type OidcIssuer, readOidcIssuers } from './oidc-issuers.ts';
import { type Bucket, readBucketUrl } from './storage/bucket-url.ts';

const wholeNumber = (least: number, most: number) => {
  const rule = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
    .pipe(z.number().min(least, rule).max(most, rule));
};

const isOrigin = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && url.href === `${url.origin}/`;
};

const longestPrefix: Record<number, number> = { 4: 32, 6: 128 };

/** One address, or a network of them; a network of all would let anyone choose the address we see. */
const isProxy = (proxy: string): boolean => {
  const [address = '', bits = '32', ...rest] = proxy.split('/');
  const most = longestPrefix[isIP(address)];
  return most !== undefined && rest.length === 0 && /^\d+$/.test(bits) && Number(bits) >= 8 && Number(bits) <= most;
};

const toProxies = (list: string): string[] =>
  list
    .split(',')
    .map((proxy) => proxy.trim())
    .filter(Boolean);

const OidcIssuers = z.string().transform((text, context) => {
  const read = readOidcIssuers(text);
  if (Array.isArray(read)) return read;
  context.addIssue({ code: 'custom', message: read.fault });
  return z.NEVER;
});

const HttpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/**
 * Every setting, with its default. A wrong one stops the start with a sentence that names it; values are never printed,
 * since some are secrets.
 */
const Environment = z.object({
  PORT: wholeNumber(0, 65_535).default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true })
    .refine(isOrigin, 'must be only http(s)://host[:port]')
    .optional(),
  PUBLIC_URL_HTTP: z.enum(['allow', 'refuse']).default('refuse'),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  MEDIA_URL: z
    .string()
    .transform(readBucketUrl)
    .refine(
      (bucket) => bucket !== undefined,
      'must be an address like s3://KEY:SECRET@host/bucket?region=…, with KEY and SECRET percent-encoded',
    )
    .optional(),
  MEDIA_QUOTA: wholeNumber(1, 10_000_000).default(5_120),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>\r\n]* <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'must be an email address, or a name and one in angle brackets',
    )
    .default('OpenSocial SSO <no-reply@localhost>'),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  FIRST_OWNER_EMAIL: z.email('must be an email address').toLowerCase().default('owner@localhost.localdomain'),
  FIRST_OWNER_PASSWORD: z
    .string()
    .min(8, 'must have at least 8 characters')
    .max(1_024, 'must have at most 1024 characters')
    .optional(),
  TRUST_PROXY: z
    .string()
    .transform(toProxies)
    .refine((proxies) => proxies.every(isProxy), 'must be a list of addresses such as 10.0.0.8 or 10.0.0.0/24')
    .default([]),
  REPORT_URL: HttpUrl.optional(),
  DESIGNER_URL: HttpUrl.optional(),
  OIDC_ISSUERS: OidcIssuers.default([]),
  COUNTRY_DATABASE: z.string().optional(),
  LOG_RETENTION_DAYS: wholeNumber(0, 36_500).default(400),
  OUTBOUND_PRIVATE: z.enum(['allow', 'refuse']).default('refuse'),
  OWNER_MFA: z.enum(['main', 'all', 'off']).default('main'),
  OWNER_MFA_GRACE_DAYS: wholeNumber(0, 90).default(14),
  QLIMIT: wholeNumber(1, 300).default(300),
  WORKERS: wholeNumber(1, 64).default(availableParallelism()),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type Config = {
  port: number;
  host: string;
  /** Our origin, without a slash at its end. Every link and every SAML address is made from it. */
  publicUrl: string;
  isHttps: boolean;
  /** Whether browsers reach us without encryption from other machines, which has to be asked for. */
  isPlainHttp: boolean;
  /** Where the keeper serves metrics; none serves them nowhere. */
  metrics: { host: string; port: number } | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Where uploaded images are kept; none is a folder in the data folder. */
  bucket: Bucket | undefined;
  /** Bytes of images that a network may keep. */
  mediaQuota: number;
  smtpUrl: string | undefined;
  mailFrom: string;
  secretKey: string | undefined;
  firstOwner: { email: string; password: string | undefined };
  /** Addresses of the proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  /** The pages shown within the console. */
  reportUrl: string | undefined;
  designerUrl: string | undefined;
  /** Further logins that sites may offer by name. */
  oidcIssuers: OidcIssuer[];
  /** The file that tells an address's country; none tells nothing. */
  countryDatabase: string | undefined;
  /** How long the login log is kept; 0 is for ever. */
  logRetentionDays: number;
  /** Whether addresses that we call, such as a site's own, may lead into private networks. */
  allowsPrivateTargets: boolean;
  /** Which owners need a second factor to sign in to the console, and after how many days. */
  ownerMfa: { scope: 'main' | 'all' | 'off'; graceDays: number };
  pageSize: number;
  /** Processes that serve. */
  workers: number;
  logLevel: z.infer<typeof Environment>['LOG_LEVEL'];
};

export class ConfigError extends Error {}

const notRight = 'The settings are not right:';

const plainHttpRefused =
  'PUBLIC_URL: must be an https address, since passwords and sessions would travel in plain text. Set PUBLIC_URL_HTTP to allow if that is meant';

/** Hosts that never leave the machine, as `URL.hostname` writes them. */
const isLoopback = (hostname: string): boolean =>
  /^(.+\.)?localhost$/.test(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname) || hostname === '[::1]';

export const readConfig = (environment: Record<string, string | undefined>): Config => {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(set);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`${notRight}\n${faults.join('\n')}`);
  }
  const values = parsed.data;
  if (values.OUTBOUND_PRIVATE === 'refuse' && values.OIDC_ISSUERS.some(({ issuer }) => !issuer.startsWith('https:')))
    throw new ConfigError(`${notRight}\n  OIDC_ISSUERS: must have https issuers, unless OUTBOUND_PRIVATE is allow`);
  const publicUrl = new URL(values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).origin;
  const isPlainHttp = publicUrl.startsWith('http:') && !isLoopback(new URL(publicUrl).hostname);
  if (isPlainHttp && values.PUBLIC_URL_HTTP === 'refuse') throw new ConfigError(`${notRight}\n  ${plainHttpRefused}`);
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl,
    isHttps: publicUrl.startsWith('https:'),
    isPlainHttp,
    metrics: values.METRICS_PORT === undefined ? undefined : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    bucket: values.MEDIA_URL,
    mediaQuota: values.MEDIA_QUOTA * 1024 * 1024,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    secretKey: values.SECRET_KEY,
    firstOwner: { email: values.FIRST_OWNER_EMAIL, password: values.FIRST_OWNER_PASSWORD },
    trustedProxies: values.TRUST_PROXY,
    reportUrl: values.REPORT_URL,
    designerUrl: values.DESIGNER_URL,
    oidcIssuers: values.OIDC_ISSUERS,
    countryDatabase: values.COUNTRY_DATABASE === undefined ? undefined : resolve(values.COUNTRY_DATABASE),
    logRetentionDays: values.LOG_RETENTION_DAYS,
    allowsPrivateTargets: values.OUTBOUND_PRIVATE === 'allow',
    ownerMfa: { scope: values.OWNER_MFA, graceDays: values.OWNER_MFA_GRACE_DAYS },
    pageSize: values.QLIMIT,
    workers: values.WORKERS,
    logLevel: values.LOG_LEVEL,
  };
};
