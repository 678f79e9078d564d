import { confirmSignup, getSession, setNetworkMode, verifyToken } from '@opensocial/contract';
import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { browserAt, callerOf, signIn } from '../testing/app/over-http.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { makeDatabase, query, urlOf } from '../testing/machine/database.ts';
import { allowForStarts, ServerProcess } from '../testing/machine/server-process.ts';

allowForStarts();

const owner = { email: 'head@northlab.org', password: 'correct horse battery staple' };

/** Two servers that were started at the same moment on an empty database. */
let where: pg.ClientConfig;
let one: ServerProcess;
let two: ServerProcess;
beforeAll(async () => {
  where = await makeDatabase();
  const environment = {
    DATABASE_URL: urlOf(where),
    DATA_DIR: await makeDataFolder(),
    PUBLIC_URL: testOrigin,
    FIRST_OWNER_EMAIL: owner.email,
  };
  [one, two] = await Promise.all([ServerProcess.start(environment), ServerProcess.start(environment)]);
});

const count = async (table: string) => (await query(where, `select from ${table}`)).rowCount;

describe('two servers on one database', () => {
  test('create everything once, also when they start at the same moment', async () => {
    for (const table of ['networks', 'signing_keys', 'sites', 'owners', 'users']) expect(await count(table)).toBe(1);
    expect(`${one.stdout}${two.stdout}`.split('/set-password')).toHaveLength(2);
    expect(`${one.stderr}${two.stderr}`).toBe('');
    expect([...one.log, ...two.log].filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });

  test('look like one server to a browser', async () => {
    const link = new URL(/http\S+\/set-password\S+/.exec(`${one.stdout}${two.stdout}`)?.[0] ?? '');
    const body = { email: owner.email, code: link.searchParams.get('token') ?? '' };
    const browser = browserAt(one.address, two.address);
    const call = callerOf(browser);
    await call(verifyToken, { body });
    await call(confirmSignup, { body: { ...body, password: owner.password, signup_from: testOrigin } });

    await signIn(browser, owner);
    for (let turn = 0; turn < 4; turn += 1) {
      expect(await call(getSession, {})).toMatchObject({ user: { username: owner.email, is_admin: true } });
    }
    await call(setNetworkMode, { body: { server: 'opensocial', mode: 'All' } });
    await browser.get('/server/saml/logout');
  });

  test('count attempts together', async () => {
    const call = callerOf(browserAt(one.address, two.address));
    const guess = () =>
      call(verifyToken, { body: { email: 'a@b.org', code: 'guess' } }).catch(
        (error: { status: number }) => error.status,
      );
    const answers = await Promise.all(Array.from({ length: 40 }, guess));
    expect(answers.filter((status) => status === 404)).toHaveLength(30);
    expect(answers.filter((status) => status === 429)).toHaveLength(10);
  });

  test('do not depend on each other', async () => {
    const browser = await signIn(browserAt(one.address, two.address), owner);
    await one.kill('SIGKILL');
    const remaining = browserAt(two.address);
    for (const [name, value] of browser.cookies) remaining.cookies.set(name, value);
    const call = callerOf(remaining);
    expect(await call(getSession, {})).toMatchObject({ user: { username: owner.email } });
    await call(setNetworkMode, { body: { server: 'opensocial', mode: 'Visited' } });
    expect(await two.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect((await query(where, 'select mode from networks')).rows).toEqual([{ mode: 'Visited' }]);
  });
});
