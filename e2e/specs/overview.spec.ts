import type { Locator, Page } from '@playwright/test';
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
    await expect(page).toHaveURL(/\/activity\?status=Failed&time=/);
    await expect(page.getByRole('row', { name: /quiet\.loglab\.org/ }).first()).toBeVisible();
    await page.goto(overview);
    await page.getByRole('region', { name: 'Never used sites' }).getByRole('link', { name: 'gate.loglab.org' }).click();
    await expect(page).toHaveURL(/\/sites\/gate\.loglab\.org\/\d+\/sso$/);
  });
});

/** Follows a link to a list, and returns how many rows the counter of the list says there are. */
const countBehind = async (page: Page, address: string, noun: string): Promise<number> => {
  await page.goto(address);
  const counter = page.getByText(new RegExp(`^[\\d,.]+ of [\\d,.]+ ${noun}$`));
  await expect(counter).toBeVisible();
  return toNumber(/of (.*)$/.exec((await counter.textContent()) ?? '')?.[1] ?? '');
};

const networks = [
  { person: people.nia, server: 'loglab', failedLabel: 'failed sign-ins to sites' },
  { person: people.ona, server: 'opensocial', failedLabel: 'failed sign-ins to this console and to sites' },
];

for (const { person, server, failedLabel } of networks)
  test.describe(`§2.17 the numbers of the overview of ${server}`, () => {
    test.use({ person });

    for (const period of ['24h', '7d', '30d', '90d'])
      test(`are those of the lists that they lead to, for ${period}`, async ({ page }) => {
        await page.goto(`/sso-servers/${server}/overview?period=${period}`);
        const failures = page.getByRole('region', { name: 'Why sign-ins failed' });
        await expect(
          failures
            .getByRole('row')
            .or(failures.getByText(/^Nobody failed/))
            .first(),
        ).toBeAttached();
        const addressOf = async (link: Locator) => (await link.getAttribute('href')) ?? '';
        const linked = [
          {
            address: await addressOf(failures.getByRole('link', { name: 'Show in Activity' })),
            lines: await numberOf(page, failedLabel),
          },
        ];
        for (const row of await failures
          .getByRole('row')
          .filter({ has: page.getByRole('link') })
          .all())
          linked.push({
            address: await addressOf(row.getByRole('link')),
            lines: toNumber(await row.getByRole('cell').last().textContent()),
          });
        for (const { address, lines } of linked) {
          // The list without a line has no counter.
          if (lines === 0) {
            await page.goto(address);
            await expect(page.getByText('There is no item in database')).toBeVisible();
          } else expect([address, await countBehind(page, address, 'logs')]).toEqual([address, lines]);
        }
      });

    test('include the pending invitations of the list of users', async ({ page }) => {
      await page.goto(`/sso-servers/${server}/overview`);
      await expect(
        page.getByText('No invitation is pending').or(page.getByText(/pending invitations?$/)),
      ).toBeVisible();
      const members = await numberOf(page, 'people');
      const pending = page.getByRole('link', { name: /pending invitations?$/ });
      const hasPending = (await pending.count()) > 0;
      const [address, count] = hasPending
        ? [await pending.getAttribute('href'), toNumber(await pending.textContent())]
        : ['', 0];
      expect(await countBehind(page, `/sso-servers/${server}/users`, 'users')).toBe(members);
      if (hasPending) expect(await countBehind(page, address ?? '', 'users')).toBe(count);
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
