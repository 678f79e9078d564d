import { getSession } from '@opensocial/contract';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loginLog, networkSettings, throttles, users } from '../../../database/schema.ts';
import { hashPassword } from '../../../secrets/passwords.ts';
import type { Browser } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, networkNamed, password, signInto } from '../../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../../testing/app/queued-mails.ts';
import { isSignedIn } from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { storePassword } from '../../users/users.passwords.service.ts';
import { deviceOf } from './known-devices.ts';

let testApp: TestApp;
let site: { id: number };
beforeAll(async () => {
  testApp = await buildTestApp();
});
beforeEach(async () => {
  await testApp.db.delete(throttles);
  site = await makeSite(testApp.db);
});

type User = typeof users.$inferSelect;

const open = (browser: Browser) => browser.get(`/saml/northlab/start/${site.id}`);
const signIn = async (browser: Browser, email: string, secret = password) =>
  browser.submit(await open(browser), { email, password: secret });

/** A browser that has signed in and has lost its session since. */
const knownBrowser = async (user: User): Promise<Browser> => {
  const browser = testApp.browser();
  expect(isSignedIn(await signIn(browser, user.email))).toBe(true);
  browser.cookies.delete('opensocial_identity');
  return browser;
};
const withDevice = (device = ''): Browser => {
  const browser = testApp.browser();
  browser.cookies.set('opensocial_device', device);
  return browser;
};
const compared = async () =>
  (await testApp.db.select().from(loginLog).where(eq(loginLog.site_id, site.id))).filter(
    ({ reason }) => reason === 'wrong password',
  ).length;

/** Locks an account for unknown devices, as strangers at many addresses would. */
const lockForStrangers = async ({ email }: User) => {
  const key = sql`'account:' || encode(sha256(convert_to(${email}, 'UTF8')), 'hex')`;
  await testApp.db.execute(
    sql`insert into throttles (key, failures, blocked_until) values (${key}, 50, now() + interval '1 hour')`,
  );
};

describe('wrong passwords from known devices', () => {
  const guessTenTimes = async (device: string | undefined, { email }: User): Promise<void> => {
    const browser = withDevice(device);
    let page = await open(browser);
    for (let guess = 0; guess < 10; guess += 1)
      page = await browser.submit(page, { email, password: `guess ${guess}` });
  };

  test('are limited to a hundred for one account with any number of devices', async () => {
    const user = await makeUser(testApp.db);
    const devices: (string | undefined)[] = [];
    for (let count = 0; count < 12; count += 1)
      devices.push((await knownBrowser(user)).cookies.get('opensocial_device'));
    await testApp.db.delete(throttles);
    for (const device of devices) await guessTenTimes(device, user);
    expect(await compared()).toBe(100);
  });

  test('count as those of unknown devices after the password was changed', async () => {
    const user = await makeUser(testApp.db);
    const devices: (string | undefined)[] = [];
    for (let count = 0; count < 3; count += 1)
      devices.push((await knownBrowser(user)).cookies.get('opensocial_device'));
    const changed = await hashPassword('another horse battery staple');
    await testApp.db.transaction((tx) => storePassword(tx, testApp.parts, user, changed));
    await testApp.db.delete(throttles);
    for (const device of devices) await guessTenTimes(device, user);
    expect(await compared()).toBe(10);
  });
});

describe('a device', () => {
  const idOf = async (browser: Browser, { id }: User) => {
    const [user] = await testApp.db.select().from(users).where(eq(users.id, id));
    const known = { uid: user?.uid ?? '', credentialsAt: user?.credentials_at ?? new Date(0) };
    return deviceOf(testApp.parts.vault, browser.cookies.get('opensocial_device'), known);
  };

  test('keeps its id from one sign-in to the next', async () => {
    const user = await makeUser(testApp.db);
    const browser = await knownBrowser(user);
    const first = await idOf(browser, user);
    expect(first).toBeTruthy();
    expect(isSignedIn(await signIn(browser, user.email))).toBe(true);
    expect(await idOf(browser, user)).toBe(first);
  });

  test.for([
    ['a site', (browser: Browser) => open(browser)],
    ['the console', (browser: Browser) => testApp.as(browser)(getSession, {})],
  ] as const)('in which the credentials were changed is known again after the next visit to %s', async ([, visit]) => {
    const user = await makeUser(testApp.db);
    const browser = await signInto(testApp.db, testApp.browser(), user);
    expect(isSignedIn(await signIn(browser, user.email))).toBe(true);
    await testApp.db.update(users).set({ credentials_at: sql`now()` }).where(eq(users.id, user.id));
    expect(await idOf(browser, user)).toBeUndefined();
    await visit(browser);
    expect(await idOf(browser, user)).toBeTruthy();
    browser.cookies.delete('opensocial_identity');
    await lockForStrangers(user);
    expect(isSignedIn(await signIn(browser, user.email))).toBe(true);
    expect(isSignedIn(await signIn(testApp.browser(), user.email))).toBe(false);
  });

  test('that is known gets its mail after others at the same address have used up the limit', async () => {
    const user = await makeUser(testApp.db);
    const browser = await knownBrowser(user);
    const ask = async (asking: Browser, email: string) =>
      asking.submit(await asking.get(`${(await open(asking)).url}/forgot`), { email });
    const stranger = testApp.browser();
    for (let count = 0; count < 20; count += 1) await ask(stranger, `junk${count}@nowhere.org`);
    expect(await mailsQueuedBy(testApp, () => ask(stranger, user.email))).toEqual([]);
    expect(await mailsQueuedBy(testApp, () => ask(browser, user.email))).toHaveLength(1);
  });

  test('has its own quota for mails, and all devices of an account share one', async () => {
    const user = await makeUser(testApp.db);
    const devices: (string | undefined)[] = [];
    for (let count = 0; count < 5; count += 1)
      devices.push((await knownBrowser(user)).cookies.get('opensocial_device'));
    let requests = 0;
    const mails = await mailsQueuedBy(testApp, async () => {
      for (const device of devices) {
        const browser = withDevice(device);
        const form = await browser.get(`${(await open(browser)).url}/forgot`);
        for (let count = 0; count < 25; count += 1) {
          requests += 1;
          const { email } = await makeUser(testApp.db);
          await browser.submit(form, { email });
        }
      }
    });
    expect(requests).toBe(125);
    // The limit of the account, and that of the address, which is charged afterwards.
    expect(mails).toHaveLength(60 + 20);
  });
});

describe('unknown browsers do not lock an account', () => {
  const guessAt = async (address: string, email: string, secret: string): Promise<number> => {
    const jar = new Map<string, string>();
    const send = async (method: 'GET' | 'POST', url: string, payload = '') => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await testApp.app.inject({
        method,
        url,
        remoteAddress: address,
        payload,
        headers: {
          host: 'localhost:8080',
          cookie,
          ...(payload && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
      });
      for (const { name, value } of answer.cookies) jar.set(name, value);
      return answer;
    };
    const begun = await send('GET', `/saml/northlab/start/${site.id}`);
    const url = String(begun.headers.location);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await send('GET', url)).payload)?.[1] ?? '';
    return (await send('POST', url, new URLSearchParams({ csrf, email, password: secret }).toString())).statusCode;
  };

  test('from several /64 prefixes of one IPv6 customer', async () => {
    const { email } = await makeUser(testApp.db);
    for (let prefix = 0; prefix < 6; prefix += 1)
      for (let guess = 0; guess < 10; guess += 1)
        expect(await guessAt(`2001:db8:0:a${prefix}::${guess + 1}`, email, 'a guess')).toBe(401);
    expect(await guessAt('203.0.113.9', email, password)).toBe(200);
  });

  test('nor does a single mistake of a member of several networks, if the home network allows only one', async () => {
    const south = await networkNamed(testApp.db, 'southlab');
    await testApp.db.update(networkSettings).set({ failed_tries: 1 }).where(eq(networkSettings.network_id, south.id));
    const user = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    const browser = testApp.browser();
    for (let slip = 0; slip < 4; slip += 1) expect((await signIn(browser, user.email, 'a slip')).status).toBe(401);
    expect(isSignedIn(await signIn(browser, user.email))).toBe(true);
  });
});
