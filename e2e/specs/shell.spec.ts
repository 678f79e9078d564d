import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectScreenQuality, openPalette, signIn, test } from '../support/fixtures.ts';
import { origin, people } from '../support/world.ts';

/** The left menu of §2.2 in its order, and the entries for the role `user`. */
const entries = [
  'Overview',
  'Desktop',
  'Sites',
  'Users',
  'Groups',
  'Desktop Config',
  'Activity',
  'Server Admins',
  'Server Settings',
  'Email Templates',
  'OpenSocial Networks',
  'Profile',
  'Trash',
];
const forUsers = ['Desktop', 'Activity', 'OpenSocial Networks', 'Profile'];

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const isInOrder = (shown: string[]) => entries.filter((entry) => shown.includes(entry)).join() === shown.join();
const roleCookie = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'user_role')?.value;

test.describe('§2.2 shell, for an admin', () => {
  test.use({ person: people.ana });

  test('shows the menu, help, top bar, theme switch and palette', async ({ page }) => {
    await test.step('§2.2 shell, for an admin: the left menu shows its entries in order and marks the open one', async () => {
      await page.goto('/');
      await expect(menu(page).getByRole('link', { name: 'Desktop', exact: true })).toHaveAttribute(
        'aria-current',
        'page',
      );
      expect(isInOrder(await menu(page).getByRole('link').allInnerTexts())).toBe(true);
      await menu(page).getByRole('link', { name: 'OpenSocial Networks' }).click();
      await expect(page.getByRole('heading', { name: 'Networks' })).toBeFocused();
      await expect(menu(page).getByRole('link', { name: 'OpenSocial Networks' })).toHaveAttribute(
        'aria-current',
        'page',
      );
    });

    await test.step('§2.2 shell, for an admin: the help bubble shows version and release date, and links to About', async () => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Help' }).click();
      await expect(page.getByText('App Version 1.01.41324')).toBeVisible();
      await expect(page.getByText('Release Date 23-07-2025')).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('menuitem', { name: 'About' }).click();
      await expect(page.getByRole('heading', { name: 'About' })).toBeFocused();
    });

    await test.step('§2.2 shell, for an admin: the help bubble leads to the guide for owners, whose parts have addresses', async () => {
      await page.getByRole('button', { name: 'Help' }).click();
      await page.getByRole('menuitem', { name: 'Guide for owners' }).click();
      await expect(page.getByRole('heading', { name: 'Guide for owners' })).toBeFocused();
      await page.getByRole('navigation', { name: 'In this guide' }).getByRole('link', { name: 'Replace keys' }).click();
      await expect(page).toHaveURL(/\/help#replace-keys$/);
      const part = page.getByRole('heading', { name: 'Replace keys' });
      await expect(page.getByRole('heading', { name: 'In this guide' })).toBeInViewport();
      await expect(part).toBeFocused();
      await expect(part).toBeInViewport();
      // Another page first, because a reload restores the scroll position by itself.
      await page.goto('/about');
      await page.goto('/help#replace-keys');
      await expect(part).toBeInViewport();
      await expectScreenQuality(page);
    });

    await test.step('§2.2 shell, for an admin: the top bar shows the greeting, a picture, the admin flag and the account menu', async () => {
      await page.goto('/about');
      const account = page.getByRole('banner').getByRole('button', { name: /Ana Moreno/ });
      await expect(account).toContainText('Hi, Ana Moreno');
      await expect(account).toContainText('Owner');
      // The default picture, because she has not uploaded one.
      await expect(account.locator('img')).toHaveAttribute('src', /person.*\.svg$/);
      await expect(account.locator('img')).toHaveJSProperty('complete', true);
      await account.click();
      await expect(page.getByRole('menuitem', { name: 'Logout' })).toHaveAttribute('href', '/server/saml/logout');
      await expectAccessible(page);
    });

    await test.step("§2.2 shell, for an admin: 'Default Server' is disabled on the root path and on the default network", async () => {
      await page.goto('/');
      await expect(page.getByRole('button', { name: 'Default Server' })).toBeDisabled();
      await page.goto('/about');
      await expect(page.getByRole('button', { name: 'Default Server' })).toBeDisabled();
    });

    await test.step('§2.2 shell, for an admin: a deep link to a list makes each of its first calls once', async () => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.goto('/sso-servers/northlab/users');
      await expect(page.getByRole('row').nth(1)).toBeVisible();
      const times = (call: RegExp) => asked.filter((path) => call.test(path)).length;
      expect(times(/^\/server\/getsession$/)).toBe(1);
      expect(times(/^\/server\/sso\/owner\/northlab$/)).toBe(1);
      expect(times(/^\/server\/sso\/users\//)).toBe(1);
    });

    await test.step('§2.2 shell, for an admin: a list below the notice for owners ends at the bottom of the window', async () => {
      await page.route('**/server/getsession', async (route) => {
        const answer = await route.fetch();
        const session = await answer.json();
        await route.fulfill({ json: { ...session, user: { ...session.user, mfa_due: '2099-01-01T00:00:00.000Z' } } });
      });
      await page.goto('/sso-servers/northlab/sites');
      await expect(page.getByRole('complementary', { name: 'Second factor' })).toBeVisible();
      await expect(page.getByRole('row').nth(1)).toBeVisible();
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight))
        .toBeLessThanOrEqual(0);
      await page.unroute('**/server/getsession');
    });

    await test.step('§6 the cookie user_role contains the role', async () => {
      await page.goto('/');
      await expect.poll(() => roleCookie(page)).toBe('admin');
    });

    await test.step('§2.2 shell, for an admin: Ctrl-K finds screens and networks, on a phone too', async () => {
      await page.goto('/');
      await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
      await openPalette(page);
      await expect(page.getByRole('option', { name: 'northlab' })).toBeVisible();
      await expectScreenQuality(page);
      await page.keyboard.type('nothing fits this');
      await expect(page.getByText('No results for “nothing fits this”')).toBeVisible();
      await expectAccessible(page);
    });

    await test.step('§2.2 shell, for an admin: the collapse toggle is remembered in a cookie', async () => {
      await page.goto('/about');
      await page.getByRole('button', { name: 'Collapse' }).click();
      await expect(menu(page).getByText('OpenSocial Networks')).toHaveCSS('width', '1px');
      expect(await page.context().cookies()).toContainEqual(
        expect.objectContaining({ name: 'sidebar', value: 'collapsed' }),
      );
      await page.goto('/sso-servers');
      await expect(page.getByRole('button', { name: 'Expand' })).toBeVisible();
      await expect(menu(page).getByRole('link', { name: 'Desktop', exact: true })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Expand' }).click();
      await page.reload();
      await expect(page.getByRole('button', { name: 'Collapse' })).toBeVisible();
    });

    await test.step('§2.2 shell, for an admin: the chosen theme is remembered', async () => {
      await page.goto('/about');
      await page.getByRole('button', { name: 'Theme' }).click();
      await page.getByRole('menuitemradio', { name: 'Dark' }).click();
      await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(10, 15, 25)');
      await page.reload({ waitUntil: 'commit' });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    });
  });

  test('adapts to a phone', async ({ page }) => {
    await test.step('§2.2 shell, for an admin: on a phone the menu is a drawer', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto('/');
      await expect(menu(page)).toHaveCount(0);
      const opener = page.getByRole('button', { name: 'Open the menu' });
      await opener.click();
      const drawer = page.getByRole('dialog', { name: 'Menu' });
      await expect(drawer.getByRole('button', { name: 'Network northlab' })).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect(drawer).toHaveCount(0);
      await expect(opener).toBeFocused();
      await opener.click();
      await drawer.getByRole('link', { name: 'OpenSocial Networks' }).click();
      await expect(page.getByRole('heading', { name: 'Networks' })).toBeVisible();
      await expect(drawer).toHaveCount(0);
      await opener.click();
      await drawer.getByRole('button', { name: 'Help' }).click();
      await expect(page.getByText('App Version 1.01.41324')).toBeInViewport({ ratio: 1 });
    });

    await test.step('§2.2 shell, for an admin: the drawer switches to another network', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto('/about');
      await page.getByRole('button', { name: 'Open the menu' }).click();
      await page.getByRole('button', { name: 'Network northlab' }).click();
      await expect(page.getByRole('dialog', { name: 'Menu' })).toHaveCount(0);
      await expect(page.getByRole('combobox')).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('button', { name: 'Open the menu' })).toBeFocused();
    });
  });
});

test.describe('§2.2 shell, for a user', () => {
  test.use({ person: people.ben });

  test('shows the menu and the top bar of the role user', async ({ page }) => {
    await test.step('§7 the left menu shows the entries for users, and the top bar shows no admin flag', async () => {
      await page.goto('/');
      await expect(page.getByRole('button', { name: /Ben Ito/ })).toHaveText(/Hi, Ben Ito$/);
      const shown = await menu(page).getByRole('link').allInnerTexts();
      expect(isInOrder(shown)).toBe(true);
      expect(shown.filter((entry) => !forUsers.includes(entry))).toEqual([]);
    });

    await test.step('§6 the cookie user_role contains user, and changing the cookie has no effect', async () => {
      await page.goto('/');
      await expect.poll(() => roleCookie(page)).toBe('user');
      await page.context().addCookies([{ name: 'user_role', value: 'admin', url: origin }]);
      const asked = page.waitForRequest('**/user_desktop_apps/**');
      await page.reload();
      await asked;
      await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Board Room' })).toHaveCount(0);
      await expect.poll(() => roleCookie(page)).toBe('user');
    });
  });
});

test("§2.2 shell: 'Default Server' makes the selected network the default one after a confirmation", async ({
  page,
}) => {
  await signIn(page, people.fay, '/sso-servers/southlab');
  await expect(page.getByText('Sorry! no apps found')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Default Server' })).toBeEnabled();
  await page.getByRole('button', { name: 'Default Server' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm setting default server' });
  await expect(question.getByText('Do you want to set this as default server?')).toBeVisible();
  await expectScreenQuality(page);
  await question.getByRole('button', { name: 'Set as default' }).click();
  await expect(question).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Default Server' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Default Server' })).toBeDisabled();
  await page.getByRole('link', { name: 'OpenSocial', exact: true }).click();
  // The previous desktop also names the network, so the URL is checked first.
  await expect(page).toHaveURL(`${origin}/`);
  await expect(page.getByRole('main').getByText('southlab', { exact: true })).toBeVisible();
});

test.describe('§2.2 go to anything, for an owner', () => {
  test.use({ person: people.ana });
  test('finds people, sites, groups, actions and sections of the settings', async ({ page }) => {
    await page.goto('/sso-servers/northlab/users');
    const search = page.getByRole('combobox', { name: 'Go to anything' });
    const goTo = async (typed: string, option: string | RegExp) => {
      await openPalette(page);
      await search.fill(typed);
      await page.getByRole('option', { name: option }).click();
    };
    await goTo('demonstrat', /Demonstration/);
    await expect(page.getByRole('dialog').getByRole('heading', { level: 2 })).toBeVisible();
    expect(page.url()).toContain('/sso-servers/northlab/sites/');
    await goTo(people.ana.email, new RegExp(people.ana.email));
    await expect(page).toHaveURL(/\/users\/\d+\/details$/);
    await goTo('signing keys', /Signing keys and certificates/);
    await expect(page.getByRole('heading', { name: 'Signing keys and certificates' })).toBeInViewport();
    for (const typed of ['second factor', 'MFA', 'password pol']) {
      await goTo(typed, /Users Account Policy/);
      await expect(page.getByRole('heading', { name: 'Users Account Policy' })).toBeInViewport();
    }
    await goTo('branding', /Look of the sign-in page/);
    await expect(page.getByRole('heading', { name: 'Look of the sign-in page' })).toBeInViewport();
    await goTo('smtp', /Email Templates/);
    await expect(page).toHaveURL(/\/email-templates$/);
    await goTo('connect an', /Connect an application/);
    await expect(page).toHaveURL(/\/sso-servers\/northlab\/connect/);
  });
});

test.describe('§2.2 go to anything, for a user', () => {
  test.use({ person: people.ben });
  test('asks for no people, sites or groups', async ({ page }) => {
    await page.goto('/');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await openPalette(page);
    await page.getByRole('combobox', { name: 'Go to anything' }).fill('profile');
    await expect(page.getByRole('option', { name: 'Profile' })).toBeVisible();
    expect(asked.filter((url) => /\/sso\/(users|sites|groups)\//.test(url))).toEqual([]);
  });
});
