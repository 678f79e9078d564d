import type { Page } from '@playwright/test';
import { expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { people } from '../support/world.ts';

const overview = '/sso-servers/loglab/overview';

const toNumber = (text: string | null): number => Number((text ?? '').replaceAll(/\D/g, ''));

/** The number of a card at the top. */
const numberOf = async (page: Page, label: string) =>
  toNumber(await page.getByText(label, { exact: true }).locator('xpath=preceding-sibling::p').textContent());

/** The sums of the columns of the table. */
const sumsOf = async (page: Page) => {
  const rows = await page.getByRole('region', { name: 'Sign-ins as a table' }).getByRole('row').all();
  const sums = { succeeded: 0, failed: 0 };
  for (const row of rows.slice(1)) {
    const [succeeded, failed] = await row.getByRole('cell').allTextContents();
    sums.succeeded += toNumber(succeeded ?? '');
    sums.failed += toNumber(failed ?? '');
  }
  return { rows: rows.length - 1, ...sums };
};

test.describe('§2.17 the overview, for an owner', () => {
  test.use({ person: people.nia });

  test('is first in the menu, and shows the same numbers as a chart and as a table', async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveURL(/\/$/);
    const menu = page.getByRole('navigation', { name: 'Main' });
    await expect(menu.getByRole('link').first()).toHaveText('Overview');
    await menu.getByRole('link').first().click();
    await expect(page).toHaveURL(overview);
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeFocused();
    await page.getByText('90 days').click();
    await expect(page).toHaveURL(`${overview}?period=90d`);
    const chart = page.getByRole('img', { name: /^Bar chart/ });
    await expect(chart.locator('.recharts-bar-rectangle path').first()).toBeAttached();
    await expectScreenQuality(page);

    await page.getByRole('button', { name: 'Show as table' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Show as table' })).toHaveAttribute('aria-pressed', 'true');
    const sums = await sumsOf(page);
    expect(sums.rows).toBe(90);
    expect(sums.succeeded).toBeGreaterThan(0);
    expect(sums).toMatchObject({
      succeeded: await numberOf(page, 'successful sign-ins to sites'),
      failed: await numberOf(page, 'failed sign-ins to sites'),
    });
    await expectScreenQuality(page);
  });

  test('leads to the failed sign-ins, and to a site that was never used', async ({ page }) => {
    await page.goto(overview);
    const failures = page.getByRole('region', { name: 'Why sign-ins failed' });
    await expect(failures.getByRole('row', { name: /^Wrong password \d+$/ })).toBeVisible();
    await failures.getByRole('link', { name: 'Show in Activity' }).click();
    await expect(page).toHaveURL('/activity?status=Failed');
    await expect(page.getByRole('row', { name: /quiet\.loglab\.org/ }).first()).toBeVisible();
    await page.goto(overview);
    await page.getByRole('region', { name: 'Never used sites' }).getByRole('link', { name: 'gate.loglab.org' }).click();
    await expect(page).toHaveURL(/\/sites\/gate\.loglab\.org\/\d+\/sso$/);
  });
});

test.describe('§2.17 the overview, for a user', () => {
  test.use({ person: people.oli });

  test('is not shown', async ({ page }) => {
    await page.goto(overview);
    await expect(page.getByText("You don't have permission to access this server.")).toBeVisible();
    await expect(page.getByRole('link', { name: 'Overview' })).toHaveCount(0);
  });
});
