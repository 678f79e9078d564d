import { expect, expectAccessible, expectFitsPhone, signIn, test } from './fixtures.ts';
import { origin, people } from './world.ts';

test.describe('§2.3 desktop', () => {
  test('an admin sees the whole desktop of the network, a user what is allowed to them', async ({ page, browser }) => {
    await signIn(page, people.ana);
    await expect(page.getByRole('link', { name: 'Board Room' })).toBeVisible();
    await expect(page.getByText('Server admin')).toBeVisible();
    const context = await browser.newContext();
    const other = await context.newPage();
    await signIn(other, people.ben, origin);
    await expect(other.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
    await expect(other.getByRole('link', { name: 'Board Room' })).toHaveCount(0);
    await context.close();
  });

  test('the search box filters tiles by name, case-insensitive', async ({ page }) => {
    await signIn(page, people.ana);
    await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
    await page.keyboard.press('/');
    await page.keyboard.type('rEPo');
    await expect(page.getByRole('link', { name: 'Reports' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'LIMS Core' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
  });

  test("an empty list shows 'Sorry! no apps found'", async ({ page }) => {
    await signIn(page, people.ana);
    await page.getByRole('textbox', { name: 'Search apps' }).fill('nothing is called this');
    await expect(page.getByText('Sorry! no apps found')).toBeVisible();
    await expectAccessible(page);
  });

  test('a network without apps says so too', async ({ page }) => {
    await signIn(page, people.cleo);
    await expect(page.getByText('Sorry! no apps found')).toBeVisible();
  });

  test('is accessible and fits a phone', async ({ page }) => {
    await signIn(page, people.ana);
    await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
    await expectAccessible(page);
    await expectFitsPhone(page);
    await expectAccessible(page);
  });
});

test.describe('§1 the start', () => {
  test('a full-page spinner shows until the session loads', async ({ page }) => {
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
  });

  test('§2.2 a server that fails shows the error panel, and trying again helps', async ({ page }) => {
    let isAway = true;
    await page.route('**/server/getsession', (route) =>
      isAway ? route.fulfill({ status: 503, body: '{}' }) : route.continue(),
    );
    await page.goto('/');
    await expect(
      page.getByText('Something went wrong with the SSO Server. Please try again or report an issue to support'),
    ).toBeVisible();
    await expectAccessible(page);
    await expectFitsPhone(page);
    isAway = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  });

  test('§2.1 any other path is the 404 page with a HOME button', async ({ page }) => {
    await signIn(page, people.ana, '/this/is/not/there');
    await expect(page.getByText("UH OH! You're lost.")).toBeVisible();
    await expectAccessible(page);
    await expectFitsPhone(page);
    await page.getByRole('link', { name: 'HOME' }).click();
    await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
  });

  test('a session that ends meanwhile leads to the sign-in', async ({ page }) => {
    await signIn(page, people.ben);
    await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
    await page.context().clearCookies();
    await page.reload();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  });
});
