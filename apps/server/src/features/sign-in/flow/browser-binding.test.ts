import { beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, password } from '../../../testing/app/builders.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import { isSignedIn, postForm, signInCookie, withTotp } from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

const begin = async (browser: Browser): Promise<Page> =>
  browser.get(await (await ServiceProvider.of(testApp, await makeSite(testApp.db))).signInUrl());
const tokenOf = (page: Page): string => /\/signin\/([\w-]+)/.exec(page.url)?.[1] ?? '';
const cookiesOf = (browser: Browser, prefix: string): string[] =>
  [...browser.cookies.keys()].filter((name) => name.startsWith(prefix));

describe('a sign-in is bound to its browser', () => {
  test('by a new value, even if cookies were planted before', async () => {
    const [victim, attacker] = [testApp.browser(), testApp.browser()];
    for (const browser of [victim, attacker])
      for (const name of ['browser', 'signin', 'signin-', 'signin-0123456789abcdef'])
        browser.cookies.set(name, 'planted');
    const page = await begin(victim);
    expect(page.status).toBe(200);
    expect((await attacker.get(page.url)).status).toBe(410);
    attacker.cookies.set(signInCookie(page), 'planted');
    expect((await attacker.get(page.url)).status).toBe(410);
    expect(victim.cookies.get(signInCookie(page))).toMatch(/^[\w-]{43}$/);
  });

  test('and the value of one sign-in is not valid for another', async () => {
    const [victim, attacker] = [testApp.browser(), testApp.browser()];
    const [theirs, own] = [await begin(victim), await begin(attacker)];
    attacker.cookies.set(signInCookie(theirs), attacker.cookies.get(signInCookie(own)) ?? '');
    expect((await attacker.get(theirs.url)).status).toBe(410);
    expect((await attacker.get(own.url)).status).toBe(200);
  });

  test('in several tabs, even if they begin at the same time', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const pages = await Promise.all([begin(browser), begin(browser), begin(browser)]);
    expect(cookiesOf(browser, 'signin-').toSorted()).toEqual(pages.map(signInCookie).toSorted());
    for (const page of pages) {
      expect(isSignedIn(await browser.submit(page, { email: user.email, password }))).toBe(true);
      expect(browser.cookies.has(signInCookie(page))).toBe(false);
    }
    expect(cookiesOf(browser, 'signin-')).toEqual([]);
  });

  test('with at most eight cookies in a browser; the oldest is dropped first', async () => {
    const browser = testApp.browser();
    const pages: Page[] = [];
    for (let opened = 0; opened < 10; opened += 1) pages.push(await begin(browser));
    expect(cookiesOf(browser, 'signin-')).toEqual(pages.slice(2).map(signInCookie));
  });
});

describe('an attacker who has planted the cookie of a sign-in in another browser', () => {
  /** A sign-in of an attacker whose URL and cookie are planted in the browser of the victim. */
  const handOver = async () => {
    const [victim, attacker] = [testApp.browser(), testApp.browser()];
    const page = await begin(attacker);
    victim.cookies.set(signInCookie(page), attacker.cookies.get(signInCookie(page)) ?? '');
    return { victim, attacker, page, theirs: await victim.get(page.url) };
  };

  test('cannot continue as the victim at any step', async () => {
    const { user, code } = await withTotp(testApp);
    const { victim, attacker, page, theirs } = await handOver();
    const asked = await victim.submit(theirs, { email: user.email, password });
    expect(asked.html).toContain('Enter the current code from your authenticator app.');
    for (const path of ['', '/verify', '/password'])
      expect((await attacker.get(`/signin/${tokenOf(page)}${path}`)).status, path).toBe(410);
    for (const path of ['verify', 'go-on', 'password', 'send'])
      expect((await postForm(attacker, page, path, { factor: 'totp', code: code() })).status, path).toBe(410);
    expect(isSignedIn(await victim.submit(asked, { code: code() }))).toBe(true);
  });

  test('can still sign in as themselves', async () => {
    const [{ user }, own] = [await withTotp(testApp), await makeUser(testApp.db)];
    const { victim, attacker, page, theirs } = await handOver();
    await victim.submit(theirs, { email: user.email, password });
    expect(isSignedIn(await attacker.submit(page, { email: own.email, password }))).toBe(true);
  });
});
