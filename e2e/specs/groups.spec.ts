import { expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { confirmRestriction, panel, row } from '../support/lists.ts';
import { origin, people } from '../support/world.ts';

const groups = '/sso-servers/eastlab/groups';

test.use({ person: people.gil });

test.describe('§2.9 groups', () => {
  test('are added with a name and a description, both required, and no name twice', async ({ page }) => {
    await page.goto(groups);
    await expect(page.getByRole('columnheader')).toHaveText([
      '',
      'Group Name',
      'Description',
      'Users',
      'Sites',
      'Actions',
    ]);
    await page.getByRole('button', { name: 'Add New Group' }).click();
    const modal = page.getByRole('dialog', { name: 'Add New Group' });
    await modal.getByRole('button', { name: 'Add Group' }).click();
    await expect(modal.getByText('Group name is required')).toBeVisible();
    await expect(modal.getByText('Description text is required')).toBeVisible();
    await modal.getByLabel('Group Name').fill('EASTERNERS');
    await modal.getByLabel('Description').fill('Again');
    await modal.getByRole('button', { name: 'Add Group' }).click();
    await expect(modal.getByText('Same group already exists')).toBeVisible();
    await modal.getByLabel('Group Name').fill('Night shift / 2');
    await expectScreenQuality(page);
    await modal.getByRole('button', { name: 'Add Group' }).click();
    await expect(modal).toHaveCount(0);
    await page.goto(`${groups}?search=night`);
    await expect(page.getByText('1 of 1 groups')).toBeVisible();
    await row(page, 'Night shift / 2').click();
    await expect(page).toHaveURL(/\/groups\/Night%20shift%20%2F%202\/\d+\/details/);
    await expect(panel(page).getByRole('heading', { name: 'Night shift / 2' })).toBeVisible();
    await page.reload();
    for (const [label, text] of [
      ['Group Name', 'Group name field is required'],
      ['Description', 'The description field is required'],
    ] as const) {
      await panel(page).getByLabel(label).fill('');
      await panel(page).getByRole('button', { name: 'update group' }).click();
      await expect(panel(page).getByText(text)).toBeVisible();
    }
    await panel(page).getByLabel('Group Name').fill('easterners');
    await panel(page).getByLabel('Description').fill('At night');
    await panel(page).getByRole('button', { name: 'update group' }).click();
    await expect(panel(page).getByText('Same group already exists')).toBeVisible();
    await panel(page).getByLabel('Group Name').fill('Night shift / 2');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await panel(page).getByRole('button', { name: 'update group' }).click();
    expect((await sent).postDataJSON()).toMatchObject({ description: 'At night', sites: [], users: [] });
    await expect(page.getByText('Group successfully updated.')).toBeVisible();
    await expectScreenQuality(page);
    await panel(page).getByRole('button', { name: 'Close the panel' }).click();
    await row(page, 'Night shift / 2').hover();
    await page.getByRole('button', { name: 'Delete Night shift / 2' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('There is no record in database')).toBeVisible();
  });

  test('users and sites are assigned and removed, also at the address without the name', async ({ page }) => {
    await page.goto(`${groups}?search=members`);
    await row(page, 'Members').click();
    await expect(page).toHaveURL(/\/\d+\/details/);
    const [, id] = /\/(\d+)\/details/.exec(page.url()) ?? [];
    await page.goto(`${groups}/${id}/details`);
    await expect(panel(page).getByRole('heading', { name: 'Members' })).toBeVisible();
    await expect(page).toHaveURL(`${origin}${groups}/${id}/details`);
    for (const [tab, keyword, name, noun] of [
      ['Users', 'member@', 'Mem Ber (member@eastlab.org)', 'users'],
      ['Sites', 'plain-1', 'plain-1.eastlab.org', 'sites'],
    ] as const) {
      await panel(page).getByRole('link', { name: tab, exact: true }).click();
      await expect(panel(page).getByText(`0 of 0 ${noun}`)).toBeVisible();
      await panel(page)
        .getByRole('link', { name: `assign ${noun}` })
        .click();
      // Nothing is selected yet, and the search box belongs to this view.
      const assign = panel(page).getByRole('button', { name: `assign ${noun}` });
      await assign.click();
      await expect(page).toHaveURL(/\/assign/);
      await panel(page).getByRole('textbox', { name: 'Search' }).fill(keyword);
      await expect(panel(page).getByText(`1 of 1 ${noun}`)).toBeVisible();
      await panel(page)
        .getByRole('checkbox', { name: `Tick ${name}` })
        .check();
      await assign.click();
      if (noun === 'sites') await confirmRestriction(page, 'assign sites');
      await expect(page).not.toHaveURL(/\/assign/);
      await expect(assign).toHaveCount(0);
      await expect(panel(page).getByText(`1 of 1 ${noun}`)).toBeVisible();
      await panel(page).getByRole('checkbox', { name: 'Tick all' }).check();
      await panel(page).getByRole('button', { name: 'remove' }).click();
      const removal = page.getByRole('dialog', { name: /^Confirm removing/ });
      if (noun === 'sites') await expect(removal).toContainText(/is left without a group.* access\./);
      await removal.getByRole('button', { name: 'Remove' }).click();
      await expect(panel(page).getByText(`0 of 0 ${noun}`)).toBeVisible();
    }

    await test.step('§8 errors: a group that cannot be loaded shows the error field of the response', async () => {
      await page.route(/\/server\/sso\/group\/\d+$/, (route) =>
        route.fulfill({ status: 400, json: { message: 'Not this field', error: 'The group is out' } }),
      );
      await page.reload();
      await expect(page.getByText('The group is out')).toBeVisible();
      await expect(panel(page).getByText(/^Something went wrong with the SSO Server/)).toBeVisible();
    });
  });
});

test.describe('§2.9 owners', () => {
  const owners = '/sso-servers/eastlab/admins';

  test('are added, validated and removed; the last one cannot be removed', async ({ page }) => {
    await test.step('§2.9 owners: are added by address, validated, listed and removed, with the audit call', async () => {
      await page.goto(owners);
      await expect(page.getByRole('columnheader')).toHaveText(['', 'Admin Email', 'Actions']);
      await page.getByRole('button', { name: 'Add New Owner' }).click();
      const modal = page.getByRole('dialog', { name: 'Add New Owner' });
      await modal.getByRole('button', { name: 'Add Owner' }).click();
      await expect(modal.getByText('Admin email is required')).toBeVisible();
      await modal.getByLabel('Email address').fill('nobody');
      await modal.getByRole('button', { name: 'Add Owner' }).click();
      await expect(modal.getByText('Required valid email address')).toBeVisible();
      await modal.getByLabel('Email address').fill(people.gil.email.toUpperCase());
      await modal.getByRole('button', { name: 'Add Owner' }).click();
      await expect(modal.getByText('The email is already exists')).toBeVisible();
      await modal.getByLabel('Email address').fill('second@eastlab.org');
      await expectScreenQuality(page);
      await modal.getByRole('button', { name: 'Add Owner' }).click();
      await expect(page.getByText('Admin email sucessfully added')).toBeVisible();
      await expect(row(page, 'second@eastlab.org')).toContainText('not confirmed yet');
      await expectScreenQuality(page);
      const noted = page.waitForRequest('**/server/audit');
      await row(page, 'second@eastlab.org').hover();
      await page.getByRole('button', { name: 'Remove second@eastlab.org' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      expect((await noted).postDataJSON()).toMatchObject({ audit_type: 'OpenSocial', action: 'delete' });
      await expect(row(page, 'second@eastlab.org')).toHaveCount(0);
    });

    await test.step('§2.9 owners: the last one cannot be removed, and a notice says why', async () => {
      await page.goto(`${owners}?search=${people.gil.email}`);
      await expect(row(page, people.gil.email)).toContainText('last owner');
      await row(page, people.gil.email).hover();
      await expect(page.getByRole('button', { name: `Remove ${people.gil.email}` })).toHaveCount(0);
      await page.getByRole('checkbox', { name: 'Tick all' }).check();
      await page.getByRole('button', { name: 'remove', exact: true }).click();
      await expect(
        page.getByText('The last owner of a network cannot be removed. Add another owner first.'),
      ).toBeVisible();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });

    await test.step("§8 a failed 'Add New Owner' is shown in a success toast", async () => {
      await page.route('**/server/sso/owner/new/eastlab', (route) =>
        route.fulfill({ status: 503, json: { message: 'No more owners today', code: 'unavailable' } }),
      );
      await page.goto(owners);
      await page.getByRole('button', { name: 'Add New Owner' }).click();
      const modal = page.getByRole('dialog', { name: 'Add New Owner' });
      await modal.getByLabel('Email address').fill('third@eastlab.org');
      await modal.getByRole('button', { name: 'Add Owner' }).click();
      await expect(page.getByRole('alert').filter({ hasText: 'No more owners today' })).toHaveAttribute(
        'style',
        /--ok/,
      );
      await modal.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Leave without saving' }).click();
      await expect(modal).toHaveCount(0);
    });
  });
});
