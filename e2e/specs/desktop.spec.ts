import { expect, expectAccessible, expectFitsPhone, test } from '../support/fixtures.ts';
import { people } from '../support/world.ts';

test.describe('§2.3 desktop, for an admin', () => {
  test.use({ person: people.ana });
  test('shows all apps, is searched and accessible', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();

    await test.step('§2.3 desktop, for an admin: shows all apps of the network', async () => {
      await expect(page.getByRole('link', { name: 'Board Room' })).toBeVisible();
    });

    await test.step('§2.3 desktop, for an admin: a tile shows its picture, icon or letter, and its name in its own colours', async () => {
      const reports = page.getByRole('link', { name: 'Reports' });
      await expect(reports.locator('img')).toHaveAttribute('src', /^data:image\/svg\+xml/);
      expect((await reports.locator('img').boundingBox())?.width).toBe(61);
      await expect(reports.locator('img').locator('..')).toHaveCSS('background-color', 'rgb(237, 233, 254)');
      await expect(page.getByRole('link', { name: 'Sample Tracker' }).getByText('S', { exact: true })).toBeVisible();
      const board = page.getByRole('link', { name: 'Board Room' });
      await expect(board.getByText('Board Room')).toHaveCSS('color', 'rgb(76, 29, 149)');
      await expect(board.getByText('Board Room')).toHaveCSS('background-color', 'rgb(237, 233, 254)');
    });

    await test.step('§2.3 desktop, for an admin: the search box filters tiles by name, case-insensitive', async () => {
      await page.keyboard.press('/');
      await page.keyboard.type('rEPo');
      await expect(page.getByRole('link', { name: 'Reports' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'LIMS Core' })).toHaveCount(0);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
    });

    await test.step("§2.3 desktop, for an admin: an empty list shows 'Sorry! no apps found'", async () => {
      await page.getByRole('textbox', { name: 'Search apps' }).fill('nothing is called this');
      await expect(page.getByText('Sorry! no apps found')).toBeVisible();
      await expectAccessible(page);
    });

    await test.step('§2.3 desktop, for an admin: is also accessible on a phone', async () => {
      await page.getByRole('textbox', { name: 'Search apps' }).fill('');
      await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
      await expectFitsPhone(page);
      await expectAccessible(page);
    });
  });
});

test.describe('§2.3 desktop, for a user', () => {
  test.use({ person: people.ben });

  test('shows only the allowed apps', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Board Room' })).toHaveCount(0);
  });
});

test.describe('§2.3 favourites', () => {
  test.use({ person: people.abe });

  test('are chosen with the star of a tile, and follow the person to other browsers', async ({
    page,
    browser,
    enter,
  }) => {
    const favourites = page.getByRole('region', { name: 'Favourites' });
    const allApps = page.getByRole('region', { name: 'All apps' });
    await page.goto('/');
    const tile = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Reports' }) });
    const star = tile.getByRole('button', { name: 'Add Reports to favourites' });

    await test.step('§2.3 favourites: the star appears when the tile has the pointer or the keyboard focus', async () => {
      await expect(star).toHaveCSS('opacity', '0');
      await tile.hover();
      await expect(star).toHaveCSS('opacity', '1');
      await page.mouse.move(0, 0);
      await page.keyboard.press('/');
      await expect(star).toHaveCSS('opacity', '0');
      await star.focus();
      await expect(star).toHaveCSS('opacity', '1');
    });

    await test.step('§2.3 favourites: they are listed first, and the keyboard stays in its place', async () => {
      const saved = page.waitForResponse(/desktop_favourite/);
      await page.keyboard.press('Enter');
      await expect(favourites.getByRole('link')).toHaveText([/Reports/]);
      await expect(allApps.getByRole('button', { name: 'Remove Reports from favourites' })).toBeFocused();
      expect((await saved).ok()).toBe(true);
      await allApps.getByRole('link', { name: 'LIMS Core' }).focus();
      await page.keyboard.press('Home');
      await expect(favourites.getByRole('link', { name: 'Reports' })).toBeFocused();
      await expectAccessible(page);
    });

    await test.step('§2.3 favourites: a search lists each app once', async () => {
      await page.getByRole('textbox', { name: 'Search apps' }).fill('reports');
      await expect(page.getByRole('link', { name: 'Reports' })).toHaveCount(1);
      await page.keyboard.press('Escape');
    });

    await test.step('§2.3 favourites: another browser shows them, also on a phone with a touch screen', async () => {
      const other = await browser.newContext({ storageState: await enter(people.abe), hasTouch: true, isMobile: true });
      const phone = await other.newPage();
      await phone.goto('/');
      const shown = phone.getByRole('region', { name: 'Favourites' });
      await expect(shown.getByRole('button', { name: 'Remove Reports from favourites' })).toHaveCSS('opacity', '1');
      await expectFitsPhone(phone);
      await expectAccessible(phone);
      await other.close();
    });

    await test.step('§2.3 favourites: without favourites, the section is gone', async () => {
      await favourites.getByRole('button', { name: 'Remove Reports from favourites' }).click();
      await expect(page.getByRole('link', { name: 'Reports' })).toHaveCount(1);
      await expect(favourites).toHaveCount(0);
      await page.reload();
      await expect(page.getByRole('link', { name: 'Reports' })).toHaveCount(1);
    });
  });
});

test.describe('§2.3 desktop, of a network without apps', () => {
  test.use({ person: people.cleo });

  test('shows the empty text', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByText('Sorry! no apps found')).toBeVisible();
  });
});

test.describe('§1 the start', () => {
  test('shows a spinner, and the error panel if the server fails', async ({ page }) => {
    await test.step('§1 the start: a full-page spinner shows until the session loads', async () => {
      let answer: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/server/getsession', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto('/');
      await expect(page.getByRole('heading', { name: 'Loading' })).toBeAttached();
      await expect(page.locator('.full-page-spinner')).toBeVisible();
      answer();
      await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
      await page.unrouteAll();
    });

    await test.step('§2.2 a failing server shows the error panel, and trying again works', async () => {
      let isFailing = true;
      await page.route('**/server/getsession', (route) =>
        isFailing ? route.fulfill({ status: 503, body: '{}' }) : route.continue(),
      );
      await page.goto('/');
      await expect(
        page.getByText('Something went wrong with the SSO Server. Please try again or report an issue to support'),
      ).toBeVisible();
      await expectAccessible(page);
      await expectFitsPhone(page);
      isFailing = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
    });
  });
});

test.describe('§4 route guard', () => {
  test.use({ person: people.ben });

  test('an expired session redirects to the sign-in', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await page.context().clearCookies();
    await page.reload();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  });
});
