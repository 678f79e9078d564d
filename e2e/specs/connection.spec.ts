import { expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { people } from '../support/world.ts';

const notice = /^The connection is lost\./;

test.describe('a lost connection', () => {
  test.use({ person: people.ona });

  test('is shown until it recovers, and the input is kept', async ({ page, context }) => {
    await page.goto('/sso-servers');
    await page.getByRole('button', { name: 'New network' }).click();
    await page.getByLabel('Name').fill('farlab');
    await page.getByLabel('Owner email').fill('head@farlab.org');
    await context.setOffline(true);
    await expect(page.getByText(notice)).toBeVisible();
    await expectScreenQuality(page);
    await page.getByRole('button', { name: 'Create network' }).click();
    await expect(page.getByLabel('Name')).toHaveValue('farlab');
    await context.setOffline(false);
    await expect(page.getByText(notice)).toHaveCount(0);
    await expect(page.getByText('Network farlab created, invitation sent')).toBeVisible();
  });

  test('is noticed if the server is gone while the browser is online', async ({ page }) => {
    let isGone = false;
    await page.route(/\/(server|healthz)/, (route) => (isGone ? route.abort('connectionrefused') : route.continue()));
    await page.goto('/sso-servers');
    await expect(page.getByRole('link', { name: 'northlab', exact: true })).toBeVisible();
    isGone = true;
    await page.getByRole('textbox', { name: 'Search' }).fill('open');
    await expect(page.getByText(notice)).toBeVisible();
    isGone = false;
    await expect(page.getByText(notice)).toHaveCount(0);
    await expect(page.getByText('1 of 1 servers')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Search' })).toHaveValue('open');
  });
});
