import { once } from 'node:events';
import { createServer } from 'node:net';
import { confirmSignup, getSession, verifyToken } from '@opensocial/contract';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { findEmbedded } from './database/embedded/embedded.ts';
import { browserAt, callerOf, signIn } from './testing/app/over-http.ts';
import { testOrigin } from './testing/app/test-parts.ts';
import { makeDataFolder, untilStopped } from './testing/machine/data-folder.ts';
import { makeDatabase, query, urlOf } from './testing/machine/database.ts';
import { allowForStarts, ServerProcess } from './testing/machine/server-process.ts';

allowForStarts();

const password = 'correct horse battery staple';
const linkIn = (text: string): URL | undefined =>
  URL.parse(/http\S+\/set-password\S+/.exec(text)?.[0] ?? '') ?? undefined;
const linksIn = (text: string): number => text.split('/set-password').length - 1;

/** The settings for a first start on its own database. */
const onDatabase = async (settings: Record<string, string> = {}) => {
  const where = await makeDatabase();
  const environment = {
    DATABASE_URL: urlOf(where),
    DATA_DIR: await makeDataFolder(),
    PUBLIC_URL: testOrigin,
    ...settings,
  };
  return { where, environment };
};

const ownersOf = async (where: pg.ClientConfig): Promise<string[]> =>
  (await query<{ email: string }>(where, 'select email from owners union select email from users')).rows.map(
    ({ email }) => email,
  );

describe.concurrent('a first start without settings', () => {
  test("prints the address that it listens on and, only once, the first owner's link", async () => {
    const folder = await makeDataFolder();
    const first = await ServerProcess.start({ DATA_DIR: folder });
    const address = /is ready: (\S+)/.exec(first.stdout)?.[1] ?? '';
    expect(new URL(address).port).toBe(new URL(first.address).port);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);

    expect(linksIn(first.stdout)).toBe(1);
    const link = linkIn(first.stdout);
    expect(link?.origin).toBe(address);
    const [email, code] = ['email', 'token'].map((name) => link?.searchParams.get(name) ?? '');
    const verified = await fetch(`${address}/prxy/api/user/verify_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address },
      body: JSON.stringify({ email, code }),
    });
    expect(await verified.json()).toMatchObject({ server: 'opensocial' });

    expect(await first.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    await untilStopped(folder);
    const second = await ServerProcess.start({ DATA_DIR: folder });
    expect(linksIn(second.stdout)).toBe(0);

    const where = (await findEmbedded(folder)) ?? {};
    expect(await ownersOf(where)).toEqual(['owner@localhost.localdomain']);
    await query(where, 'delete from owners');
    await query(where, 'delete from users');
    await second.kill('SIGINT');
    const third = await ServerProcess.start({ DATA_DIR: folder, FIRST_OWNER_PASSWORD: password });
    expect(linksIn(third.stdout)).toBe(0);
    expect(await ownersOf(where)).toEqual([]);
  });
});

describe.concurrent('the first owner', () => {
  test('with a password from the environment signs in at once, and no link is shown', async () => {
    const { environment } = await onDatabase({
      FIRST_OWNER_EMAIL: 'Head@Northlab.org',
      FIRST_OWNER_PASSWORD: password,
    });
    const server = await ServerProcess.start(environment);
    expect(linksIn(server.stdout)).toBe(0);
    const browser = await signIn(browserAt(server.address), { email: 'head@northlab.org', password });
    expect(await callerOf(browser)(getSession, {})).toMatchObject({
      user: { username: 'head@northlab.org', is_admin: true },
    });
  });

  test("with a password against the network's rules is not created, and the setting is named", async () => {
    const { where, environment } = await onDatabase({ FIRST_OWNER_PASSWORD: 'twelve chars' });
    const refused = await ServerProcess.run(environment);
    expect(refused.code).toBe(1);
    expect(refused.stderr.trim()).toBe('FIRST_OWNER_PASSWORD: The password must have at least 16 characters.');
    expect(await ownersOf(where)).toEqual([]);
    const guessed = await ServerProcess.run({ ...environment, FIRST_OWNER_PASSWORD: 'Supernatural#2026' });
    expect([guessed.code, guessed.stderr.trim()]).toEqual([1, 'FIRST_OWNER_PASSWORD: this password is easy to guess.']);
    const mended = await ServerProcess.start({ ...environment, FIRST_OWNER_PASSWORD: '' });
    expect(linksIn(mended.stdout)).toBe(1);
  });

  test('gets the link at the first start that succeeds', async () => {
    const { environment } = await onDatabase();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const taken = String((other.address() as { port: number }).port);
    const failed = await ServerProcess.run({ ...environment, PORT: taken });
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stderr.trim()).toBe(
      `PORT: 127.0.0.1:${taken} is in use by another program. Stop it, or set PORT to another number.`,
    );
    other.close();
    const server = await ServerProcess.start(environment);
    const link = linkIn(server.stdout);
    const [email = '', code = ''] = ['email', 'token'].map((name) => link?.searchParams.get(name) ?? '');
    const browser = browserAt(server.address);
    const call = callerOf(browser);
    expect(await call(verifyToken, { body: { email, code } })).toMatchObject({ server: 'opensocial' });
    await call(confirmSignup, { body: { email, code, password, signup_from: testOrigin } });
    await signIn(browser, { email, password });
    expect(await call(getSession, {})).toMatchObject({ user: { username: email, is_admin: true } });
  });
});
