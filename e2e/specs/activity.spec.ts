import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { filterByDates, openFilters, panel, row } from '../support/lists.ts';
import { origin, otherLineCount, people } from '../support/world.ts';

const activity = '/activity';
const quiet = `${activity}?site=quiet.loglab`;
const firstRow = (page: Page) => page.locator('tr[data-index="0"]');

test.describe('§2.13 activity, for an owner', () => {
  test.use({ person: people.nia, timezoneId: 'America/New_York' });

  test('shows, searches, scrolls and exports the log, and has an empty text', async ({ page }) => {
    await test.step('§2.13 activity, for an owner: columns, labelled icons, times in the zone of the viewer, ordered by last_login; the site column sorts', async () => {
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
      await expect(
        page.getByText(
          'Sign-ins are kept for at least 400 days. Days in the filter are days in your time zone, America/New_York.',
        ),
      ).toBeVisible();
      await expectScreenQuality(page);
    });

    await test.step('§2.13 activity, for an owner: a search box with a clear button, a status filter with a pill, and an advanced search by site and dates', async () => {
      await page.goto(`${activity}?search=${people.oli.email}`);
      await expect(page.getByText('2 of 2 logs')).toBeVisible();
      await expect(page.getByPlaceholder('Search')).toHaveValue(people.oli.email);
      await openFilters(page);
      await expect(page.getByRole('group', { name: 'login status' }).getByRole('radio')).toHaveCount(2);
      await expectScreenQuality(page);
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
      await page.getByRole('button', { name: 'Last 7 days' }).click();
      await expect(page.getByText('1 of 1 logs')).toBeVisible();
      await expect(page).toHaveURL(/site=quiet&time=last-7-days$/);
      await openFilters(page);
      await expect(page.getByRole('button', { name: 'Last 7 days', exact: true })).toHaveAttribute(
        'aria-pressed',
        'true',
      );
      await expectScreenQuality(page);
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

    await test.step('§2.13 activity, for an owner: scrolling loads further lines, and the counter shows the total', async () => {
      await page.goto(`${activity}?site=crowd`);
      await expect(page.getByText(`300 of ${otherLineCount} logs`)).toBeVisible();
      const list = page.getByRole('grid', { name: 'Activity' });
      await list.evaluate((grid) => grid.parentElement?.scrollTo({ top: 1e6 }));
      await expect(page.getByText(`600 of ${otherLineCount} logs`)).toBeVisible();
      await list.evaluate((grid) => grid.parentElement?.scrollTo({ top: 1e6 }));
      await expect(page.getByText(`${otherLineCount} of ${otherLineCount} logs`)).toBeVisible();
    });

    await test.step('§2.13 activity, for an owner: the filtered log is exported as CSV', async () => {
      await page.goto(`${quiet}&status=Failed`);
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export CSV' }).click();
      const file = await downloading;
      expect(file.suggestedFilename()).toBe('activity-loglab.csv');
      const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
      expect(lines).toHaveLength(2);
      expect(lines[1]).toContain(`,Failed,quiet.loglab.org,${people.oli.email},2001:db8::7,wrong password,`);
    });

    await test.step('§2.13 activity, for an owner: a spinner during loading, a text for an empty list, and the error panel', async () => {
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
      ).toBeVisible();
    });
  });

  test('shows the details of a line, also in the panels of a site and a user', async ({ page }) => {
    await test.step('§2.13 activity, for an owner: the details arrow opens the details of a line at its own address', async () => {
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
      await expectScreenQuality(page);
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
      await expect(panel(page).getByText('This sign-in is not in the log')).toBeVisible();
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
      await openFilters(panel(page));
      await page.getByRole('radio', { name: 'success' }).click();
      await expect(panel(page).getByText('1 of 1 logs')).toBeVisible();
      await openFilters(panel(page));
      await expect(page.getByRole('group', { name: 'Date within' }).getByRole('button')).toHaveText([
        'Today',
        'Yesterday',
        'Last 7 days',
        'Last 30 days',
        'Last 365 days',
      ]);
      await page.getByRole('button', { name: 'Last 30 days' }).click();
      await expect(
        panel(page).getByRole('button', { name: 'Remove the filter Date within: Last 30 days' }),
      ).toBeVisible();
      await expect(panel(page).getByText('1 of 1 logs')).toBeVisible();
      await openFilters(panel(page));
      await filterByDates(page, '2020-01-01', '2020-01-02');
      await expect(panel(page).getByText('There is no item in database')).toBeVisible();
      await openFilters(panel(page));
      await page.getByRole('button', { name: 'clear filter' }).click();
      await expect(panel(page).getByText('2 of 2 logs')).toBeVisible();
      await panel(page).getByPlaceholder('Search').fill('nowhere');
      await expect(panel(page).getByText('No results for “nowhere”')).toBeVisible();
    });
  });

  test('Follow adds new lines; while paused, they are counted', async ({ page, browser }) => {
    await page.goto('/sso-servers/loglab/sites?search=gate');
    const [, id] =
      /\/(\d+)\/details/.exec(
        (await page.getByRole('link', { name: /^Details of gate/ }).getAttribute('href')) ?? '',
      ) ?? [];
    const anonymous = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const signInPage = await anonymous.newPage();
    const failToSignIn = async (email: string) => {
      await signInPage.goto(`${origin}/saml/loglab/start/${id}`);
      await signInPage.getByLabel('Email').fill(email);
      await signInPage.getByLabel('Password', { exact: true }).fill('none of ours');
      await signInPage.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(signInPage.getByRole('alert')).toBeVisible();
    };
    await page.goto(`${activity}?site=gate&status=Failed`);
    await expect(page.getByText('There is no item in database')).toBeVisible();
    await page.getByRole('button', { name: 'Follow' }).click();
    await failToSignIn('first@stranger.org');
    await expect(row(page, /first@stranger\.org/)).toBeVisible();
    await expect(page.getByText('1 of 1 logs')).toBeVisible();
    await page.getByRole('button', { name: 'Pause' }).click();
    await failToSignIn('second@stranger.org');
    const showNew = page.getByRole('button', { name: '1 new' });
    await expect(showNew).toBeVisible();
    await expectScreenQuality(page);
    await expect(row(page, /second@stranger\.org/)).toHaveCount(0);
    await showNew.click();
    await expect(firstRow(page)).toContainText('second@stranger.org');
    await expect(page.getByText('2 of 2 logs')).toBeVisible();
    await page.getByRole('button', { name: 'Resume' }).click();
    await failToSignIn('third@stranger.org');
    await expect(firstRow(page)).toContainText('third@stranger.org');
    await page.getByRole('button', { name: 'Follow' }).click();
    await expect(page.getByRole('button', { name: 'Pause' })).toHaveCount(0);
    await anonymous.close();
  });

  test('the Changes tab shows who changed what, before and after, and marks claims of a console', async ({ page }) => {
    await page.goto('/sso-servers/loglab/groups');
    await page.getByRole('button', { name: 'Add New Group' }).click();
    const modal = page.getByRole('dialog', { name: 'Add New Group' });
    await modal.getByLabel('Group Name').fill('Watched');
    await modal.getByLabel('Description').fill('Before');
    await modal.getByRole('button', { name: 'Add Group' }).click();
    await row(page, 'Watched').click();
    await panel(page).getByLabel('Description').fill('Afterwards');
    await panel(page).getByRole('button', { name: 'update group' }).click();
    await expect(page.getByText('Group successfully updated.')).toBeVisible();
    await page.goto(activity);
    await page.getByRole('link', { name: 'Changes' }).click();
    await expect(page.getByRole('columnheader')).toHaveText(['Change', 'Person', 'IP Address', 'Time', 'Actions']);
    await expect(row(page, /Added the group Watched/)).toContainText(people.nia.email);
    await expectScreenQuality(page);
    await openFilters(page);
    await page.getByLabel('Object').selectOption('Groups');
    await page.getByLabel('Person').fill('nia.berg');
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await expect(page).toHaveURL(/object=group&person=nia\.berg&time=last-7-days$/);
    await page.getByPlaceholder('Search').fill('Afterwards');
    await expect(page.getByText('1 of 1 changes')).toBeVisible();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toBe('changes-loglab.csv');
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/,Changed the group Watched,Description: .*Afterwards/);
    await row(page, /Changed the group Watched/).click();
    const differing = panel(page).locator('tr[data-differs]');
    await expect(differing).toHaveCount(1);
    await expect(differing).toContainText(/Description.*Before.*Afterwards/);
    await expectScreenQuality(page);
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

  test('shows only their own lines, without links to admin screens, and no changes', async ({ page }) => {
    await page.goto(activity);
    await expect(page.getByText('2 of 2 logs')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Changes' })).toHaveCount(0);
    await row(page, /^Failed quiet/).click();
    await expect(panel(page).getByText('Oli Novak')).toBeVisible();
    await expect(panel(page).getByRole('link')).toHaveCount(0);
    await expectScreenQuality(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto('/activity/changes');
    await expect(page.getByText("You don't have permission to access this server.")).toBeVisible();
    expect(asked.filter((url) => url.includes('/server/sso/audit'))).toEqual([]);
  });
});

test.describe('§2.13 activity log: days of the viewer', () => {
  test.use({ person: people.nia, timezoneId: 'Asia/Tokyo' });

  test("a bookmarked 'Yesterday' is the day before it is opened, in the time zone of the viewer", async ({ page }) => {
    await page.goto(`${quiet}&status=Failed`);
    const written = Date.parse((await page.locator('tbody time').getAttribute('datetime')) ?? '');
    const [hour, day] = [3_600_000, 86_400_000];
    const dayInTokyo = new Date(written + 9 * hour).toISOString().slice(0, 10);
    // One o'clock in the morning of the next day in Tokyo, where it is still the same day in UTC.
    const nextMorning = Date.parse(`${dayInTokyo}T16:00:00Z`);
    await page.clock.setFixedTime(nextMorning);
    await openFilters(page);
    const loaded = page.waitForResponse(/\/server\/sso\/activity\/loglab\//);
    await page.getByRole('button', { name: 'Yesterday' }).click();
    const asked = new URL((await loaded).url());
    expect(decodeURIComponent(asked.pathname)).toContain(`/time/${dayInTokyo},${dayInTokyo}/`);
    expect(asked.searchParams.get('zone')).toBe('Asia/Tokyo');
    await expect(page.getByText('1 of 1 logs')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Remove the filter Date range: Yesterday' })).toHaveText('Yesterday');
    await expect(page.getByText('Days in the filter are days in your time zone, Asia/Tokyo.')).toBeVisible();
    const bookmark = page.url();
    expect(bookmark).toContain('time=yesterday');

    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const file = await readFile(await (await downloading).path(), 'utf8');
    expect(file.trimEnd().split('\r\n')).toHaveLength(2);

    await page.clock.setFixedTime(nextMorning + day);
    await page.goto(bookmark);
    await expect(page.getByText('There is no item in database')).toBeVisible();
    await page.getByRole('button', { name: 'Remove the filter Date range: Yesterday' }).click();
    await expect(page.getByText('1 of 1 logs')).toBeVisible();
    await expect(page).not.toHaveURL(/time=/);
  });
});
