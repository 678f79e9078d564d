import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { maximumPasswordLength } from '@opensocial/contract';
import { z } from 'zod';
import { type OidcIssuer, readOidcIssuers } from './oidc-issuers.ts';
import { type Bucket, readBucketUrl } from './storage/bucket-url.ts';

const wholeNumber = (minimum: number, maximum: number) => {
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
    .pipe(z.number().min(minimum, rule).max(maximum, rule));
};

const isOrigin = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && url.href === `${url.origin}/`;
};

const maximumPrefix: Record<number, number> = { 4: 32, 6: 128 };

/**
 * A single IP address or a range. Very large ranges are refused: they would let anyone choose the client address that
 * we see.
 */
const isProxy = (proxy: string): boolean => {
  const [address = '', bits = '32', ...rest] = proxy.split('/');
  const maximum = maximumPrefix[isIP(address)];
  return (
    maximum !== undefined && rest.length === 0 && /^\d+$/.test(bits) && Number(bits) >= 8 && Number(bits) <= maximum
  );
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

export const minimumSecretLength = 32;

const decodePercent = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** Percent-encoded, because a key may contain a comma. */
const SecretKeys = z.string().transform((text, context) => {
  const keys = text.split(',').map((key) => decodePercent(key.trim()));
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  if (!keys.every((key) => key !== undefined)) return refuse('must be percent-encoded: %25 for %, %2C for a comma');
  if (keys.some((key) => key.length < minimumSecretLength))
    return refuse(`must be keys of at least ${minimumSecretLength} characters, separated by commas`);
  return new Set(keys).size === keys.length ? keys : refuse('must not contain a key twice');
});

const HttpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/**
 * Every setting with its default. An invalid setting stops the start with a message that names it. Values are never
 * printed, because some are secrets.
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
  DATABASE_WAIT: wholeNumber(0, 3_600).default(60),
  SHUTDOWN_DELAY: wholeNumber(0, 120).default(0),
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
  SECRET_KEY: z.string().min(minimumSecretLength, `must have at least ${minimumSecretLength} characters`).optional(),
  SECRET_KEYS: SecretKeys.optional(),
  FIRST_OWNER_EMAIL: z.email('must be an email address').toLowerCase().default('owner@localhost.localdomain'),
  FIRST_OWNER_PASSWORD: z
    .string()
    .min(8, 'must have at least 8 characters')
    .max(maximumPasswordLength, `must have at most ${maximumPasswordLength} characters`)
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
  AUDIT_RETENTION_DAYS: wholeNumber(0, 36_500).default(0),
  TRASH_RETENTION_DAYS: wholeNumber(0, 3_650).default(30),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_EVERY: wholeNumber(1, 8_760).default(24),
  BACKUP_KEEP: wholeNumber(1, 10_000).default(7),
  BACKUP_SECRET_KEY: z.enum(['include', 'omit']).default('include'),
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
  /** Our origin, without a trailing slash. Every link and every SAML URL is built from it. */
  publicUrl: string;
  isHttps: boolean;
  /** Whether browsers on other machines reach us without encryption, which has to be allowed explicitly. */
  isPlainHttp: boolean;
  /** The address on which the primary process serves metrics; undefined disables them. */
  metrics: { host: string; port: number } | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Seconds for which a start waits for that database. */
  databaseWait: number;
  /** Seconds for which a server that is told to stop still answers, so that a load balancer notices first. */
  shutdownDelay: number;
  /** The bucket for uploaded images; undefined means a folder inside the data folder. */
  bucket: Bucket | undefined;
  /** The maximum size of a network's images in bytes. */
  mediaQuota: number;
  smtpUrl: string | undefined;
  mailFrom: string;
  /** The current key first. Empty means the keys in the data folder. */
  secretKeys: readonly string[];
  firstOwner: { email: string; password: string | undefined };
  /** Addresses of the proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: string[];
  /** The pages that are embedded in the console. */
  reportUrl: string | undefined;
  designerUrl: string | undefined;
  /** Additional OpenID Connect issuers that sites may offer by name. */
  oidcIssuers: OidcIssuer[];
  /** A database file that maps IP addresses to countries; undefined disables the lookup. */
  countryDatabase: string | undefined;
  /** How long the login log is kept; 0 means forever. */
  logRetentionDays: number;
  /** How long audit records are kept; 0 means forever. */
  auditRetentionDays: number;
  /** How long deleted objects can be restored; 0 means not at all. */
  trashRetentionDays: number;
  backups: {
    /** The folder of scheduled backups; undefined means that there are none. */
    folder: string | undefined;
    everyHours: number;
    /** How many scheduled backups are kept. */
    keep: number;
    /** Whether the secret key becomes part of backups if it is a file in the data folder. */
    includesKey: boolean;
  };
  /** Whether URLs that the server calls, such as those of sites, may point into private networks. */
  allowsPrivateTargets: boolean;
  /** Which owners need a second factor to sign in to the console, and the grace period in days. */
  ownerMfa: { scope: 'main' | 'all' | 'off'; graceDays: number };
  pageSize: number;
  /** The number of processes that serve requests. */
  workers: number;
  logLevel: z.infer<typeof Environment>['LOG_LEVEL'];
};

export class ConfigError extends Error {}

const invalidSettings = 'Some settings are invalid:';

const plainHttpRefused =
  'PUBLIC_URL: must be an https address, because passwords and sessions would otherwise be sent in plain text. To allow http, set PUBLIC_URL_HTTP to allow';

/** Hosts that never leave this machine, as `URL.hostname` writes them. */
const isLoopback = (hostname: string): boolean =>
  /^(.+\.)?localhost$/.test(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname) || hostname === '[::1]';

/** SECRET_KEY is the short form of SECRET_KEYS with one key. Both may be set only if they mean the same. */
const secretKeysOf = ({ SECRET_KEY: single, SECRET_KEYS: several }: z.infer<typeof Environment>): readonly string[] => {
  if (single === undefined || several === undefined) return several ?? (single === undefined ? [] : [single]);
  if (several.length > 1 || several[0] !== single)
    throw new ConfigError(`${invalidSettings}\n  SECRET_KEY: must not be set beside SECRET_KEYS, which has other keys`);
  return several;
};

export const readConfig = (environment: Record<string, string | undefined>): Config => {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(set);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`${invalidSettings}\n${faults.join('\n')}`);
  }
  const values = parsed.data;
  if (values.OUTBOUND_PRIVATE === 'refuse' && values.OIDC_ISSUERS.some(({ issuer }) => !issuer.startsWith('https:')))
    throw new ConfigError(
      `${invalidSettings}\n  OIDC_ISSUERS: must have https issuers, unless OUTBOUND_PRIVATE is allow`,
    );
  const publicUrl = new URL(values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).origin;
  const isPlainHttp = publicUrl.startsWith('http:') && !isLoopback(new URL(publicUrl).hostname);
  if (isPlainHttp && values.PUBLIC_URL_HTTP === 'refuse')
    throw new ConfigError(`${invalidSettings}\n  ${plainHttpRefused}`);
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl,
    isHttps: publicUrl.startsWith('https:'),
    isPlainHttp,
    metrics: values.METRICS_PORT === undefined ? undefined : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    databaseWait: values.DATABASE_WAIT,
    shutdownDelay: values.SHUTDOWN_DELAY,
    bucket: values.MEDIA_URL,
    mediaQuota: values.MEDIA_QUOTA * 1024 * 1024,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    secretKeys: secretKeysOf(values),
    firstOwner: { email: values.FIRST_OWNER_EMAIL, password: values.FIRST_OWNER_PASSWORD },
    trustedProxies: values.TRUST_PROXY,
    reportUrl: values.REPORT_URL,
    designerUrl: values.DESIGNER_URL,
    oidcIssuers: values.OIDC_ISSUERS,
    countryDatabase: values.COUNTRY_DATABASE === undefined ? undefined : resolve(values.COUNTRY_DATABASE),
    logRetentionDays: values.LOG_RETENTION_DAYS,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    trashRetentionDays: values.TRASH_RETENTION_DAYS,
    backups: {
      folder: values.BACKUP_DIR === undefined ? undefined : resolve(values.BACKUP_DIR),
      everyHours: values.BACKUP_EVERY,
      keep: values.BACKUP_KEEP,
      includesKey: values.BACKUP_SECRET_KEY === 'include',
    },
    allowsPrivateTargets: values.OUTBOUND_PRIVATE === 'allow',
    ownerMfa: { scope: values.OWNER_MFA, graceDays: values.OWNER_MFA_GRACE_DAYS },
    pageSize: values.QLIMIT,
    workers: values.WORKERS,
    logLevel: values.LOG_LEVEL,
  };
};
