import type { Page } from '@playwright/test';
import { expect, expectScreenQuality, signIn, test } from '../support/fixtures.ts';
import { invitations, origin, people } from '../support/world.ts';

const lost = "UH OH! You're lost.";
const denied = "You don't have permission to access this server.";
const invitation = `email=${invitations[7]?.email}&token=${invitations[7]?.token}`;

/** The path of the panel contains the network's id, which the list has. */
const panelOf = async (page: Page, name: string): Promise<string> => {
  await page.goto('/sso-servers');
  return (await page.getByRole('link', { name: `Details of ${name}` }).getAttribute('href')) ?? '';
};

/** Each route with a screen, its title, and something to recognise it by. */
const screens: readonly [path: string, title: string, sign: (page: Page) => ReturnType<Page['getByText']>][] = [
  ['/', 'Desktop', (page) => page.getByRole('link', { name: 'LIMS Core' })],
  ['/about', 'About', (page) => page.getByRole('heading', { name: 'About' })],
  ['/profile', 'Profile', (page) => page.getByRole('heading', { name: 'Profile Details' })],
  ['/activity', 'Activity', (page) => page.getByRole('heading', { name: 'Activity' })],
  ['/sso-servers', 'Networks', (page) => page.getByRole('link', { name: 'northlab', exact: true })],
  ['/sso-servers/northlab', 'northlab · Desktop', (page) => page.getByRole('link', { name: 'LIMS Core' })],
  ['/sso-servers/northlab/', 'northlab · Desktop', (page) => page.getByRole('link', { name: 'LIMS Core' })],
  ['/lims/report', 'Report', (page) => page.frameLocator('iframe').getByText('Nobody is signed in')],
  ['/lims/designer', 'Designer', (page) => page.getByText('The designer page is not set up.')],
  [`/set-password?${invitation}`, 'Account Confirmation', (page) => page.getByText('Activate Your Account')],
  ['/nowhere', 'Page not found', (page) => page.getByText(lost)],
];

/** Screens for administrators only; the tests of sites cover other roles. */
const adminScreens: typeof screens = [
  [
    '/sso-servers/northlab/desktop',
    'User Desktop · northlab',
    (page) => page.getByRole('heading', { name: 'User Desktop' }),
  ],
  [
    '/sso-servers/northlab/settings',
    'SSO Server Details · northlab',
    (page) => page.getByRole('button', { name: 'Save settings' }),
  ],
];

test.describe('§2.1 routes, for an admin', () => {
  test.use({ person: people.ana });

  test('each route shows its screen', async ({ page }) => {
    for (const [path, title, sign] of [...screens, ...adminScreens])
      await test.step(`§2.1 ${path.split('?')[0]} shows its screen`, async () => {
        await page.goto(path);
        await expect(sign(page)).toBeVisible();
        await expect(page).toHaveTitle(`${title} · OpenSocial`);
        // The same desktop on other paths; the other screens have their own tests.
        if (!/northlab|set-password|profile|activity/.test(path)) await expectScreenQuality(page);
      });
  });

  test('show a panel and an embedded page', async ({ page }) => {
    await test.step('§2.1 routes, for an admin: /opensocial/server/{server}/{id}/details shows the panel, and closing it returns to the list', async () => {
      await page.goto(await panelOf(page, 'northlab'));
      const panel = page.getByRole('dialog', { name: 'northlab' });
      await expect(panel.getByText(`${origin}/saml/northlab/metadata`)).toBeVisible();
      await expect(page).toHaveTitle('northlab · Networks · OpenSocial');
      await expectScreenQuality(page);
      await panel.getByRole('button', { name: 'Close the panel' }).click();
      await expect(panel).toHaveCount(0);
      await expect(page).toHaveURL(`${origin}/sso-servers`);
    });

    await test.step('§2.1 routes, for an admin: an embedded page fills the content area, and the selected server reads Report', async () => {
      await page.goto('/lims/report');
      const frame = page.locator('iframe');
      await expect(frame).toHaveAttribute('sandbox', /allow-scripts/);
      await expect(page.getByRole('button', { name: 'Network Report' })).toBeVisible();
      const [frameBox, mainBox, barBox] = await Promise.all(
        [frame, page.getByRole('main'), page.getByRole('banner')].map((part) => part.boundingBox()),
      );
      expect(frameBox).toEqual(mainBox);
      expect(frameBox?.y).toBe(barBox?.height);
      expect((frameBox?.y ?? 0) + (frameBox?.height ?? 0)).toBe(900);
    });
  });
});

test.describe('§2.1 routes, for a user', () => {
  test.use({ person: people.ben });

  test('show the same screens', async ({ page }) => {
    for (const [path, title, sign] of screens) {
      await page.goto(path);
      await expect(sign(page)).toBeVisible();
      await expect(page).toHaveTitle(`${title} · OpenSocial`);
    }
    await page.goto(await panelOf(page, 'northlab'));
    await expect(page.getByRole('dialog', { name: 'northlab' }).getByText('You are a member')).toBeVisible();
  });

  test('handle foreign networks, unknown paths and any product name', async ({ page }) => {
    await test.step('§2.2 a network that the user does not belong to, or with an impossible name, shows the permission-denied view', async () => {
      const foreign = (await panelOf(page, 'northlab')).replaceAll('northlab', 'southlab');
      for (const path of [
        foreign,
        '/opensocial/server/a%2Fb%20c/1/details',
        '/opensocial/server/northlab/x/details',
        '/sso-servers/north%20lab',
        '/sso-servers/a%2Fb',
        '/sso-servers/%25',
        '/sso-servers/%E0%A4%A',
        '/sso-servers/southlab/',
        '/sso-servers/southlab',
      ]) {
        await page.goto(path);
        await expect(page.getByText(denied)).toBeVisible();
        await expect(page.getByText('Please ask your server admin to give you the permission')).toBeVisible();
      }
      await expectScreenQuality(page);
    });

    await test.step('§2.1 routes, for a user: any other path shows the 404 page, and HOME opens the desktop', async () => {
      for (const path of [
        '/about/more',
        '/report',
        '/a/b/report',
        '/sso-servers/northlab/no-such-screen',
        '/opensocial/server/northlab/details',
        '/with%20space/and%2Fslash',
        '/..%2f..%2fetc%2fpasswd',
        '/index.html',
        '/no-such/%E0%A4%A',
      ]) {
        await page.goto(path);
        await expect(page.getByRole('heading', { name: lost })).toBeVisible();
        await expect(page.getByText('The page you are looking for does not exist.')).toBeVisible();
      }
      await page.getByRole('link', { name: 'HOME' }).click();
      await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
      await expect(page).toHaveURL(`${origin}/`);
    });

    await test.step('§2.1 routes, for a user: the product may have any name', async () => {
      for (const path of ['/my%20lims/report', '/a%2Fb/report']) {
        await page.goto(path);
        await expect(page.frameLocator('iframe').getByText('Nobody is signed in')).toBeVisible();
      }
    });
  });
});

test('§2.1 routes: all but /set-password need a session, and the sign-in returns to a deep link', async ({ page }) => {
  await signIn(page, people.ben, '/sso-servers?search=north&sort=-name');
  await expect(page.getByRole('link', { name: 'northlab', exact: true })).toBeVisible();
  await expect(page).toHaveURL(`${origin}/sso-servers?search=north&sort=-name`);
  const panel = await panelOf(page, 'northlab');
  for (const path of [
    '/',
    '/about',
    '/sso-servers/northlab/',
    panel,
    '/my%20lims/report',
    '/activity/no%2Fsuch%20line/details?x=%C3%A9',
    '/no/such%2Fplace?x=%C3%A9',
  ]) {
    // Pending calls would find the session gone and navigate elsewhere.
    await page.goto('about:blank');
    await page.context().clearCookies({ name: 'opensocial_session' });
    const asked = page.waitForRequest('**/server/saml/login?next=*');
    await page.goto(path, { waitUntil: 'commit' });
    await asked;
    await expect(page.getByRole('banner').getByText('Hi, Ben Ito')).toBeVisible();
    await expect(page).toHaveURL(`${origin}${path}`);
  }
  await expect(page.getByRole('heading', { name: lost })).toBeVisible();
});
