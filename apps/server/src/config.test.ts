import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

/** The messages about invalid settings. */
const faultsOf = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const [title, ...faults] = (error as Error).message.split('\n');
    expect(title).toBe('Some settings are invalid:');
    return faults.map((fault) => fault.trim());
  }
};

describe('the settings', () => {
  test('all have a default', () => {
    expect(readConfig({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:8080',
      isHttps: false,
      isPlainHttp: false,
      metrics: undefined,
      dataDir: resolve('./data'),
      databaseUrl: undefined,
      databaseWait: 60,
      shutdownDelay: 0,
      bucket: undefined,
      mediaQuota: 5 * 1024 ** 3,
      smtpUrl: undefined,
      mailFrom: 'OpenSocial SSO <no-reply@localhost>',
      secretKeys: [],
      firstOwner: { email: 'owner@localhost.localdomain', password: undefined },
      trustedProxies: [],
      reportUrl: undefined,
      designerUrl: undefined,
      oidcIssuers: [],
      countryDatabase: undefined,
      logRetentionDays: 400,
      auditRetentionDays: 0,
      trashRetentionDays: 30,
      backups: { folder: undefined, everyHours: 24, keep: 7, includesKey: true },
      allowsPrivateTargets: false,
      ownerMfa: { scope: 'main', graceDays: 14 },
      pageSize: 300,
      workers: availableParallelism(),
      logLevel: 'info',
    });
  });

  test('that are empty count as not set', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: '', SECRET_KEY: '', TRUST_PROXY: '' })).toEqual(readConfig({}));
  });

  test('that are wrong are all named at once, without their values', () => {
    const wrong = {
      PORT: '70000',
      PUBLIC_URL: 'ftp://wrong.example',
      PUBLIC_URL_HTTP: 'wrong',
      METRICS_PORT: '70000',
      DATABASE_URL: 'mysql://user:wrong-password@db',
      MEDIA_URL: 'https://user:wrong-password@bucket/pictures',
      MEDIA_QUOTA: '99999999',
      SMTP_URL: 'https://user:wrong-password@mail',
      MAIL_FROM: 'wrong from',
      SECRET_KEY: 'wrong secret',
      SECRET_KEYS: 'wrong secrets',
      FIRST_OWNER_EMAIL: 'wrong address',
      FIRST_OWNER_PASSWORD: 'wrong',
      TRUST_PROXY: 'wrong-proxy',
      REPORT_URL: 'wrong:report',
      DESIGNER_URL: 'wrong:designer',
      OIDC_ISSUERS: 'wrong=issuer|wrong-secret',
      LOG_RETENTION_DAYS: '40000',
      BACKUP_EVERY: '9000',
      BACKUP_KEEP: '99999',
      BACKUP_SECRET_KEY: 'wrong-choice',
      OWNER_MFA: 'wrong-owners',
      OWNER_MFA_GRACE_DAYS: '91',
      QLIMIT: '301',
      WORKERS: '99',
      LOG_LEVEL: 'wrong-level',
    };
    const faults = faultsOf(wrong);
    expect(new Set(faults.map((fault) => fault.split(':')[0]))).toEqual(new Set(Object.keys(wrong)));
    expect(faults).toHaveLength(Object.keys(wrong).length);
    for (const value of Object.values(wrong)) expect(faults.join('\n')).not.toContain(value);
    expect(faults.join('\n')).not.toMatch(/wrong|undefined|NaN/);
  });

  test.for(['1.5', '-1', '65536', 'eighty', '0x50', '80 '])('refuse the port %s', (PORT) => {
    expect(faultsOf({ PORT })).toEqual(['PORT: must be a whole number from 0 to 65535']);
  });
});

describe('the secret keys', () => {
  const one = 'the key of last year is long enough';
  const two = 'the key of this year is long enough';

  test('are one or several, the current one first', () => {
    expect(readConfig({ SECRET_KEY: one }).secretKeys).toEqual([one]);
    expect(readConfig({ SECRET_KEYS: one }).secretKeys).toEqual([one]);
    expect(readConfig({ SECRET_KEYS: `${two}, ${one}` }).secretKeys).toEqual([two, one]);
    expect(readConfig({ SECRET_KEY: `${one},%41` }).secretKeys).toEqual([`${one},%41`]);
    expect(readConfig({ SECRET_KEYS: `${two},${encodeURIComponent(`${one},%41`)}` }).secretKeys).toEqual([
      two,
      `${one},%41`,
    ]);
  });

  test('may be set twice only with the same meaning', () => {
    expect(readConfig({ SECRET_KEY: one, SECRET_KEYS: one }).secretKeys).toEqual([one]);
    for (const SECRET_KEYS of [two, `${one},${two}`, `${two},${one}`])
      expect(faultsOf({ SECRET_KEY: one, SECRET_KEYS })).toEqual([
        'SECRET_KEY: must not be set beside SECRET_KEYS, which has other keys',
      ]);
  });

  test.for([
    ['too short', 'must be keys of at least 32 characters, separated by commas'],
    [`${one},too short`, 'must be keys of at least 32 characters, separated by commas'],
    [`${one},`, 'must be keys of at least 32 characters, separated by commas'],
    [`${one},,${two}`, 'must be keys of at least 32 characters, separated by commas'],
    [`${one},${two},${one}`, 'must not contain a key twice'],
    [`${one},${two}100%`, 'must be percent-encoded: %25 for %, %2C for a comma'],
  ] as const)('%s are refused', ([SECRET_KEYS, fault]) => {
    expect(faultsOf({ SECRET_KEYS })).toEqual([`SECRET_KEYS: ${fault}`]);
  });
});

describe('PUBLIC_URL', () => {
  test.for([
    ['https://sso.example.org', 'https://sso.example.org'],
    ['https://sso.example.org/', 'https://sso.example.org'],
    ['https://SSO.Example.org:443', 'https://sso.example.org'],
    ['http://localhost:3000/', 'http://localhost:3000'],
  ] as const)('%s is normalised to %s as in a browser', ([given, origin]) => {
    expect(readConfig({ PUBLIC_URL: given })).toMatchObject({ publicUrl: origin, isHttps: origin.startsWith('https') });
  });

  test.for([
    'http://localhost',
    'http://LOCALHOST:3000',
    'http://sso.localhost:8080',
    'http://127.0.0.1:8080',
    'http://127.1',
    'http://127.200.3.4',
    'http://[::1]:8080',
    'http://[0:0:0:0:0:0:0:1]',
  ])('%s stays on this machine, and may be plain http', (PUBLIC_URL) => {
    expect(readConfig({ PUBLIC_URL }).isPlainHttp).toBe(false);
  });

  test.for([
    'http://sso.example.org',
    'http://10.0.0.8:8080',
    'http://localhost.example.org',
    'http://notlocalhost',
    'http://127.0.0.1.example.org',
    'http://128.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'http://[::ffff:10.0.0.8]',
  ])('%s is refused, unless plain http is allowed', (PUBLIC_URL) => {
    expect(faultsOf({ PUBLIC_URL })).toEqual([expect.stringMatching(/^PUBLIC_URL: must be an https address/)]);
    expect(readConfig({ PUBLIC_URL, PUBLIC_URL_HTTP: 'allow' }).isPlainHttp).toBe(true);
  });

  test.for([
    'https://sso.example.org/sso',
    'https://sso.example.org/?next=1',
    'https://sso.example.org/#top',
    'https://user:password@sso.example.org',
    'https://',
    'sso.example.org',
    'javascript:alert(1)',
  ])('%s is no origin', (PUBLIC_URL) => {
    expect(faultsOf({ PUBLIC_URL })).toEqual([expect.stringMatching(/^PUBLIC_URL: must be/)]);
  });
});

describe('TRUST_PROXY', () => {
  test('is a list of addresses and networks', () => {
    const list = '10.0.0.8, 10.0.0.0/24,::1, fd00::/8,';
    expect(readConfig({ TRUST_PROXY: list }).trustedProxies).toEqual(['10.0.0.8', '10.0.0.0/24', '::1', 'fd00::/8']);
  });

  test.for([
    '0.0.0.0/0',
    '::/0',
    '0.0.0.0/00',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.1/',
    'true',
    '*',
    '10.0.0.1;::1',
  ])('cannot be %s', (proxy) => {
    expect(faultsOf({ TRUST_PROXY: `10.0.0.8, ${proxy}` })).toEqual([expect.stringMatching(/^TRUST_PROXY: must be/)]);
  });
});

describe('MAIL_FROM', () => {
  test.for(['sso@example.org', 'OpenSocial <sso@example.org>', 'a@localhost'])('may be %s', (MAIL_FROM) => {
    expect(readConfig({ MAIL_FROM }).mailFrom).toBe(MAIL_FROM);
  });

  test.for(['OpenSocial', 'a@b.org\r\nBcc: c@d.org', 'Name <a@b.org', '<a@b.org>, c@d.org'])(
    'may not be %j',
    (MAIL_FROM) => {
      expect(faultsOf({ MAIL_FROM })).toHaveLength(1);
    },
  );
});

describe('MEDIA_URL', () => {
  test('names a bucket, its keys percent-encoded', () => {
    const { bucket } = readConfig({
      MEDIA_URL: 's3://AKIA:se%2Fcret%2B@s3.example.org/pictures/sso/?region=eu-west-1',
    });
    expect(bucket).toEqual({
      endpoint: 'https://s3.example.org/pictures/sso',
      region: 'eu-west-1',
      accessKeyId: 'AKIA',
      secretAccessKey: 'se/cret+',
    });
  });

  test('may be a bucket on plain http, for private networks', () => {
    expect(readConfig({ MEDIA_URL: 's3+http://key:secret@minio:9000/pictures' }).bucket).toMatchObject({
      endpoint: 'http://minio:9000/pictures',
      region: 'us-east-1',
    });
  });

  test.for([
    's3://s3.example.org/pictures',
    's3://key@s3.example.org/pictures',
    's3://key:secret@s3.example.org',
    's3://key:secret@s3.example.org/',
    's3://key:%E0%A4%A@s3.example.org/pictures',
    'file:///pictures',
    'pictures',
  ])('cannot be %s', (MEDIA_URL) => {
    expect(faultsOf({ MEDIA_URL })).toEqual([expect.stringMatching(/^MEDIA_URL: must be an address like s3:/)]);
  });
});

describe('OIDC_ISSUERS', () => {
  test('names issuers with their keys, which are percent-encoded', () => {
    const OIDC_ISSUERS = ' azure=https://login.example/t/v2.0|id|se%7Ccr%20et\n Work_1=https://id.example|other|p%25 ';
    expect(readConfig({ OIDC_ISSUERS }).oidcIssuers).toEqual([
      {
        name: 'azure',
        label: 'azure',
        issuer: 'https://login.example/t/v2.0',
        clientId: 'id',
        clientSecret: 'se|cr et',
      },
      { name: 'work_1', label: 'Work_1', issuer: 'https://id.example', clientId: 'other', clientSecret: 'p%' },
    ]);
  });

  test.for([
    ['keycloak', 'entries like name=https://issuer|client-id|client-secret, separated by spaces (entry 1)'],
    [
      'a=https://a.example|id',
      'entries like name=https://issuer|client-id|client-secret, separated by spaces (entry 1)',
    ],
    [
      'a=https://a.example|id|',
      'entries like name=https://issuer|client-id|client-secret, separated by spaces (entry 1)',
    ],
    ['a/b=https://a.example|id|secret', 'names of letters, digits, hyphens and underscores (entry 1)'],
    ['a=https://u:p@a.example|id|secret', 'user name, query and fragment as each issuer (entry 1)'],
    ['a=https://a.example/?t=1|id|secret', 'user name, query and fragment as each issuer (entry 1)'],
    ['a=ldap://a.example|id|secret', 'an http or https address'],
    ['a=https://a.example|id|100%', 'client IDs and secrets that are percent-encoded (entry 1)'],
    ['a=https://a.example|i|s A=https://b.example|i|s', 'each name once (entry 2)'],
    ['Google=https://a.example|id|secret', 'other names than linkedin, google,'],
  ] as const)('%s is refused with the reason', ([OIDC_ISSUERS, fault]) => {
    expect(faultsOf({ OIDC_ISSUERS })).toEqual([expect.stringContaining(fault)]);
  });

  test('must use https, unless private networks are allowed', () => {
    const OIDC_ISSUERS = 'work=http://10.0.0.8:8080/realms/work|id|secret';
    expect(faultsOf({ OIDC_ISSUERS })).toEqual([
      'OIDC_ISSUERS: must have https issuers, unless OUTBOUND_PRIVATE is allow',
    ]);
    expect(readConfig({ OIDC_ISSUERS, OUTBOUND_PRIVATE: 'allow' }).oidcIssuers).toHaveLength(1);
  });
});

describe('METRICS_PORT', () => {
  test('serves metrics on this machine, or where METRICS_HOST says', () => {
    expect(readConfig({ METRICS_PORT: '9090' }).metrics).toEqual({ host: '127.0.0.1', port: 9090 });
    expect(readConfig({ METRICS_PORT: '9090', METRICS_HOST: '10.0.0.8' }).metrics?.host).toBe('10.0.0.8');
    expect(readConfig({ METRICS_HOST: '10.0.0.8' }).metrics).toBeUndefined();
  });
});
