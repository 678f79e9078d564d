import { expect, expectScreenQuality, showColorScheme, signIn, test } from '../support/fixtures.ts';
import {
  assignFirstGroup,
  filterByDates,
  nameOf,
  openFilters,
  openSearch,
  panel,
  removeAllGroups,
  row,
} from '../support/lists.ts';
import { origin, people } from '../support/world.ts';

const users = '/sso-servers/eastlab/users';

test.use({ person: people.gil });

test.describe('§2.8 users list', () => {
  test('shows, filters, exports and changes users in bulk', async ({ page }) => {
    await test.step('§2.8 users list: rows are sorted by full name, and only accounts of this home network have a lock', async () => {
      await openSearch(page, users, 'listed', 4);
      const headers = ['', 'Email', 'Name', 'Status', 'Mode', 'Last sign-in', 'Second factor', 'Actions'];
      await expect(page.getByRole('columnheader')).toHaveText(headers);
      await expect(page.getByRole('grid').locator('tr[data-index] td:nth-child(3)')).toHaveText([
        'Abe Listed',
        'Bo Listed',
        'Cy Listed',
        'Di Listed',
      ]);
      await expect(page.getByRole('button', { name: 'Disable abe@listed.org' })).toBeAttached();
      await expect(page.getByRole('button', { name: 'Activate bo@listed.org' })).toBeAttached();
      await expect(page.getByRole('button', { name: /able di@listed.org/ })).toHaveCount(0);
      await expect(row(page, 'bo@listed.org')).toHaveAttribute('data-stopped', 'true');
      await expectScreenQuality(page);
    });

    await test.step('§2.8 users list: is sorted by email and last sign-in, and columns are hidden', async () => {
      await openSearch(page, users, 'listed', 4);
      const emails = page.getByRole('grid').locator('tr[data-index] td:nth-child(2)');
      const sortedBy = (name: string) => page.getByRole('columnheader', { name });
      await sortedBy('Email').getByRole('button').click();
      await sortedBy('Email').getByRole('button').click();
      await expect(page).toHaveURL(/sort=-email/);
      await expect(emails.first()).toContainText('di@listed.org');
      await sortedBy('Last sign-in').getByRole('button').click();
      await expect(sortedBy('Last sign-in')).toHaveAttribute('aria-sort', 'ascending');
      await page.getByRole('button', { name: 'Columns of Users' }).click();
      const menu = page.getByRole('dialog', { name: 'Columns' });
      await menu.getByRole('checkbox', { name: 'Second factor' }).click();
      await expect(sortedBy('Second factor')).toHaveCount(0);
      await page.keyboard.press('Escape');
      await expectScreenQuality(page);
      await page.reload();
      await expect(sortedBy('Last sign-in')).toBeVisible();
      await expect(sortedBy('Second factor')).toHaveCount(0);
      await page.getByRole('button', { name: 'Columns of Users' }).click();
      await menu.getByRole('button', { name: 'Show the usual columns' }).click();
      await expect(sortedBy('Second factor')).toBeVisible();
    });

    await test.step('§2.8 users list: filters by status, mode and time range', async () => {
      await openSearch(page, users, 'listed', 4);
      const open = () => openFilters(page);
      await open();
      const radio = page.getByRole('radio', { name: 'NonConfirmed' });
      for (const [colorScheme, background] of [
        ['dark', 'rgb(16, 24, 38)'],
        ['light', 'rgb(255, 255, 255)'],
      ] as const) {
        await showColorScheme(page, colorScheme);
        await expect(radio).toHaveCSS('background-color', background);
      }
      await radio.click();
      await expect(page.getByText('1 of 1 users')).toBeVisible();
      await page.getByRole('button', { name: 'Remove the filter status: NonConfirmed' }).click();
      await open();
      await page.getByRole('radio', { name: 'Disable' }).click();
      await expect(page.getByText('1 of 1 users')).toBeVisible();
      await open();
      await page.getByRole('button', { name: 'Last 30 days' }).click();
      await expect(page.getByRole('button', { name: 'Remove the filter time range: Last 30 days' })).toBeVisible();
      await expect(page.getByText('1 of 1 users')).toBeVisible();
      await expect(page).toHaveURL(/time=last-30-days/);
      await open();
      await filterByDates(page, '2020-01-01', '2020-01-31');
      await expect(page.getByText('There is no record in database')).toBeVisible();
      await expect(page).toHaveURL(/time=2020-01-01/);
    });

    await test.step('§2.8 users list: the filtered list is exported as CSV', async () => {
      await openSearch(page, users, 'listed', 4);
      await page.getByRole('button', { name: 'CSV' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: 'Export this list' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe('users-eastlab.csv');
    });

    await test.step('§2.8 users list: bulk changes skip users of other home networks and say how many were skipped', async () => {
      await openSearch(page, users, 'bulk', 3);
      await page.getByRole('checkbox', { name: 'Tick all' }).check();
      await page.getByRole('button', { name: 'more actions' }).click();
      await expect(page.getByRole('menuitem')).toHaveText([
        'mark as active',
        'mark as disable',
        'mark as confirmed',
        'mark as not confirmed',
      ]);
      await page.getByRole('menuitem', { name: 'mark as disable' }).click();
      const dialog = page.getByRole('dialog', { name: 'Confirm changing user mode' });
      await expect(dialog).toContainText('1 user will not be changed, because their home network is another one.');
      await dialog.getByRole('button', { name: 'Disable' }).click();
      await expect(dialog).toHaveCount(0);
      await expect(
        page.getByText('1 user was not changed, because their home network is another one.', { exact: true }),
      ).toBeVisible();
      await expect(row(page, 'one@bulk.org')).toContainText('Disable');
      await expect(row(page, 'guest@bulk.org')).toContainText('Active');
    });

    await test.step('§8 a user who cannot be changed is reported in a toast, and the bulk change continues', async () => {
      await openSearch(page, users, 'stubborn', 2);
      const changes: string[] = [];
      await page.route('**/server/user/*/mode/NonConfirmed/eastlab', (route) => {
        changes.push(route.request().url());
        return changes.length > 1
          ? route.continue()
          : route.fulfill({ status: 409, json: { message: 'They would rather not', code: 'user_self' } });
      });
      await page.getByRole('checkbox', { name: 'Tick all' }).check();
      await page.getByRole('button', { name: 'more actions' }).click();
      await page.getByRole('menuitem', { name: 'mark as not confirmed' }).click();
      const dialog = page.getByRole('dialog', { name: 'Confirm changing user status' });
      await dialog.getByRole('button', { name: 'Mark as not confirmed' }).click();
      await expect(page.getByText('They would rather not')).toBeVisible();
      await expect(dialog).toHaveCount(0);
      await expect(row(page, 'two@stubborn.org')).toContainText('NonConfirmed');
      await expect(row(page, 'one@stubborn.org')).not.toContainText('NonConfirmed');
      await page.unrouteAll();
    });

    await test.step('§2.8 users list: users are deleted after a confirmation', async () => {
      await openSearch(page, users, 'leaver', 1);
      await row(page, 'leaver@eastlab.org').hover();
      await page.getByRole('button', { name: 'Delete leaver@eastlab.org' }).click();
      await page.getByRole('dialog', { name: 'Confirm deleting user' }).getByRole('button', { name: 'Delete' }).click();
      await expect(page.getByText('There is no record in database')).toBeVisible();
    });
  });

  test('shows signup statistics, imports a file and reports failures', async ({ page }) => {
    await test.step("§2.8 users list: signup statistics: title, 'SSO Server', total, chart and 'close this'; the range starts with today", async () => {
      await page.goto(users);
      await page.getByRole('button', { name: 'Signup statistics' }).click();
      const dialog = page.getByRole('dialog', { name: 'New Users Signup Statistcs' });
      const today = await page.evaluate(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format());
      await expect(dialog.getByText(today)).toBeVisible();
      const box = await dialog.getByRole('figure').boundingBox();
      expect(box).toMatchObject({ width: 500, height: 400 });
      const asked = page.waitForRequest(/signup_stats\/eastlab\/2024-05-01\/2024-05-02/);
      await dialog.getByLabel('From').fill('2024-05-01');
      // More than a year.
      await expect(dialog.getByText(`May 1, 2024 – ${today}`)).toBeVisible();
      await expect(dialog.getByText(/^confirmed [1-9]/).first()).toBeVisible();
      await dialog.getByLabel('To', { exact: true }).fill('2024-05-02');
      await asked;
      await expect(dialog.getByText('confirmed 0').first()).toBeVisible();
      await expectScreenQuality(page);
      await dialog.getByRole('button', { name: 'close this' }).click();
      await expect(dialog).toHaveCount(0);
    });

    await test.step('§2.8 users list: a file of users is previewed and then imported', async () => {
      await page.goto(users);
      await page.getByRole('button', { name: 'CSV' }).click();
      await page.getByRole('menuitem', { name: 'Import users' }).click();
      const modal = page.getByRole('dialog', { name: 'Import users' });
      const chooser = page.waitForEvent('filechooser');
      await modal.getByRole('button', { name: 'Choose a file' }).click();
      const lines = ['Email;First Name;Last Name;Groups', 'fresh@import.org;Fre;Sh;Newcomers', 'no address;A;B;'];
      const csv = [...lines, 'Fresh@import.org;Fre;Sh;', ''].join('\n');
      await (await chooser).setFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
      await expect(modal.getByText('This is what would happen:')).toBeVisible();
      await expect(modal.getByText('refused: This is not an email address.')).toBeVisible();
      await expect(modal.getByText('1 repeat the address of another line')).toBeVisible();
      await expect(modal.getByText('Line 2 has the same address and is used instead.')).toBeVisible();
      await modal.getByRole('button', { name: 'Import 1 user' }).click();
      await expect(modal.getByText('This is what happened:')).toBeVisible();
      await modal.getByRole('button', { name: 'Close', exact: true }).last().click();
      await openSearch(page, users, 'fresh@import.org', 1);
    });

    await test.step('§8 the users, groups and owners lists and the statistics show the error panel if they cannot be loaded', async () => {
      const wrong = page.getByText(/^Something went wrong with the SSO Server/);
      for (const [path, calls] of [
        ['groups', '**/server/sso/groups/**'],
        ['admins', '**/server/sso/owners/**'],
        ['users', '**/server/sso/users/**'],
      ] as const) {
        await page.route(calls, (route) => route.fulfill({ status: 400, json: { error: `The ${path} are ill` } }));
        await page.goto(`/sso-servers/eastlab/${path}`);
        await expect(page.getByText(`The ${path} are ill`)).toBeVisible();
        await expect(wrong).toBeVisible();
      }
      await page.route('**/server/sso/signup_stats/**', (route) =>
        route.fulfill({ status: 400, json: { code: 'bad_request' } }),
      );
      await page.getByRole('button', { name: 'Signup statistics' }).click();
      await expect(page.getByRole('dialog').getByText(/^Something went wrong with the SSO Server/)).toBeVisible();
    });
  });
});

test.describe('§2.8 signup statistics on the main network', () => {
  test.use({ person: people.ona });
  test("count 'all sso servers' together, for its owners", async ({ page }) => {
    await page.goto('/sso-servers/opensocial/users');
    await page.getByRole('button', { name: 'Signup statistics' }).click();
    const dialog = page.getByRole('dialog', { name: 'New Users Signup Statistcs' });
    await expect(dialog.getByText('SSO Server: opensocial')).toBeVisible();
    const counted = page.waitForResponse(/signup_stats\/all\//);
    await dialog.getByText('all sso servers', { exact: true }).click();
    await expect(dialog.getByText('SSO Server: all sso servers')).toBeVisible();
    // Days are in the browser's time zone.
    expect(new URL((await counted).url()).searchParams.get('zone')).toBeTruthy();
    const { total } = await (await counted).json();
    await expect(dialog.getByRole('figure')).toContainText(`${total}new users`);
  });
});

test.describe('§2.8 new-user panel', () => {
  test('validates the fields, reports failures and creates the user', async ({ page }) => {
    await test.step('§2.8 new-user panel: an invalid address, an existing address and a failure each show an error, and the input is kept', async () => {
      await page.goto(`${users}/new`);
      await panel(page).getByLabel('First Name').fill('Gil');
      await panel(page).getByLabel('Last Name').fill('Katz');
      await panel(page).getByLabel('Email').fill('gil.katz');
      await page.keyboard.press('Enter');
      await expect(panel(page).getByText('The valid email field is required')).toBeVisible();
      await panel(page).getByLabel('Email').fill(people.gil.email);
      await panel(page).getByRole('button', { name: 'create user' }).click();
      await expect(
        panel(page).getByText('This email address already belongs to a user of this network.'),
      ).toBeVisible();
      await page.route('**/server/sso/signup', async (route) => {
        await expect(panel(page).getByRole('button', { name: 'please wait ....' })).toBeVisible();
        await route.fulfill({ status: 503, json: { message: 'Come back later', code: 'unavailable' } });
      });
      await panel(page).getByLabel('Email').fill('lost@eastlab.org');
      await panel(page).getByRole('button', { name: 'create user' }).click();
      await expect(page.getByText('Come back later')).toBeVisible();
      await expect(panel(page).getByLabel('Email')).toHaveValue('lost@eastlab.org');
      await panel(page).getByRole('button', { name: 'cancel' }).click();
      await page.getByRole('button', { name: 'Leave without saving' }).click();
      await expect(page).toHaveURL(`${origin}${users}`);
      await page.unrouteAll();
    });

    await test.step('§2.8 new-user panel: validates its fields, creates the user and closes', async () => {
      await page.goto(users);
      await page.getByRole('link', { name: 'New user' }).click();
      await expect(page).toHaveURL(`${origin}${users}/new`);
      await expect(panel(page).getByText('User information')).toBeVisible();
      await panel(page).getByRole('button', { name: 'create user' }).click();
      for (const text of [
        'The email field is required',
        'The firstname field is required',
        'The lastname field is required',
      ])
        await expect(panel(page).getByText(text)).toBeVisible();
      await panel(page).getByLabel('Email').fill('nobody');
      await expect(panel(page).getByText('The email field is required')).toHaveCount(0);
      await panel(page).getByLabel('First Name').focus();
      await expect(panel(page).getByText('Please enter a valid email address')).toBeVisible();
      await panel(page).getByLabel('Email').fill('made@eastlab.org');
      await panel(page).getByLabel('First Name').fill('Mae');
      await panel(page).getByLabel('Last Name').fill('De');
      await panel(page).getByLabel('Groups').first().click();
      await page.getByRole('option', { name: 'Newcomers' }).click();
      await expectScreenQuality(page);
      await panel(page).getByRole('button', { name: 'create user' }).click();
      await expect(page.getByText('made@eastlab.org is invited.')).toBeVisible();
      await expect(page).toHaveURL(`${origin}${users}`);
      await openSearch(page, users, 'made@eastlab.org', 1);
      await expect(row(page, 'made@eastlab.org')).toContainText('NonConfirmed');
    });
  });
});

test.describe('§2.8 user side panel', () => {
  test('shows details and groups, and reports failures', async ({ page }) => {
    await test.step("§2.8 user side panel: header, details and 'never disable', which is saved immediately", async () => {
      await openSearch(page, users, 'panelled', 1);
      await row(page, 'panelled@eastlab.org').click();
      await expect(panel(page).getByRole('heading', { name: 'Pan Elled' })).toBeVisible();
      await expect(panel(page).getByText('account active')).toBeVisible();
      await expect(panel(page).getByRole('navigation').getByRole('link')).toHaveText([
        'User Details',
        'Groups',
        'Sites',
        'Access',
        'Activity',
        'Timeline',
      ]);
      await panel(page).getByLabel('never disable').check();
      await expect(page.getByText("User's settings sucessfully updated.")).toBeVisible();
      await expect(panel(page).getByLabel('Email')).toHaveAttribute('readonly', '');
      await panel(page).getByText('Other Details').click();
      await expect(panel(page).getByLabel('Created')).toHaveAttribute('readonly', '');
      await expect(panel(page).getByLabel('Last Login')).toHaveValue('never');
      await panel(page).getByLabel('First Name').fill('');
      await panel(page).getByRole('button', { name: 'update user' }).click();
      await expect(panel(page).getByText('Firstname field is required')).toBeVisible();
      await panel(page).getByLabel('First Name').fill('Pam');
      await panel(page).getByLabel('Last Name').fill('');
      await panel(page).getByRole('button', { name: 'update user' }).click();
      await expect(panel(page).getByText('Lastname field is required')).toBeVisible();
      await panel(page).getByLabel('Last Name').fill('Elled');
      await panel(page).getByRole('button', { name: 'update user' }).click();
      await expect(page.getByText('User successfully updated.')).toBeVisible();
      await page.reload();
      await expect(panel(page).getByRole('heading', { name: 'Pam Elled' })).toBeVisible();
      await expect(panel(page).getByLabel('never disable')).toBeChecked();
      await expectScreenQuality(page);
    });

    await test.step('§2.8 user side panel: groups are assigned, searched and removed; the sites tab follows; the activity tab is shown', async () => {
      await openSearch(page, users, 'joiner', 1);
      await row(page, 'joiner@eastlab.org').click();
      await panel(page).getByRole('link', { name: 'Groups', exact: true }).click();
      await assignFirstGroup(page, 'Westerners');
      await panel(page).getByRole('textbox', { name: 'Search' }).fill('zzz');
      await expect(panel(page).getByText('There is no record in database')).toBeVisible();
      await panel(page).getByRole('link', { name: 'Sites', exact: true }).click();
      await expect(panel(page).getByText(/^\d+ of \d+ sites$/)).toBeVisible();
      await panel(page).getByRole('link', { name: 'Activity' }).click();
      await expect(panel(page).getByText('There is no item in database')).toBeVisible();
      await removeAllGroups(page);
    });

    await test.step('§8 a failed change shows a toast and does not look saved; a disabled account is labelled', async () => {
      await openSearch(page, users, 'bo@listed.org', 1);
      await row(page, 'bo@listed.org').click();
      await expect(panel(page).getByText('account disabled')).toBeVisible();
      const refuse = (error: string) => ({ status: 400, json: { error } });
      await page.route('**/server/sso/user/set_never_disable', (route) => route.fulfill(refuse('The flag is stuck')));
      await page.route('**/server/sso/user', async (route) => {
        await expect(panel(page).getByRole('button', { name: 'please wait ....' })).toBeVisible();
        await route.fulfill(refuse('The name is carved in stone'));
      });
      await panel(page).getByLabel('never disable').click();
      await expect(page.getByText('The flag is stuck')).toBeVisible();
      await expect(panel(page).getByLabel('never disable')).not.toBeChecked();
      await panel(page).getByLabel('First Name').fill('Bob');
      await panel(page).getByRole('button', { name: 'update user' }).click();
      await expect(page.getByText('The name is carved in stone')).toBeVisible();
      await expect(panel(page).getByRole('heading', { name: 'Bo Listed' })).toBeVisible();
    });
  });

  test('a disabled user is signed out in other browsers', async ({ page, browser }) => {
    const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const otherPage = await context.newPage();
    await signIn(otherPage, people.hana, origin);
    await expect(otherPage.getByRole('heading', { name: /^(Good|Hello)/ })).toBeVisible();
    await openSearch(page, users, people.hana.email, 1);
    await row(page, people.hana.email).hover();
    await page.getByRole('button', { name: `Disable ${people.hana.email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await expect(row(page, people.hana.email)).toContainText('Disable');
    await otherPage.goto(`${origin}/sso-servers`);
    await expect(otherPage.getByLabel('Password', { exact: true })).toBeVisible();
    await context.close();
  });
});

test.describe('§4 network mode Visited', () => {
  test('removes users from a site, and sites from a user', async ({ page }) => {
    await page.goto('/sso-servers/westlab/sites?search=seen-1');
    await row(page, 'seen-1.westlab.org').click();
    await panel(page).getByRole('link', { name: 'Users' }).click();
    await expect(panel(page).getByRole('columnheader')).toHaveText(['', 'Name', 'Email', 'Actions']);
    await panel(page)
      .getByRole('checkbox', { name: `Tick ${nameOf(people.ida)}` })
      .check();
    await panel(page).getByRole('button', { name: 'remove' }).click();
    await page.getByRole('dialog', { name: 'Confirm removing user' }).getByRole('button', { name: 'Remove' }).click();
    await expect(panel(page).getByText('1 of 1 users')).toBeVisible();
    await page.goto(`/sso-servers/westlab/users?search=${people.ida.email}`);
    await row(page, people.ida.email).click();
    await panel(page).getByRole('link', { name: 'Sites', exact: true }).click();
    await expect(panel(page).getByText('1 of 1 sites')).toBeVisible();
    await panel(page).getByRole('checkbox', { name: 'Tick seen-2.westlab.org' }).check();
    await panel(page).getByRole('button', { name: 'remove' }).click();
    await page.getByRole('dialog', { name: 'Confirm removing site' }).getByRole('button', { name: 'Remove' }).click();
    await expect(panel(page).getByText('There is no user bound with this site')).toBeVisible();
  });

  test('a removed owner sees the permission view in other browsers', async ({ page, browser }) => {
    const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const otherPage = await context.newPage();
    await signIn(otherPage, people.ida, `${origin}/sso-servers/westlab/groups`);
    await expect(otherPage.getByText('There is no record in database')).toBeVisible();
    await page.goto('/sso-servers/westlab/admins');
    await row(page, people.ida.email).hover();
    await page.getByRole('button', { name: `Remove ${people.ida.email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(row(page, people.ida.email)).toHaveCount(0);
    await otherPage.getByRole('link', { name: 'Users' }).click();
    await expect(otherPage.getByText("You don't have permission to access this server.")).toBeVisible();
    await context.close();
  });
});
