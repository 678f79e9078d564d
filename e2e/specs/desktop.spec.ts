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
      await expect.poll(async () => (await reports.locator('img').boundingBox())?.width).toBe(61);
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

test.describe('§2.3 sections of a person', () => {
  test.use({ person: people.gus });

  test('are arranged by keyboard, and two browsers do not overwrite each other', async ({ page, browser, enter }) => {
    const dialogOf = (on: typeof page) => on.getByRole('dialog', { name: 'Arrange your desktop' });
    const tilesIn = (on: typeof page, section: string) =>
      on.getByRole('region', { name: section, exact: true }).getByRole('link');
    await page.goto('/');

    await test.step('§2.3 arrange: a section is made, filled and ordered by keyboard', async () => {
      await page.getByRole('button', { name: 'Arrange' }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('textbox', { name: 'New section' })).toBeFocused();
      await page.keyboard.type('Data analysis');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('combobox', { name: 'Add apps to Data analysis' })).toBeFocused();
      for (const name of ['LIMS', 'Reports']) {
        await page.keyboard.type(name);
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
      }
      await page.keyboard.press('Escape');
      await expectAccessible(page);
      const apps = page.getByRole('list', { name: 'Apps in Data analysis' }).getByRole('listitem');
      await expect(apps).toHaveText([/LIMS Core/, /Reports/]);
      await page.getByRole('button', { name: 'Move Reports up' }).focus();
      await page.keyboard.press('Enter');
      await expect(apps).toHaveText([/Reports/, /LIMS Core/]);
      await expect(page.getByRole('button', { name: 'Move Reports up' })).toBeFocused();
      await page.getByRole('button', { name: 'Save' }).focus();
      await page.keyboard.press('Enter');
      await expect(dialogOf(page)).toHaveCount(0);
      await expect(page.getByRole('button', { name: 'Arrange' })).toBeFocused();
      await expect(tilesIn(page, 'Data analysis')).toHaveText([/Reports/, /LIMS Core/]);
      await expect(tilesIn(page, 'Other apps').filter({ hasText: 'Reports' })).toHaveCount(0);
      await expectAccessible(page);
    });

    const other = await browser.newContext({ storageState: await enter(people.gus), hasTouch: true, isMobile: true });
    const phone = await other.newPage();

    await test.step('§2.3 arrange: a phone shows the sections, and edits them by touch', async () => {
      await phone.goto('/');
      await expect(tilesIn(phone, 'Data analysis')).toHaveText([/Reports/, /LIMS Core/]);
      await page.getByRole('button', { name: 'Arrange' }).click();
      await page.getByRole('textbox', { name: 'Section name' }).fill('Analysis');
      await phone.getByRole('button', { name: 'Arrange' }).tap();
      await phone.getByRole('button', { name: 'More for LIMS Core' }).tap();
      await phone.getByRole('menuitem', { name: 'Remove from this section' }).tap();
      await expectFitsPhone(phone);
      await expectAccessible(phone);
      await phone.getByRole('button', { name: 'Save' }).tap();
      await expect(dialogOf(phone)).toHaveCount(0);
      await expect(tilesIn(phone, 'Data analysis')).toHaveText([/Reports/]);
    });

    await test.step('§2.3 arrange: the browser that saves later keeps its input, and decides', async () => {
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('You have changed your sections in another browser')).toBeVisible();
      await expect(page.getByRole('textbox', { name: 'Section name' })).toHaveValue('Analysis');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save mine anyway' }).click();
      await expect(tilesIn(page, 'Analysis')).toHaveText([/Reports/, /LIMS Core/]);
    });

    await test.step('§2.3 sections: a collapsed one is collapsed in other browsers', async () => {
      const saved = page.waitForResponse(/desktop_section\//);
      await page.getByRole('button', { name: 'Analysis' }).click();
      await expect(page.getByRole('link', { name: 'Reports' })).toHaveCount(0);
      expect((await saved).ok()).toBe(true);
      await phone.reload();
      await expect(phone.getByRole('button', { name: 'Analysis' })).toHaveAttribute('aria-expanded', 'false');
      await expect(tilesIn(phone, 'Analysis')).toHaveCount(0);
    });

    await test.step('§2.3 sections: a search finds apps of a collapsed section, once each', async () => {
      await page.getByRole('textbox', { name: 'Search apps' }).fill('reports');
      await expect(page.getByRole('link', { name: 'Reports' })).toHaveCount(1);
      await page.keyboard.press('Escape');
    });

    await test.step('§2.3 arrange: a section is deleted, brought back, and deleted for good', async () => {
      await phone.getByRole('button', { name: 'Arrange' }).tap();
      await phone.getByRole('button', { name: 'Delete Analysis' }).tap();
      await phone.getByRole('button', { name: 'Undo' }).tap();
      await phone.getByRole('button', { name: 'Delete Analysis' }).tap();
      await phone.getByRole('button', { name: 'Save' }).tap();
      await expect(phone.getByRole('region')).toHaveCount(0);
      await expect(phone.getByRole('link', { name: 'Reports' })).toHaveCount(1);
      await other.close();
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
