import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectForEveryone, test } from '../support/fixtures.ts';
import { crowdLines, origin, people } from '../support/world.ts';

const activity = '/activity';
const quiet = `${activity}?site=quiet.loglab`;
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name });
const panel = (page: Page) => page.getByRole('dialog').first();
const firstRow = (page: Page) => page.locator('tr[data-index="0"]');
const openFilters = (page: Page) => page.getByRole('button', { name: 'filter by' }).click();

test.describe('§2.13 activity, for an owner', () => {
  test.use({ person: people.nia, timezoneId: 'America/New_York' });

  test('is read, searched, scrolled, exported, and says when there is nothing', async ({ page }) => {
    await test.step('§2.13 activity, for an owner: columns, icons with their words, the time in the viewer’s zone, ordered by last_login; the site sorts', async () => {
      await page.goto('/');
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity' }).click();
      await expect(page).toHaveURL(`${origin}${activity}`);
      await expect(page.getByRole('heading', { name: 'Activity' })).toBeFocused();
      await page.goto(`${activity}?search=loglab.org`);
      await expect(page.getByRole('columnheader')).toHaveText([
        'Status',
        'Site',
        'Email',
        'IP Address',
        'Time',
        'Actions',
      ]);
      await expect(row(page, /^Success quiet/)).toContainText(people.oli.email);
      await expect(row(page, /^Failed quiet/)).toContainText('2001:db8::7');
      const times = await page
        .locator('tbody time')
        .evaluateAll((all) => all.map((time) => [time.getAttribute('datetime') ?? '', time.textContent] as const));
      expect(times.map(([moment]) => moment)).toEqual(
        times
          .map(([moment]) => moment)
          .toSorted()
          .toReversed(),
      );
      for (const [moment, text] of times.slice(0, 3)) {
        expect(text).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d{1,2}:\d\d (am|pm)$/);
        const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'America/New_York' });
        expect(text?.slice(17)).toBe(clock.format(new Date(moment)).replace(/\s/, ' ').toLowerCase());
      }
      await page.getByRole('button', { name: 'Site' }).click();
      await expect(page).toHaveURL(/sort=site/);
      await expect(page.getByRole('columnheader', { name: 'Site' })).toHaveAttribute('aria-sort', 'ascending');
      await page.goto(`${activity}?sort=-site`);
      await expect(firstRow(page)).toContainText('quiet.loglab.org');
      await page.goto(activity);
      await expect(page.getByText('Lines are kept for at least 400 days.')).toBeVisible();
      await expectForEveryone(page);
    });

    await test.step('§2.13 activity, for an owner: a search box with a clear button, a status filter with a pill, and an advanced search by site and dates', async () => {
      await page.goto(`${activity}?search=${people.oli.email}`);
      await expect(page.getByText('2 of 2 logs')).toBeVisible();
      await expect(page.getByPlaceholder('Search')).toHaveValue(people.oli.email);
      await openFilters(page);
      await expect(page.getByRole('group', { name: 'login status' }).getByRole('radio')).toHaveCount(2);
      await expectForEveryone(page);
      await page.getByRole('radio', { name: 'failed' }).click();
      await expect(page.getByText('1 of 1 logs')).toBeVisible();
      await expect(page).toHaveURL(/status=Failed/);
      await page.getByRole('button', { name: 'Remove the filter login status: failed' }).click();
      await expect(page.getByText('2 of 2 logs')).toBeVisible();
      await page.goBack();
      await expect(page.getByText('1 of 1 logs')).toBeVisible();
      await page.getByRole('button', { name: 'Clear' }).click();
      await expect(page).not.toHaveURL(/search=/);
      await openFilters(page);
      await expect(page.getByText('advanced search')).toBeVisible();
      await page.getByLabel('Site', { exact: true }).fill('quiet');
      await page.getByRole('button', { name: 'Today' }).click();
      await page.getByLabel('From').fill('2020-01-01');
      await page.getByRole('button', { name: 'apply filter' }).click();
      await expect(page.getByText('1 of 1 logs')).toBeVisible();
      await expect(page).toHaveURL(/site=quiet&time=2020-01-01%2C/);
      await page.reload();
      await expect(page.getByText('1 of 1 logs')).toBeVisible();
      await openFilters(page);
      await page.getByRole('button', { name: 'clear filter' }).click();
      await expect(page).toHaveURL(`${origin}${activity}`);
    });

    await test.step('§2.13 activity, for an owner: further lines come as one scrolls, and the counter tells how many there are', async () => {
      await page.goto(`${activity}?site=crowd`);
      await expect(page.getByText(`300 of ${crowdLines} logs`)).toBeVisible();
      const list = page.getByRole('grid', { name: 'Activity' });
      await list.evaluate((grid) => grid.parentElement?.scrollTo({ top: 1e6 }));
      await expect(page.getByText(`600 of ${crowdLines} logs`)).toBeVisible();
      await list.evaluate((grid) => grid.parentElement?.scrollTo({ top: 1e6 }));
      await expect(page.getByText(`${crowdLines} of ${crowdLines} logs`)).toBeVisible();
    });

    await test.step('§2.13 activity, for an owner: the filtered log is a file', async () => {
      await page.goto(`${quiet}&status=Failed`);
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export CSV' }).click();
      const file = await downloading;
      expect(file.suggestedFilename()).toBe('activity-loglab.csv');
      const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
      expect(lines).toHaveLength(2);
      expect(lines[1]).toContain(`,Failed,quiet.loglab.org,${people.oli.email},2001:db8::7,wrong password,`);
    });

    await test.step('§2.13 activity, for an owner: a spinner while it loads, words where there is nothing, and the went-wrong panel', async () => {
      let answer = () => {};
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/server/sso/activity/loglab/**', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${activity}?search=nobody-at-all`);
      await expect(page.locator('.mantine-Loader-root')).toBeVisible();
      answer();
      await expect(page.getByText('There is no item in database')).toBeVisible();
      await expect(page.locator('.mantine-Loader-root')).toHaveCount(0);
      await page.unroute('**/server/sso/activity/loglab/**');
      await page.route('**/server/sso/activity/loglab/**', (route) =>
        route.fulfill({ status: 500, json: { message: 'Out of order', code: 'internal' } }),
      );
      await page.goto(activity);
      await expect(
        page.getByText('Something went wrong with the SSO Server. Please try again or report an issue to support'),
      ).toBeVisible({ timeout: 15_000 });
    });
  });

  test('a line has its details, also in the panels of a site and of a user', async ({ page }) => {
    await test.step('§2.13 activity, for an owner: the details arrow opens all that is known of a line, at an address of its own', async () => {
      await page.goto(quiet);
      await page
        .getByRole('link', { name: `Details of ${people.oli.email} at quiet.loglab.org` })
        .first()
        .click();
      await expect(page).toHaveURL(/\/activity\/\d+\/details\?site=quiet/);
      for (const text of [
        'Signed in with the password.',
        'Oli Novak',
        'Firefox on Windows',
        'Code from an authenticator app',
        'Ended',
        '(America/New_York)',
      ])
        await expect(panel(page).getByText(text)).toBeVisible();
      await expectForEveryone(page);
      await page.reload();
      await panel(page).getByRole('button', { name: 'Close the panel' }).click();
      await expect(page).toHaveURL(`${origin}${quiet}`);
      await row(page, /^Failed quiet/).click();
      await expect(panel(page).getByText('The password was wrong.')).toBeVisible();
      await panel(page).getByRole('link', { name: 'quiet.loglab.org' }).click();
      await expect(page).toHaveURL(/\/sso-servers\/loglab\/sites\/quiet\.loglab\.org\/\d+\/details$/);
      await page.goBack();
      await panel(page).getByRole('link', { name: 'Oli Novak' }).click();
      await expect(panel(page).getByText('account active')).toBeVisible();
      await page.goto(`${activity}/999999/details`);
      await expect(panel(page).getByText('This line is not in the log')).toBeVisible();
    });

    await test.step('§2.7 §2.8 the Activity tabs of a site and of a user search, filter and count', async () => {
      await page.goto('/sso-servers/loglab/sites?search=quiet');
      await row(page, 'quiet.loglab.org').click();
      await panel(page).getByRole('link', { name: 'Activity' }).click();
      await expect(panel(page).getByRole('columnheader')).toHaveText([
        'Status',
        'Email',
        'IP Address',
        'Time',
        'Actions',
      ]);
      await panel(page).getByPlaceholder('Search').fill('2001:db8');
      await expect(panel(page).getByText('1 of 1 logs')).toBeVisible();
      // A line opens inside the panel, and leads back.
      await panel(page)
        .getByRole('row', { name: /2001:db8/ })
        .click();
      await expect(panel(page).getByText('Reason', { exact: true })).toBeVisible();
      await expect(panel(page).getByRole('heading', { name: 'quiet.loglab.org' })).toBeVisible();
      await panel(page).getByRole('link', { name: 'Back to the log' }).click();
      await expect(panel(page).getByRole('columnheader', { name: 'IP Address' })).toBeVisible();
      await page.goto(`/sso-servers/loglab/users?search=${people.oli.email}`);
      await row(page, people.oli.email).click();
      await panel(page).getByRole('link', { name: 'Activity' }).click();
      await expect(panel(page).getByRole('columnheader')).toHaveText([
        'Status',
        'Site',
        'IP Address',
        'Time',
        'Actions',
      ]);
      await expect(panel(page).getByText('2 of 2 logs')).toBeVisible();
      await panel(page).getByRole('button', { name: 'filter by' }).click();
      await page.getByRole('radio', { name: 'success' }).click();
      await expect(panel(page).getByText('1 of 1 logs')).toBeVisible();
      await panel(page).getByRole('button', { name: 'filter by' }).click();
      await expect(page.getByRole('group', { name: 'Date within' })).toBeVisible();
      await page.getByLabel('From').fill('2020-01-01');
      await page.getByLabel('To', { exact: true }).fill('2020-01-02');
      await page.getByRole('button', { name: 'apply filter' }).click();
      await expect(panel(page).getByText('There is no item in database')).toBeVisible();
      await panel(page).getByRole('button', { name: 'filter by' }).click();
      await page.getByRole('button', { name: 'clear filter' }).click();
      await expect(panel(page).getByText('2 of 2 logs')).toBeVisible();
      await panel(page).getByPlaceholder('Search').fill('nowhere');
      await expect(panel(page).getByText('Nothing matches “nowhere”.')).toBeVisible();
    });
  });

  test('followed, it grows by itself; paused, it counts what is new', async ({ page, browser }) => {
    await page.goto('/sso-servers/loglab/sites?search=gate');
    const [, id] =
      /\/(\d+)\/details/.exec(
        (await page.getByRole('link', { name: /^Details of gate/ }).getAttribute('href')) ?? '',
      ) ?? [];
    const strangers = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const door = await strangers.newPage();
    const knock = async (email: string) => {
      await door.goto(`${origin}/saml/loglab/start/${id}`);
      await door.getByLabel('Email').fill(email);
      await door.getByLabel('Password', { exact: true }).fill('none of ours');
      await door.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(door.getByRole('alert')).toBeVisible();
    };
    await page.goto(`${activity}?site=gate&status=Failed`);
    await expect(page.getByText('There is no item in database')).toBeVisible();
    await page.getByRole('button', { name: 'Follow' }).click();
    await knock('first@stranger.org');
    await expect(row(page, /first@stranger\.org/)).toBeVisible();
    await expect(page.getByText('1 of 1 logs')).toBeVisible();
    await page.getByRole('button', { name: 'Pause' }).click();
    await knock('second@stranger.org');
    const news = page.getByRole('button', { name: '1 new' });
    await expect(news).toBeVisible();
    await expectForEveryone(page);
    await expect(row(page, /second@stranger\.org/)).toHaveCount(0);
    await news.click();
    await expect(firstRow(page)).toContainText('second@stranger.org');
    await expect(page.getByText('2 of 2 logs')).toBeVisible();
    await page.getByRole('button', { name: 'Resume' }).click();
    await knock('third@stranger.org');
    await expect(firstRow(page)).toContainText('third@stranger.org');
    await page.getByRole('button', { name: 'Follow' }).click();
    await expect(page.getByRole('button', { name: 'Pause' })).toHaveCount(0);
    await strangers.close();
  });

  test('changes are beside it: who, what, before and after, and what a console claims as a claim', async ({ page }) => {
    await page.goto('/sso-servers/loglab/groups');
    await page.getByRole('button', { name: 'Add New Group' }).click();
    const modal = page.getByRole('dialog', { name: 'Add New Group' });
    await modal.getByLabel('Group Name').fill('Watched');
    await modal.getByLabel('Description').fill('Before');
    await modal.getByRole('button', { name: 'Add Group' }).click();
    await row(page, 'Watched').click();
    await panel(page).getByLabel('Description').fill('Afterwards');
    await panel(page).getByRole('button', { name: 'update group' }).click();
    await expect(page.getByText('Group sucessfully updated.')).toBeVisible();
    await page.goto(activity);
    await page.getByRole('link', { name: 'Changes' }).click();
    await expect(page.getByRole('columnheader')).toHaveText(['Change', 'Person', 'IP Address', 'Time', 'Actions']);
    await expect(row(page, /Added group Watched/)).toContainText(people.nia.email);
    await expectForEveryone(page);
    await openFilters(page);
    await page.getByLabel('Object').selectOption('Groups');
    await page.getByLabel('Person').fill('nia.berg');
    await page.getByRole('button', { name: 'Today' }).click();
    await page.getByRole('button', { name: 'apply filter' }).click();
    await expect(page).toHaveURL(/object=group&person=nia\.berg&time=/);
    await page.getByPlaceholder('Search').fill('Afterwards');
    await expect(page.getByText('1 of 1 changes')).toBeVisible();
    await row(page, /Changed group Watched/).click();
    const differing = panel(page).locator('tr[data-differs]');
    await expect(differing).toHaveCount(1);
    await expect(differing).toContainText(/description.*Before.*Afterwards/);
    await expectForEveryone(page);
    await page.reload();
    await expect(panel(page).getByRole('link', { name: people.nia.email })).toBeVisible();
    await page.evaluate(async () => {
      const claim = {
        audit_type: 'OpenSocial',
        action: 'delete',
        description: 'Owner deleted',
        user: 'x',
        source: 'y',
      };
      await fetch('/server/audit', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(claim),
      });
    });
    await page.goto('/activity/changes?object=claim');
    await row(page, /claim Owner deleted/).click();
    await expect(panel(page).getByText('has not been verified')).toBeVisible();
  });
});

test.describe('§6 activity, for role user', () => {
  test.use({ person: people.oli });

  test('shows their own lines only, without links to what they may not see, and no changes', async ({ page }) => {
    await page.goto(activity);
    await expect(page.getByText('2 of 2 logs')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Changes' })).toHaveCount(0);
    await row(page, /^Failed quiet/).click();
    await expect(panel(page).getByText('Oli Novak')).toBeVisible();
    await expect(panel(page).getByRole('link')).toHaveCount(0);
    await expectForEveryone(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto('/activity/changes');
    await expect(page.getByText("You don't have permission to access this server.")).toBeVisible();
    expect(asked.filter((url) => url.includes('/server/sso/audit'))).toEqual([]);
  });
});
