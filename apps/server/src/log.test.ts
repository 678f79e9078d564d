import { Writable } from 'node:stream';
import { confirmSignup, verifyToken } from '@opensocial/contract';
import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { connect } from './database/connect.ts';
import { createLog } from './log.ts';
import { makeUser, password } from './testing/app/builders.ts';
import { browserAt, callerOf } from './testing/app/over-http.ts';
import { testOrigin } from './testing/app/test-parts.ts';
import { makeDataFolder } from './testing/machine/data-folder.ts';
import { makeDatabase, urlOf } from './testing/machine/database.ts';
import { templateName } from './testing/machine/global-setup.ts';
import { allowForStarts, ServerProcess } from './testing/machine/server-process.ts';

allowForStarts();

/** Everything that a server logs at its most verbose level while people sign in, fail to, and activate an account. */
describe('the log', () => {
  const secrets = new Map<string, string>();
  let server: ServerProcess;
  beforeAll(async () => {
    const where = await makeDatabase(templateName);
    const environment = { DATABASE_URL: urlOf(where), SECRET_KEY: 'a secret key that only tests use' };
    const { db, close } = connect(where, () => undefined);
    const { email } = await makeUser(db);
    await close();
    const invited = await ServerProcess.run(
      { ...environment, PUBLIC_URL: testOrigin },
      { program: 'dist/cli/network.js', args: ['create', 'westlab', '--owner', 'ines@westlab.org'] },
    );
    const link = new URL(/http\S+/.exec(invited.stdout)?.[0] ?? '');
    const code = link.searchParams.get('token') ?? '';
    server = await ServerProcess.start({
      ...environment,
      DATA_DIR: await makeDataFolder(),
      PUBLIC_URL: testOrigin,
      FIRST_OWNER_PASSWORD: 'the password of the first owner',
      LOG_LEVEL: 'trace',
    });
    const browser = browserAt(server.address);
    const call = callerOf(browser);

    const asked = await browser.get('/server/saml/login');
    const refused = await browser.submit(asked, { email, password: 'a wrong password' });
    const answered = await browser.submit(refused, { email, password });
    await browser.submit(answered);
    await browser.get(`/set-password${link.search}`);
    await browser.get(`/server/nowhere/${code}`);
    await call(verifyToken, { body: { email: 'ines@westlab.org', code } });
    const activation = { email: 'ines@westlab.org', code, password: 'a password of her own', signup_from: testOrigin };
    await call(confirmSignup, { body: activation });
    await call(confirmSignup, { body: activation }).catch(() => undefined);
    await browser.fetch('/prxy/api/user/confirm_user_signup', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: '{"password":"a broken body", nonsense',
    });
    await browser.fetch('/healthz');

    secrets.set('a wrong password', 'a wrong password');
    secrets.set('the right password', password);
    secrets.set('a new password', activation.password);
    secrets.set('a password of the environment', 'the password of the first owner');
    secrets.set('a part of a body that cannot be read', 'a broken body');
    secrets.set('an activation token', code);
    secrets.set('a sign-in under way', new URL(asked.url).pathname.split('/').at(-1) ?? '');
    secrets.set('a SAML response', answered.form?.fields['SAMLResponse']?.slice(0, 60) ?? '');
    secrets.set('a relay state', answered.form?.fields['RelayState'] ?? '');
    secrets.set('the proof of a form', asked.form?.fields['csrf'] ?? '');
    for (const [name, value] of browser.cookies) secrets.set(`the cookie ${name}`, value);
    await server.kill('SIGTERM');
  });

  test('contains no secret', () => {
    expect([...secrets.keys()]).toEqual(
      expect.arrayContaining(['the cookie opensocial_session', 'the cookie opensocial_identity']),
    );
    for (const [name, secret] of secrets) {
      expect(secret.length, name).toBeGreaterThan(10);
      expect(server.stdout.includes(secret), name).toBe(false);
      expect(server.stdout.includes(encodeURIComponent(secret)), name).toBe(false);
    }
    expect(server.stdout).not.toMatch(/SAMLRe(sponse|quest)=|set-cookie|"cookie"|"headers"|"body"/i);
  });

  test('has one line of JSON per request, with the declared route, the status and the duration', () => {
    const requests = server.log.filter(({ msg }) => msg === 'request');
    for (const line of requests) {
      expect(line).toMatchObject({
        level: 30,
        time: expect.any(Number),
        reqId: expect.any(String),
        method: expect.stringMatching(/^(GET|POST)$/),
        route: expect.any(String),
        status: expect.any(Number),
        ms: expect.any(Number),
        address: '127.0.0.1',
      });
    }
    expect(requests.map(({ method, route, status }) => `${String(method)} ${String(route)} ${String(status)}`)).toEqual(
      [
        'GET /server/saml/login 303',
        'GET /saml/:network/sso 303',
        'GET /signin/:token 200',
        'POST /signin/:token 401',
        'POST /signin/:token 200',
        'POST /server/saml/acs 303',
        'GET (no route) 200',
        'GET (no route) 200',
        'GET (no route) 404',
        'POST /prxy/api/user/verify_token 200',
        'POST /prxy/api/user/confirm_user_signup 200',
        'POST /prxy/api/user/confirm_user_signup 400',
        'POST /prxy/api/user/confirm_user_signup 400',
      ],
    );
    expect(new Set(requests.map(({ reqId }) => reqId)).size).toBe(requests.length);
  });

  test('is nothing but JSON, apart from the announcement', () => {
    const others = server.stdout.split('\n').filter((line) => line && !line.startsWith('{'));
    expect(others).toEqual([`  OpenSocial SSO is ready: ${testOrigin}`]);
    expect(server.stderr).toBe('');
  });
});

describe('an error in the log', () => {
  /** The line that is logged for an error. */
  const lineOf = (error: unknown): string => {
    const lines: string[] = [];
    const into = new Writable({
      write: (line: Buffer, _encoding, done) => {
        lines.push(line.toString());
        done();
      },
    });
    createLog('info', into).error({ err: error }, 'It failed.');
    return lines.join('');
  };
  const refused = Object.assign(new pg.DatabaseError('duplicate key value', 1, 'error'), {
    code: '23505',
    constraint: 'users__email',
    detail: 'Key (email)=(ana@northlab.org) already exists.',
  });

  test('keeps the message and drops the values', () => {
    const query = new DrizzleQueryError('insert into users values ($1)', ['ana@northlab.org'], refused);
    for (const error of [refused, query, new Error('outer', { cause: query })]) {
      const line = lineOf(error);
      expect(line).toContain('duplicate key value');
      expect(line).toContain('users__email');
      expect(line).not.toContain('ana@northlab.org');
    }
  });

  test("drops a mail server's list of recipients", () => {
    const error = Object.assign(new Error('Refused'), { code: 'EENVELOPE', rejected: ['ana@northlab.org'] });
    expect(JSON.parse(lineOf(error))).toMatchObject({ err: { message: 'Refused', code: 'EENVELOPE' } });
    expect(lineOf(error)).not.toContain('ana@northlab.org');
  });

  test('may be any value that was thrown', () => {
    expect(lineOf('a string')).toContain('a string');
    expect(lineOf(undefined)).toContain('It failed.');
  });
});
