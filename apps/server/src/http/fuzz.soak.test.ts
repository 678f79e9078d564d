import { readFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import { type AnyCall, callsByNoun, maximumPasswordLength } from '@opensocial/contract';
import { beforeAll, expect, test } from 'vitest';
import { throttles } from '../database/schema.ts';
import { makePasskey, makeUser, networkNamed, signInto } from '../testing/app/builders.ts';
import { type CallInput, inputOf, makeThings, type World } from '../testing/app/call-inputs.ts';
import { ServiceProvider } from '../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { urlOf } from '../testing/machine/database.ts';
import { reportFigure } from '../testing/machine/figures.ts';
import { freePort } from '../testing/machine/free-port.ts';
import { ServerProcess } from '../testing/machine/server-process.ts';

const total = Number(process.env['FUZZ_REQUESTS'] ?? 200_000);
const atOnce = 16;
/** The state of the roles is made anew after so many requests, because some of them sign people out or delete things. */
const perWorld = 2_000;
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 32);

type Role = 'nobody' | 'member' | 'owner';
type Draft = { method: string; path: string; headers: Record<string, string>; body: string };
type Base = { name: string; draft: Draft };

/** A generator of numbers below 1 that a seed repeats (mulberry32). */
const numbersFrom = (start: number) => {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
const next = numbersFrom(seed);
const below = (limit: number): number => Math.floor(next() * limit);
const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;

const oddTexts = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  '2147483648',
  '9223372036854775808',
  'x'.repeat(5_000),
  'x'.repeat(maximumPasswordLength + 1),
  '💥'.repeat(300),
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202eabc',
  '../../../etc/passwd',
  '..%2f..%2fetc',
  '%00',
  '%ff%fe',
  '%',
  '%u0041',
  "' or 1=1 --",
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  'http://127.0.0.1:9/',
  'javascript:alert(1)',
  '__proto__',
  'constructor',
  'opensocial',
  'northlab',
  'southlab',
  '\r\nset-cookie: a=b',
];
const oddValues: unknown[] = [
  ...oddTexts,
  null,
  true,
  0,
  -1,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  [],
  {},
  [[]],
  Array.from({ length: 300 }, () => 1),
  { __proto__: null, constructor: { prototype: 1 } },
  ['a', 1, null],
];
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND'];
const contentTypes = [
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'multipart/form-data; boundary="',
  'text/plain',
  'text/xml',
  'application/octet-stream',
  'a/b; c',
  ';',
];

/** Text that is allowed in a header. */
const inHeader = (text: string): string => text.replaceAll(/[^\t\u0020-\u007e]/g, '?').slice(0, 4_000);

const mutations: ((draft: Draft) => Draft)[] = [
  (draft) => ({ ...draft, method: pick(methods) }),
  (draft) => ({ ...draft, path: oddSegment(draft.path) }),
  (draft) => ({ ...draft, path: `${draft.path}/${encodeURIComponent(wellFormed(pick(oddTexts)))}` }),
  (draft) => ({ ...draft, path: `${draft.path}${draft.path.includes('?') ? '&' : '?'}${oddQuery()}` }),
  (draft) => ({ ...draft, path: draft.path.replaceAll('/', pick(['//', '/./', '/%2f/', '/..;/', '/'])) }),
  (draft) => ({ ...draft, path: draft.path.toUpperCase() }),
  (draft) => ({ ...draft, body: oddField(draft.body) }),
  (draft) => ({ ...draft, body: oddField(oddField(draft.body)) }),
  (draft) => ({ ...draft, body: draft.body.slice(0, below(draft.body.length + 1)) }),
  (draft) => ({ ...draft, body: `${draft.body.slice(0, -1)},"__proto__":{"isAdmin":true}}` }),
  (draft) => ({
    ...draft,
    body: pick(['', '{', 'null', '[]', '""', nested(2_000), nested(20_000), '\ufeff{}', '\u0000']),
  }),
  (draft) => ({ ...draft, body: 'x'.repeat(below(200_000)) }),
  (draft) => ({ ...draft, headers: { ...draft.headers, 'content-type': pick(contentTypes) } }),
  (draft) => ({ ...draft, headers: { ...draft.headers, [pick(oddHeaders)]: inHeader(pick(oddTexts)) } }),
  (draft) => ({ ...draft, headers: { ...draft.headers, cookie: oddCookie(draft.headers['cookie'] ?? '') } }),
];

const oddHeaders = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'origin',
  'range',
  'referer',
  'sec-fetch-mode',
  'sec-fetch-site',
  'user-agent',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
  'x-session-user',
];

const wellFormed = (text: string): string => text.toWellFormed();

const oddSegment = (path: string): string => {
  const segments = path.split('/');
  segments[1 + below(segments.length - 1)] = pick([encodeURIComponent(wellFormed(pick(oddTexts))), '%', '%00', '..']);
  return segments.join('/');
};

const oddQuery = (): string => {
  const name = pick([
    'lastid',
    'keyword',
    'sort',
    'status',
    'zone',
    'a[]',
    'SAMLRequest',
    'RelayState',
    'state',
    '__proto__',
  ]);
  return `${name}=${pick([encodeURIComponent(wellFormed(pick(oddTexts))), '%', '%E0%A4%A', ''])}&${name}=2`;
};

const oddField = (body: string): string => {
  try {
    const read = JSON.parse(body) as Record<string, unknown>;
    const names = Object.keys(read);
    if (names.length === 0) return JSON.stringify({ [pick(oddTexts)]: pick(oddValues) });
    return JSON.stringify({ ...read, [pick(names)]: pick(oddValues) });
  } catch {
    return body;
  }
};

const oddCookie = (cookie: string): string =>
  pick([
    '=',
    ';;;',
    'a=%',
    inHeader(pick(oddTexts)),
    `${cookie}x`,
    `${cookie}; ${cookie}`,
    cookie.slice(0, -3),
    'a=b; '.repeat(200),
  ]);

/** The pages and protocols, which are no calls of the contract. */
const pagesOf = async (world: World): Promise<Base[]> => {
  const provider = await ServiceProvider.of(testApp, world.things.site);
  const signInUrl = new URL(await provider.signInUrl());
  const xml = Buffer.from(
    '<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_a" Version="2.0" IssueInstant="2026-01-01T00:00:00Z"/>',
  );
  const bomb = `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1_000)}">]><a>${'&b;'.repeat(1_000)}</a>`;
  const deep = '<a>'.repeat(20_000);
  const redirect = (text: string | Buffer) => encodeURIComponent(deflateRawSync(text).toString('base64'));
  const get = (path: string): Base => ({
    name: path.split('?')[0] ?? '',
    draft: { method: 'GET', path, headers: {}, body: '' },
  });
  const form = (path: string, fields: Record<string, string>): Base => ({
    name: path,
    draft: {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    },
  });
  const saml = ['/saml/northlab/sso', '/saml/northlab/slo', '/server/saml/acs', '/server/saml/sls'];
  const oidc = {
    client_id: world.things.client.identity,
    client_secret: 'no',
    redirect_uri: 'https://app.northlab.org/callback',
  };
  return [
    get(`${signInUrl.pathname}${signInUrl.search}`),
    ...saml.flatMap((path) =>
      [xml.toString(), bomb, deep, 'no xml'].flatMap((text) => [
        get(`${path}?SAMLRequest=${redirect(text)}&RelayState=x`),
        get(`${path}?SAMLResponse=${redirect(text)}`),
        form(path, { SAMLRequest: Buffer.from(text).toString('base64') }),
        form(path, { SAMLResponse: Buffer.from(text).toString('base64'), RelayState: 'x' }),
      ]),
    ),
    get('/saml/northlab/metadata'),
    get(`/saml/northlab/start/${world.things.site.id}`),
    get('/server/saml/metadata'),
    get('/server/saml/login'),
    get('/server/saml/logout'),
    get('/server/openapi.json'),
    get('/server/docs'),
    get('/signin/none'),
    form('/signin/none', { email: world.user.email, password: 'no' }),
    form('/signin/none/verify', { code: '000000' }),
    form('/signin/none/with/google', {}),
    get('/signin/callback/google?code=a&state=b'),
    get(`/oidc/northlab/auth?${new URLSearchParams({ ...oidc, response_type: 'code', scope: 'openid' }).toString()}`),
    form('/oidc/northlab/token', {
      ...oidc,
      grant_type: 'authorization_code',
      code: 'none',
      code_verifier: 'x'.repeat(43),
    }),
    form('/oidc/northlab/token', { ...oidc, grant_type: 'refresh_token', refresh_token: 'none' }),
    form('/oidc/northlab/revoke', { ...oidc, token: 'none' }),
    form('/oidc/northlab/introspect', { ...oidc, token: 'none' }),
    form('/oidc/northlab/par', { ...oidc, response_type: 'code', scope: 'openid' }),
    form('/oidc/northlab/logout', { id_token_hint: 'a.b.c', state: 'x' }),
    get('/oidc/northlab/logout?id_token_hint=a.b.c'),
    get('/oidc/northlab/userinfo'),
    get('/oidc/northlab/jwks'),
    get('/oidc/northlab/.well-known/openid-configuration'),
    get('/healthz'),
    get('/readyz'),
    get('/'),
    get('/assets/none.js'),
    get('/prxy/none'),
  ];
};

const multipart = (fields: Record<string, unknown> = {}): string =>
  [
    ...Object.entries(fields).map(
      ([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
    ),
    `--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n\u0089PNG\r\n--x--\r\n`,
  ].join('');

const callsOf = (world: World): Base[] =>
  Object.values(callsByNoun)
    .flatMap((calls) => Object.entries<AnyCall>(calls))
    // A live stream stays open; it has tests of its own.
    .filter(([, declared]) => !declared.stream)
    .map(([name, declared]) => {
      const { params = {}, query = {}, body, file }: CallInput = inputOf(name, world);
      const asked = new URLSearchParams(query as Record<string, string>).toString();
      return {
        name,
        draft: {
          method: declared.method,
          path: `${declared.path.build(params as never)}${asked && `?${asked}`}`,
          headers: file
            ? { 'content-type': 'multipart/form-data; boundary=x' }
            : body
              ? { 'content-type': 'application/json' }
              : {},
          body: file ? multipart(body) : body ? JSON.stringify(body) : '',
        },
      };
    });

let testApp: TestApp;
let server: ServerProcess;
let port: number;

beforeAll(async () => {
  port = await freePort();
  testApp = await buildTestApp();
  server = await ServerProcess.start({
    DATABASE_URL: urlOf(testApp.pool.options),
    DATA_DIR: await makeDataFolder(),
    SECRET_KEY: 'a secret key that only tests use',
    PUBLIC_URL: testOrigin,
    PORT: String(port),
    LOG_LEVEL: 'error',
    QLIMIT: '5',
    // Each request says that it comes from another visitor, otherwise the budgets of visitors refuse most of them.
    TRUST_PROXY: '127.0.0.1',
  });
});

/** People and things as they are before anything was changed. */
const makeRoles = async (): Promise<{ bases: Base[]; cookies: Record<Role, string> }> => {
  await testApp.db.delete(throttles);
  const cookies: Record<Role, string> = { nobody: '', member: '', owner: '' };
  const network = await networkNamed(testApp.db, 'northlab');
  const things = await makeThings(testApp, network);
  let bases: Base[] = [];
  for (const role of ['member', 'owner'] as const) {
    const user = await makeUser(testApp.db, role === 'owner' ? { owns: ['northlab'] } : {});
    const browser = await signInto(testApp.db, testApp.browser(), user, new Date(), { mfa: 'passkey' });
    cookies[role] = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const world = { user, passkey: await makePasskey(testApp.db, user), login: 0, section: 1, network, things };
    bases = [...callsOf(world), ...(await pagesOf(world))];
  }
  return { bases, cookies };
};

const agent = new Agent({ keepAlive: true, maxSockets: atOnce });

type Sent = { status: number; milliseconds: number };

const send = ({ method, path, headers, body }: Draft): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const begun = performance.now();
    const end = (status: number) => resolve({ status, milliseconds: performance.now() - begun });
    const asked = request(
      `http://127.0.0.1:${port}`,
      { agent, method, path: path.replaceAll(/[^\u0021-\u007e]/g, '?') || '/', headers },
      (answer: IncomingMessage) => {
        answer.resume().on('end', () => end(answer.statusCode ?? 0));
        answer.on('error', () => end(answer.statusCode ?? 0));
      },
    );
    // The server closes the connection of a body that is too large.
    asked.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNREFUSED' ? reject(error) : end(0)));
    asked.end(body);
  });

const brokenMessages = [
  'GET / HTTP/9.9\r\n\r\n',
  'GET\r\n\r\n',
  '\u0000\u0001\u0002',
  'GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
  'POST / HTTP/1.1\r\nhost: localhost:8080\r\ncontent-length: -1\r\n\r\n',
  'POST / HTTP/1.1\r\nhost: localhost:8080\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST / HTTP/1.1\r\nhost: localhost:8080\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
  `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nhost: localhost:8080\r\n\r\n`,
  `GET / HTTP/1.1\r\nhost: localhost:8080\r\n${'a: b\r\n'.repeat(5_000)}\r\n`,
  'GET / HTTP/1.1\r\nhost: \u00e9\r\n\r\n',
  'GET / HTTP/1.1\r\na b: c\r\n\r\n',
  'CONNECT localhost:1 HTTP/1.1\r\nhost: localhost:1\r\n\r\n',
];

/** Bytes that are no HTTP, or none that clients send. Resolves with the status of the answer, or 0 without one. */
const sendRaw = (message: string): Promise<Sent> =>
  new Promise((resolve) => {
    const begun = performance.now();
    let said = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(message));
    socket.on('data', (text) => (said += text.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () =>
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? 0), milliseconds: performance.now() - begun }),
    );
  });

const memory = async (): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1_024;

const asOtherVisitor = (): string => `10.${below(256)}.${below(256)}.${below(256)}`;

const mutated = ({ draft }: Base, role: Role, cookies: Record<Role, string>): Draft => {
  const isOwnPage = next() < 0.9;
  let current: Draft = {
    ...draft,
    headers: {
      host: 'localhost:8080',
      'x-forwarded-for': asOtherVisitor(),
      ...(isOwnPage && { 'sec-fetch-site': 'same-origin' }),
      ...(cookies[role] && { cookie: cookies[role] }),
      ...draft.headers,
    },
  };
  for (let times = 1 + below(3); times > 0; times -= 1) current = pick(mutations)(current);
  return current;
};

test('malformed requests to every route, as three roles, never fail the server', async () => {
  const statuses = new Map<number, number>();
  const failures: string[] = [];
  const durations: number[] = [];
  const sizes: number[] = [];
  const rounds = Math.ceil(total / perWorld);
  for (let round = 0; round < rounds; round += 1) {
    const { bases, cookies } = await makeRoles();
    const worker = async (role: Role): Promise<void> => {
      for (let count = 0; count < perWorld / atOnce; count += 1) {
        const base = pick(bases);
        const draft = mutated(base, role, cookies);
        const { status, milliseconds } = next() < 0.02 ? await sendRaw(pick(brokenMessages)) : await send(draft);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        durations.push(milliseconds);
        if (status >= 500) failures.push(`${status} ${base.name} ${JSON.stringify(draft).slice(0, 600)}`);
      }
    };
    await Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        worker((['nobody', 'member', 'owner'] as const)[index % 3] ?? 'nobody'),
      ),
    );
    sizes.push(await memory());
  }
  const sorted = durations.toSorted((left, right) => left - right);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  // The first fifth fills caches and compiles code.
  const settled = sizes[Math.floor(sizes.length / 5)] ?? 0;
  const growth = ((sizes.at(-1) ?? 0) - settled) / settled;
  const { log } = server;
  console.log(
    `Seed ${seed}. Answers: ${JSON.stringify(Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)))}`,
  );
  console.log([...failures.slice(0, 20), ...log.slice(0, 20).map((line) => JSON.stringify(line))].join('\n'));
  console.log(`Memory in MB: ${sizes.map(Math.round).join(' ')}`);
  reportFigure(
    'Malformed requests',
    `${durations.length} requests, ${failures.length} answers 5xx`,
    '200,000 requests, 0 answers 5xx',
  );
  reportFigure('Malformed requests, memory', `${Math.round(growth * 100)} % growth`, 'below 20 %');
  reportFigure('Malformed requests, p99', `${Math.round(p99)} ms`, 'below 500 ms');
  expect(failures).toEqual([]);
  expect(log.map(({ msg, err }) => ({ msg, err }))).toEqual([]);
  expect(server.stderr).toBe('');
  expect((await send({ method: 'GET', path: '/readyz', headers: { host: 'localhost:8080' }, body: '' })).status).toBe(
    200,
  );
  expect(growth).toBeLessThan(0.2);
});
