import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectFitsPhone, signIn, test } from '../support/fixtures.ts';
import {
  type LogoutClient,
  type LogoutSite,
  logoutClients,
  logoutSites,
  origin,
  otherSiteOrigin,
  people,
} from '../support/world.ts';

type Person = (typeof people)[keyof typeof people];

const homeOf = (key: LogoutSite) => `${logoutSites[key].at}/${key}/`;
/** All except the one that keeps the browser when it is visited. */
const keys = (Object.keys(logoutSites) as LogoutSite[]).filter((key) => key !== 'lost');

/** Signs a person in to applications. */
const enter = async (page: Page, person: Person, entered: readonly LogoutSite[]) => {
  const [first, ...others] = entered;
  await signIn(page, person, `${homeOf(first ?? 'far')}login`);
  for (const key of others) {
    await page.waitForURL((url) => !url.href.startsWith(origin));
    await page.goto(`${homeOf(key)}login`);
  }
  await expect(page.getByRole('heading', { name: `Signed in as ${person.email}` })).toBeVisible();
};

/** Begins a logout in our own pages. The load event of the page waits for its frames, so it is not awaited. */
const beginHere = (page: Page) => page.goto(`${origin}/server/saml/logout`, { waitUntil: 'commit' });

declare global {
  interface Window {
    heldTimeouts?: (() => void)[];
  }
}

/** Lets the page wait for applications until the test calls its timeouts, while other timers run. */
const holdTimeouts = (page: Page) =>
  page.addInitScript(() => {
    const held: (() => void)[] = [];
    window.heldTimeouts = held;
    const start = window.setTimeout.bind(window);
    window.setTimeout = Object.assign(
      (callback: () => void, milliseconds?: number) =>
        milliseconds === 5_000 ? held.push(callback) : start(callback, milliseconds),
      start,
    );
  });

const untold = (page: Page) =>
  page.getByRole('region', { name: 'You could not be signed out of some applications' }).getByRole('listitem');

const expectSignedOut = async (page: Page, from: readonly LogoutSite[]) => {
  for (const key of from) {
    await page.goto(homeOf(key));
    await expect(page.getByRole('heading', { name: 'Signed out' }), key).toBeVisible();
  }
};

test.describe('§11 single logout', () => {
  test('signs out of every application that can be signed out, and names exactly the others', async ({ page }) => {
    await enter(page, people.lea, keys);
    await beginHere(page);
    await expect(page.getByRole('heading', { name: 'Signing you out…' })).toBeVisible();
    const startedAt = Date.now();
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    expect(Date.now() - startedAt).toBeLessThan(15_000);
    await expect(untold(page)).toHaveText(['Busting', 'Dead', 'Failing', 'None', 'Silent']);
    await expectAccessible(page);
    await expectSignedOut(page, ['far', 'remote', 'near', 'posting', 'server']);
    for (const key of ['busting', 'silent'] as const) {
      await page.goto(homeOf(key));
      await expect(page.getByRole('heading', { name: `Signed in as ${people.lea.email}` })).toBeVisible();
    }
    await page.goto('/');
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  });

  test('that an application requests returns to it, and says that one was not reached', async ({ page }) => {
    await enter(page, people.leo, ['near', 'posting', 'silent', 'far']);
    await page.getByRole('link', { name: 'Sign out' }).click();
    await expect(page.getByText('partly')).toBeVisible();
    await expect(page).toHaveURL(`${homeOf('far')}?status=partly`);
    await expectSignedOut(page, ['far', 'near', 'posting']);
  });

  test('continues after a reload, and after somebody returns from an application that does not answer', async ({
    page,
  }) => {
    await enter(page, people.leo, ['near', 'remote', 'lost', 'silent']);
    await beginHere(page);
    const lines = page.getByRole('list', { name: 'Applications' }).getByRole('listitem');
    await expect(lines).toHaveText([/Lost/, /Near\s*Signed out/, /Remote\s*Signed out/, /Silent/]);
    await page.reload({ waitUntil: 'commit' });
    await expect(lines).toHaveText([/Silent/]);
    await expect(page.getByRole('heading', { name: 'Lost' })).toBeVisible();
    await page.goBack({ waitUntil: 'commit' });
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    await expect(untold(page)).toHaveText(['Silent']);
    await expectSignedOut(page, ['near', 'remote']);
  });

  test('without scripts leads through every application', async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const press = () => page.getByRole('button', { name: 'Continue' }).click();
    const isSignedIn = () =>
      expect(page.getByRole('heading', { name: `Signed in as ${people.liv.email}` })).toBeVisible();
    await signIn(page, people.liv, `${homeOf('near')}login`);
    await press();
    await isSignedIn();
    for (const key of ['posting', 'server', 'far'] as const) {
      await page.goto(`${homeOf(key)}login`);
      await press();
      await isSignedIn();
    }
    await page.getByRole('link', { name: 'Sign out' }).click();
    await expect(page.getByRole('listitem')).toHaveText(['Near', 'Posting']);
    await press();
    // The request to the application, its response, and the response again with our cookies.
    for (let step = 0; step < 3; step += 1) await press();
    await expect(page).toHaveURL(`${homeOf('far')}?status=everywhere`);
    await expectSignedOut(page, ['far', 'near', 'posting', 'server']);
    await context.close();
  });

  test('shows the state of each application, accessible and on a phone', async ({ page }) => {
    await enter(page, people.liv, ['near', 'silent']);
    await holdTimeouts(page);
    await beginHere(page);
    const lines = page.getByRole('list', { name: 'Applications' }).getByRole('listitem');
    await expect(lines).toHaveText([/Near\s*Signed out/, /Silent\s*Signing you out…/]);
    await expect(page.getByRole('status')).not.toBeEmpty();
    const frames = page.locator('iframe');
    await expect(frames).toHaveCount(2);
    for (const frame of await frames.all()) {
      await expect(frame).toHaveAttribute('sandbox', 'allow-forms allow-scripts allow-same-origin');
      await expect(frame).toHaveAttribute('referrerpolicy', 'no-referrer');
    }
    const size = page.viewportSize();
    await frames.evaluateAll((all) => all.forEach((frame) => frame.remove()));
    await expectAccessible(page);
    await expectFitsPhone(page);
    if (size) await page.setViewportSize(size);
    await page.evaluate(() => window.heldTimeouts?.at(-1)?.());
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    await expect(untold(page)).toHaveText(['Silent']);
  });

  test('in a frame tells an application nothing about the others', async ({ page }) => {
    await enter(page, people.liv, ['near', 'far']);
    const seen = new Map<string, Record<string, string>>();
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname.endsWith('/sls')) seen.set(url.pathname, request.headers());
    });
    await beginHere(page);
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    expect([...seen.keys()].toSorted()).toEqual(['/far/sls', '/near/sls']);
    for (const headers of seen.values()) expect(headers['referer']).toBeUndefined();
    await expectSignedOut(page, ['near', 'far']);
  });
});

test.describe('§11 single logout with OpenID Connect', () => {
  const clientHome = (key: LogoutClient) => `${otherSiteOrigin}/${key}/`;

  /** Signs a person in to applications, and ends at the last one. */
  const enterClients = async (page: Page, person: Person, entered: readonly LogoutClient[]) => {
    for (const [place, key] of entered.entries()) {
      if (place === 0) await signIn(page, person, `${clientHome(key)}login`);
      else await page.goto(`${clientHome(key)}login`);
      await expect(page.getByRole('heading', { name: `Signed in as ${person.email}` })).toBeVisible();
    }
  };
  const expectOut = async (page: Page, key: LogoutClient) => {
    await page.goto(clientHome(key));
    await expect(page.getByRole('heading', { name: 'Signed out' }), key).toBeVisible();
  };

  test('reaches applications in frames and between servers, and names one whose page does not load', async ({
    page,
  }) => {
    await enterClients(page, people.lea, Object.keys(logoutClients) as LogoutClient[]);
    await beginHere(page);
    const lines = page.getByRole('list', { name: 'Applications' }).getByRole('listitem');
    await expect(lines).toHaveText([/Framed\s*Signed out/, /Hanging/]);
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    await expect(untold(page)).toHaveText(['Hanging']);
    await expectOut(page, 'framed');
    await expectOut(page, 'told');
  });

  test('that an application begins informs the others first, of both protocols, and returns to it', async ({
    page,
  }) => {
    await enterClients(page, people.leo, ['told', 'framed']);
    await page.goto(`${homeOf('near')}login`);
    await page.goto(clientHome('told'));
    await page.getByRole('link', { name: 'Sign out', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Goodbye' })).toBeVisible();
    await expect(page).toHaveURL(`${clientHome('told')}bye?state=x`);
    await expectSignedOut(page, ['near']);
    await expectOut(page, 'framed');
    await expectOut(page, 'told');
  });

  test('without the proof of the application asks the person, and returns after it', async ({ page }) => {
    await enterClients(page, people.liv, ['told']);
    await page.getByRole('link', { name: 'Sign out without proof' }).click();
    await expect(page.getByRole('heading', { name: 'Sign out of OpenSocial?' })).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${clientHome('told')}login`);
    await page.getByRole('link', { name: 'Sign out without proof' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(`${clientHome('told')}bye?state=x`);
    await expectOut(page, 'told');
  });
});
