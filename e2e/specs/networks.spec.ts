import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectScreenQuality, signIn, test } from '../support/fixtures.ts';
import { row, searchField } from '../support/lists.ts';
import { longName, manyNetworks, origin, people } from '../support/world.ts';

const names = (page: Page) => page.getByRole('grid').locator('tr[data-index]').locator('a[title]').allInnerTexts();

test.describe('§2.4 networks list', () => {
  test.use({ person: people.ana });
  const open = async (page: Page) => {
    await page.goto('/sso-servers');
    await expect(page.getByText('2 of 2 servers')).toBeVisible();
  };

  test('shows, sorts, searches and switches networks', async ({ page }) => {
    await test.step('§2.4 networks list: shows its columns, the status as text and a check mark at the default network', async () => {
      await open(page);
      await expect(page.getByRole('heading', { name: 'Networks' })).toBeVisible();
      await expect(page.getByRole('columnheader')).toHaveText([
        'Status',
        'Server Name',
        'Your Default SSO Server',
        'Actions',
      ]);
      await expect(row(page, 'northlab').getByText('You are an owner')).toBeAttached();
      await expect(row(page, 'northlab').getByText('Your default server')).toBeAttached();
      await expect(row(page, 'opensocial').getByText('You are a member')).toBeAttached();
      await expect(row(page, 'opensocial').getByText('Your default server')).toHaveCount(0);
    });

    await test.step('§2.4 networks list: a click sorts by name, ascending and descending', async () => {
      await open(page);
      const header = page.getByRole('columnheader', { name: 'Server Name' });
      await header.getByRole('button').click();
      await expect(header).toHaveAttribute('aria-sort', 'ascending');
      await expect.poll(() => names(page)).toEqual(['northlab', 'opensocial']);
      await header.getByRole('button').click();
      await expect(header).toHaveAttribute('aria-sort', 'descending');
      await expect.poll(() => names(page)).toEqual(['opensocial', 'northlab']);
    });

    await test.step('§4 a search starts at two characters, and clearing it restores the list', async () => {
      await open(page);
      await searchField(page).fill('o');
      await expect(page.getByText('2 of 2 servers')).toBeVisible();
      await expect(page).toHaveURL(`${origin}/sso-servers`);
      await searchField(page).fill('oPe');
      await expect(page.getByText('1 of 1 servers')).toBeVisible();
      await expect.poll(() => names(page)).toEqual(['opensocial']);
      await page.reload();
      await expect(page.getByText('1 of 1 servers')).toBeVisible();
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await expect(page.getByText('2 of 2 servers')).toBeVisible();
      await page.goBack();
      await expect(searchField(page)).toHaveValue('oPe');
    });

    await test.step("§2.4 networks list: shows 'There is no record in database' if nothing matches", async () => {
      await open(page);
      await searchField(page).fill('%_');
      await expect(page.getByText('There is no record in database')).toBeVisible();
      await expect(page.getByText('0 of 0 servers')).toBeVisible();
      await expectScreenQuality(page);
      await page.getByRole('button', { name: 'Show all' }).click();
      await expect(page.getByText('2 of 2 servers')).toBeVisible();
    });

    await test.step("§2.4 networks list: 'Switch to a different network' opens a dialog in which Enter opens the first match", async () => {
      await open(page);
      await page.getByRole('button', { name: 'Switch to a different network' }).click();
      await expect(page.getByRole('option')).toHaveCount(2);
      await expectScreenQuality(page);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
      await expect(page).toHaveURL(`${origin}/sso-servers/northlab`);
    });
  });

  test('handles a failed load, loading and an expired session', async ({ page }) => {
    await test.step('§2.4 networks list: keeps its columns during loading, also on a phone', async () => {
      await open(page);
      const size = page.viewportSize();
      await page.setViewportSize({ width: 390, height: 844 });
      const places = () =>
        page
          .getByRole('columnheader')
          .evaluateAll((headers) => headers.map((header) => header.getBoundingClientRect().x));
      const loaded = await places();
      await page.route('**/server/sso/servers/**', () => {});
      await page.reload();
      await expect(page.getByText('Loading Networks')).toBeAttached();
      await expect.poll(places).toEqual(loaded);
      if (size) await page.setViewportSize(size);
      await page.unrouteAll();
    });

    await test.step('§2.2 a failed load shows the error panel and a toast', async () => {
      await open(page);
      let isFailing = true;
      await page.route('**/server/sso/servers/**', (route) =>
        isFailing
          ? route.fulfill({ status: 400, json: { message: 'Not today.', code: 'bad_request' } })
          : route.continue(),
      );
      await page.reload();
      await expect(
        page.getByText('Something went wrong with the SSO Server. Please try again or report an issue to support'),
      ).toBeVisible();
      await expect(page.getByText('Not today.')).toBeVisible();
      await expectScreenQuality(page);
      isFailing = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByText('2 of 2 servers')).toBeVisible();
      await page.unrouteAll();
    });

    await test.step("§8 'auth_required' sends the user to logout", async () => {
      await open(page);
      await page.waitForLoadState('networkidle');
      await page.context().clearCookies();
      await searchField(page).fill('north');
      await page.waitForURL('**/server/saml/logout');
    });
  });
});

test('§2.4 networks list: a name selects that network and opens its desktop; the lock makes it the default', async ({
  page,
}) => {
  await signIn(page, people.emil, '/sso-servers');
  await page.getByRole('link', { name: 'southlab', exact: true }).click();
  await expect(page.getByText('Sorry! no apps found')).toBeVisible();
  await expect(page).toHaveURL(`${origin}/sso-servers/southlab`);
  await page.goto('/sso-servers');
  await expect(page.getByRole('button', { name: 'Network southlab' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'northlab is your default server' })).toBeDisabled();

  await page.getByRole('button', { name: 'Set southlab as default' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm setting default server' });
  await expect(question.getByText('Do you want to set this as default server?')).toBeVisible();
  await question.getByRole('button', { name: 'Set as default' }).click();
  await expect(row(page, 'southlab').getByText('Your default server')).toBeAttached();
  await expect(row(page, 'northlab').getByText('Your default server')).toHaveCount(0);
  await expect(row(page, 'southlab')).toBeFocused();

  await page.getByRole('link', { name: 'northlab', exact: true }).click();
  await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
  await page.goto('/');
  await expect(page.getByText('Sorry! no apps found')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Network southlab' })).toBeVisible();
});

test.describe('§7 new network', () => {
  test.use({ person: people.ona });

  test('is created by an owner of the main network, and a name can be used once', async ({ page }) => {
    await page.goto('/sso-servers');
    await page.getByRole('button', { name: 'New network' }).click();
    await page.getByLabel('Name').fill('Lab of Labs');
    await page.getByRole('button', { name: 'Create network' }).click();
    await expect(page.getByText('Enter 2 to 63 lower-case letters, digits and hyphens')).toBeVisible();
    await expect(page.getByText('This field is required')).toBeVisible();
    await expectScreenQuality(page);
    await page.getByLabel('Name').fill('southlab');
    await page.getByLabel('Owner email').fill('head@lab-of-labs.org');
    await page.getByRole('button', { name: 'Create network' }).click();
    await expect(page.getByText('A network of this name already exists.')).toBeVisible();
    await page.getByLabel('Name').fill('lab-of-labs');
    await page.getByRole('button', { name: 'Create network' }).click();
    await expect(page.getByText('Network lab-of-labs created, invitation sent')).toBeVisible();
    await expectAccessible(page);
    await expect(page.getByRole('button', { name: 'New network' })).toBeFocused();
  });
});

test.describe('§2.4 thousands of networks', () => {
  test.use({ person: people.dora });
  const total = manyNetworks + 1;

  test('are opened, scrolled, searched, sorted and switched to', async ({ page }) => {
    await test.step('§2.4 thousands of networks: are opened, scrolled to the end and searched', async () => {
      await page.goto('/sso-servers');
      await expect(page.getByText(`300 of ${total.toLocaleString('en')} servers`)).toBeVisible();
      await searchField(page).press('ArrowDown');
      for (let loaded = 300; loaded < total; loaded += 300) {
        await page.keyboard.press('End');
        await expect(
          page.getByText(
            `${Math.min(loaded + 300, total).toLocaleString('en')} of ${total.toLocaleString('en')} servers`,
          ),
        ).toBeVisible();
      }
      await page.keyboard.press('End');
      await expect(row(page, longName)).toBeFocused();
      await expect(row(page, longName)).toBeInViewport({ ratio: 1 });
      expect(await page.getByRole('row').count()).toBeLessThan(60);
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(900);
      await page.getByRole('grid').evaluate((grid) => grid.parentElement?.scrollTo({ top: grid.scrollHeight / 2 }));
      // Once the scroll bar rests, six rows above and six below those in view are rendered too.
      await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(24);
      await searchField(page).fill('lab-49');
      await expect(page.getByText('99 of 99 servers')).toBeVisible();
      await searchField(page).fill('longest');
      await expect(page.getByText('1 of 1 servers')).toBeVisible();
      await expectScreenQuality(page);
    });

    await test.step('§2.4 thousands of networks: are sorted as a whole', async () => {
      await page.goto('/sso-servers?sort=-name');
      await expect(page.getByText(`300 of ${total.toLocaleString('en')} servers`)).toBeVisible();
      expect((await names(page)).slice(0, 2)).toEqual([longName, 'northlab']);
    });

    await test.step('§2.4 thousands of networks: are found by the switcher, and a long name fits', async () => {
      await page.goto('/about');
      await page.getByRole('button', { name: 'Network northlab' }).click();
      await expect(page.getByRole('option')).toHaveCount(50);
      await page.keyboard.type('longest');
      await expect(page.getByRole('option')).toHaveText([longName]);
      await expectScreenQuality(page);
    });
  });
});
