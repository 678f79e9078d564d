import {
  type Caller,
  changePassword,
  getSession,
  listDevices,
  removeOtherDevices,
  resetMfa,
  setUserMode,
} from '@opensocial/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, connect } from '../../database/connect.ts';
import { createVault } from '../../secrets/encryption.ts';
import { toBase32 } from '../../secrets/totp.ts';
import type { Browser } from '../../testing/app/browser.ts';
import { makeSite, makeUser, password } from '../../testing/app/builders.ts';
import { browserAt, callerOf } from '../../testing/app/over-http.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';
import { makeDataFolder } from '../../testing/machine/data-folder.ts';
import { makeDatabase, urlOf } from '../../testing/machine/database.ts';
import { templateName } from '../../testing/machine/global-setup.ts';
import { allowForStarts, ServerProcess } from '../../testing/machine/server-process.ts';
import { codeOf } from '../../testing/services/authenticator.ts';

allowForStarts();

const secretKey = 'a secret key that only tests use';
const totpSecret = Buffer.from('a secret of 20 bytes');

/** Two servers with separate connections and memory on one database. */
let here: ServerProcess;
let there: ServerProcess;
let connection: Connection;
let start: string;

beforeAll(async () => {
  const where = await makeDatabase(templateName);
  const environment = {
    DATABASE_URL: urlOf(where),
    DATA_DIR: await makeDataFolder(),
    SECRET_KEY: secretKey,
    PUBLIC_URL: testOrigin,
  };
  [here, there] = await Promise.all([ServerProcess.start(environment), ServerProcess.start(environment)]);
  connection = connect(where, () => undefined);
  start = `/saml/northlab/start/${(await makeSite(connection.db)).id}`;
});
afterAll(() => connection.close());

/** Signs in to the console, with the authenticator if it is required. Each code is valid once. */
const enter = async (at: ServerProcess, email: string, step = 0): Promise<{ browser: Browser; call: Caller }> => {
  const browser = browserAt(at.address);
  let page = await browser.submit(await browser.get('/server/saml/login'), { email, password });
  if (page.html.includes('name="code"'))
    page = await browser.submit(page, { code: codeOf(toBase32(totpSecret), step) });
  await browser.submit(page);
  const call = callerOf(browser);
  expect((await call(getSession, {})).user).toMatchObject({ username: email });
  expect((await browser.get(start)).form?.fields).toHaveProperty('SAMLResponse');
  return { browser, call };
};

const expectOut = async ({ browser, call }: Awaited<ReturnType<typeof enter>>) => {
  await expect(call(listDevices, {})).rejects.toMatchObject({ status: 401, code: 'auth_required' });
  const page = await browser.get(start);
  expect(page.form?.fields).not.toHaveProperty('SAMLResponse');
  expect(page.html).toContain('type="password"');
};

describe('§2.1 a session ends at once, on every server, when', () => {
  test('the account is disabled', async () => {
    const owner = await enter(here, (await makeUser(connection.db, { owns: ['northlab'] })).email);
    const user = await makeUser(connection.db);
    const elsewhere = await enter(there, user.email);
    await owner.call(setUserMode, { params: { userId: user.id, mode: 'Disable' } });
    await expectOut(elsewhere);
  });

  test('the password is changed', async () => {
    const { email } = await makeUser(connection.db);
    const [own, elsewhere] = [await enter(here, email), await enter(there, email)];
    const body = { email, current_password: password, password: 'a rather different battery' };
    await own.call(changePassword, { body });
    await expectOut(elsewhere);
    expect((await own.call(getSession, {})).user).toMatchObject({ username: email });
  });

  test('the second factor is reset', async () => {
    const totp_secret = createVault([secretKey]).encrypt(totpSecret);
    const { email } = await makeUser(connection.db, { totp_secret });
    const elsewhere = await enter(there, email);
    const own = await enter(here, email, 1);
    await own.call(resetMfa, { body: { email } });
    await expectOut(elsewhere);
  });

  test('all others are signed out', async () => {
    const { email } = await makeUser(connection.db);
    const [own, elsewhere] = [await enter(here, email), await enter(there, email)];
    await own.call(removeOtherDevices, {});
    await expectOut(elsewhere);
  });
});
