import { createHash, randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { SigninRedirectArgs, UserManager } from 'oidc-client-ts';
import { expect, test } from '../support/fixtures.ts';
import {
  browserClientId,
  browserClientOrigins,
  logoutNetwork,
  origin,
  otherSiteOrigin,
  password,
  people,
} from '../support/world.ts';

declare global {
  interface Window {
    manager: UserManager;
  }
}

const { otherSite, sameSite } = browserClientOrigins;
const issuer = `${origin}/oidc/${logoutNetwork}`;
const { lux } = people;

const shown = (page: Page, said: string | RegExp) => expect(page.getByRole('heading', { name: said })).toBeVisible();
const isSignedIn = (page: Page) => shown(page, `Signed in as ${lux.email}`);

/** Enters the password on our page. */
const enterPassword = async (page: Page) => {
  const email = page.getByLabel('Email');
  await email.fill(lux.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

/** Sends the browser to the provider. The page is left, so the answer of the script is not awaited. */
const begin = async (page: Page, parameters: SigninRedirectArgs = {}) => {
  await page.evaluate((given) => void window.manager.signinRedirect(given), parameters);
};

const signIn = async (page: Page, at: string = otherSite) => {
  await page.goto(at);
  await begin(page);
  await enterPassword(page);
  await isSignedIn(page);
};

/** What the application has stored about the person. */
const tokensOf = (page: Page) =>
  page.evaluate(async () => {
    const user = await window.manager.getUser();
    if (!user) throw new Error('Nobody is signed in.');
    const { access_token, refresh_token, profile } = user;
    return { access_token, refresh_token, authTime: profile.auth_time, name: profile.name };
  });

/** The outcome of a silent sign-in: in a frame, or with the refresh token if the application has one. */
const signInSilently = (page: Page): Promise<string> =>
  page.evaluate(() =>
    window.manager.signinSilent({ silentRequestTimeoutInSeconds: 20 }).then(
      (user) => user?.profile.email ?? 'nobody',
      (error: { error?: string; message: string }) => error.error ?? error.message,
    ),
  );

type Sent = { headers?: Record<string, string>; form?: Record<string, string> };

/** What a script on a page can read of an answer: its status, or nothing. */
const read = (page: Page, url: string, sent: Sent = {}) =>
  page.evaluate(
    async ([address, { headers = {}, form }]) => {
      const body = form ? { method: 'POST', body: new URLSearchParams(form) } : {};
      return fetch(address, { headers, ...body }).then(
        ({ status }) => status,
        () => 'unreadable' as const,
      );
    },
    [url, sent] as const,
  );

test.describe('§11 an application in the browser that uses oidc-client-ts', () => {
  test('signs in by a redirect, refreshes its tokens and signs out', async ({ page }) => {
    await test.step('the answer, the keys and the userinfo can be read by its origin', async () => {
      await signIn(page);
      expect((await tokensOf(page)).name).toBe(`${lux.firstname} ${lux.lastname}`);
    });

    const first = await tokensOf(page);
    await test.step('a refresh token is replaced by each use', async () => {
      expect(await signInSilently(page)).toBe(lux.email);
      const second = await tokensOf(page);
      expect(second.refresh_token).toBeTruthy();
      expect(second.refresh_token).not.toBe(first.refresh_token);
      expect(second.access_token).not.toBe(first.access_token);
    });

    await test.step('scripts of another origin read the public documents, and no answer to its tokens', async () => {
      const { access_token, refresh_token = '' } = await tokensOf(page);
      const headers = { authorization: `Bearer ${access_token}` };
      const form = { grant_type: 'refresh_token', client_id: browserClientId, refresh_token: 'a guess' };
      expect(await read(page, `${issuer}/userinfo`, { headers })).toBe(200);
      expect(await read(page, `${issuer}/token`, { form })).toBe(400);
      const foreign = await page.context().newPage();
      await foreign.goto(otherSiteOrigin);
      expect(await read(foreign, `${issuer}/userinfo`, { headers })).toBe('unreadable');
      expect(await read(foreign, `${issuer}/token`, { form: { ...form, refresh_token } })).toBe('unreadable');
      for (const path of ['.well-known/openid-configuration', 'jwks'])
        expect(await read(foreign, `${issuer}/${path}`)).toBe(200);
      await foreign.close();
      // The refused request has not used the refresh token up.
      expect(await signInSilently(page)).toBe(lux.email);
    });

    await test.step('§11 a logout returns to it, and ends the session and the tokens', async () => {
      const { access_token, refresh_token = '' } = await tokensOf(page);
      await page.evaluate(() => void window.manager.signoutRedirect());
      await page.waitForURL(`${otherSite}/bye**`);
      await shown(page, 'Signed out');
      const headers = { authorization: `Bearer ${access_token}` };
      expect(await read(page, `${issuer}/userinfo`, { headers })).toBe(401);
      const form = { grant_type: 'refresh_token', client_id: browserClientId, refresh_token };
      expect(await read(page, `${issuer}/token`, { form })).toBe(400);
      await begin(page, { prompt: 'none' });
      await shown(page, 'Refused: login_required');
    });
  });

  test('asks with prompt=none and max_age=0', async ({ page }) => {
    await page.goto(otherSite);
    await begin(page, { prompt: 'none' });
    await shown(page, 'Refused: login_required');
    await signIn(page);
    const first = await tokensOf(page);

    await test.step('prompt=none succeeds with a session', async () => {
      await page.evaluate(() => window.manager.removeUser());
      await begin(page, { prompt: 'none' });
      await isSignedIn(page);
      expect((await tokensOf(page)).authTime).toBe(first.authTime);
    });

    await test.step('max_age=0 asks for the password in spite of the session', async () => {
      // The time is in whole seconds.
      await expect.poll(() => Math.floor(Date.now() / 1_000)).toBeGreaterThan(Number(first.authTime));
      await begin(page, { max_age: 0 });
      await enterPassword(page);
      await isSignedIn(page);
      expect(Number((await tokensOf(page)).authTime)).toBeGreaterThan(Number(first.authTime));
    });
  });

  test('signs in silently in a frame if it is on the same site as the server', async ({ page }) => {
    await page.goto(sameSite);
    expect(await signInSilently(page)).toBe('login_required');
    await signIn(page, sameSite);
    // Without tokens, the library uses a frame.
    await page.evaluate(() => window.manager.removeUser());
    expect(await signInSilently(page)).toBe(lux.email);

    await test.step('on another site the browser withholds the session from frames', async () => {
      await page.goto(otherSite);
      expect(await signInSilently(page)).toBe('login_required');
    });
  });

  test('signs in in a popup, with a password and with the session', async ({ page, context }) => {
    await page.goto(otherSite);
    /** Opens a popup, and returns it with the outcome of the sign-in in the page that opened it. */
    const open = async () => {
      const opened = context.waitForEvent('page');
      const outcome = page.evaluate(() =>
        // The option makes the library give up if it loses the popup, as many other libraries do.
        window.manager.signinPopup({ popupAbortOnClose: true }).then(
          (user) => user.profile.email ?? 'nobody',
          (error: Error) => error.message,
        ),
      );
      return { popup: await opened, outcome };
    };
    const first = await open();
    await enterPassword(first.popup);
    expect(await first.outcome).toBe(lux.email);
    await expect.poll(() => first.popup.isClosed()).toBe(true);
    await page.evaluate(() => window.manager.removeUser());
    expect(await (await open()).outcome).toBe(lux.email);
  });

  test('gets a code by a form, and may redirect to another origin after it', async ({ page }) => {
    const parameters = new URLSearchParams({
      client_id: browserClientId,
      response_type: 'code',
      response_mode: 'form_post',
      redirect_uri: `${otherSite}/posted`,
      scope: 'openid',
      state: 'x',
      code_challenge: createHash('sha256').update(randomBytes(32).toString('base64url')).digest('base64url'),
      code_challenge_method: 'S256',
    });
    await page.goto(`${issuer}/auth?${parameters}`);
    await enterPassword(page);
    await shown(page, 'Posted: code, iss, state');
    expect(new URL(page.url()).origin).toBe(sameSite);
    await page.goto(`${issuer}/auth?${parameters}`);
    await shown(page, 'Posted: code, iss, state');
    await page.goto(`${issuer}/auth?${parameters}&prompt=login&max_age=x`);
    await shown(page, 'Posted: error, error_description, iss, state');
  });
});
