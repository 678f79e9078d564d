import { expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { panel, row } from '../support/lists.ts';
import { people } from '../support/world.ts';

const groups = '/sso-servers/eastlab/groups';
const trash = '/sso-servers/eastlab/trash';

test.use({ person: people.gil });

test('§2.18 trash: a deleted group is restored by Undo, and from the trash, and is deleted permanently', async ({
  page,
}) => {
  const name = 'Short-lived group';
  const deleteIt = async () => {
    await page.goto(`${groups}?search=short-lived`);
    await row(page, name).hover();
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm deleting group' });
    await expect(dialog.getByText('You can restore it from the trash for 30 days.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText(`${name} was deleted.`)).toBeVisible();
  };
  await page.goto(groups);
  await page.getByRole('button', { name: 'Add New Group' }).click();
  const modal = page.getByRole('dialog', { name: 'Add New Group' });
  await modal.getByLabel('Group Name').fill(name);
  await modal.getByLabel('Description').fill('For a moment');
  await modal.getByRole('button', { name: 'Add Group' }).click();
  await expect(modal).toHaveCount(0);

  await test.step('§2.18 trash: the toast after a deletion offers Undo, which restores at once', async () => {
    await deleteIt();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Restored', { exact: true })).toBeVisible();
    await expect(row(page, name)).toBeVisible();
  });

  await test.step('§2.18 trash: the screen lists what was deleted, by whom, and for how long it is kept', async () => {
    await deleteIt();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trash' }).click();
    await expect(page.getByRole('heading', { name: 'Trash', level: 1 })).toBeFocused();
    await expect(page.getByRole('columnheader')).toHaveText(['', 'Name', 'Deleted by', 'Time', 'Time left', 'Actions']);
    await expect(row(page, name)).toContainText('For a moment');
    await expect(row(page, name)).toContainText(people.gil.email);
    await expect(row(page, name)).toContainText('30 days');
    await expectScreenQuality(page);
    await page.goto(`${trash}?search=short-lived`);
    await row(page, name).hover();
    await page.getByRole('button', { name: `Restore ${name}` }).click();
    await expect(page.getByText('Restored', { exact: true })).toBeVisible();
    await expect(row(page, name)).toHaveCount(0);
    await page.goto(`${groups}?search=short-lived`);
    await expect(row(page, name)).toBeVisible();
  });

  await test.step('§2.18 trash: a permanent deletion asks first', async () => {
    await deleteIt();
    await page.goto(`${trash}?search=short-lived`);
    await row(page, name).hover();
    await page.getByRole('button', { name: `Delete ${name} permanently` }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm deleting permanently' });
    await expect(dialog).toContainText('This cannot be undone.');
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await expect(row(page, name)).toHaveCount(0);
    await expectScreenQuality(page);
  });
});

test('§2.13 changes: a change is reverted from its record', async ({ page }) => {
  const name = 'Group to revert';
  await page.goto(groups);
  await page.getByRole('button', { name: 'Add New Group' }).click();
  const modal = page.getByRole('dialog', { name: 'Add New Group' });
  await modal.getByLabel('Group Name').fill(name);
  await modal.getByLabel('Description').fill('As it was');
  await modal.getByRole('button', { name: 'Add Group' }).click();
  await expect(modal).toHaveCount(0);
  await page.goto(`${groups}?search=to+revert`);
  await row(page, name).click();
  await panel(page).getByLabel('Description').fill('Changed by mistake');
  await panel(page).getByRole('button', { name: 'update group' }).click();
  await expect(page.getByText('Group successfully updated.')).toBeVisible();
  await page.goto('/activity/changes?search=mistake');
  await row(page, `Changed the group ${name}`).click();
  await expectScreenQuality(page);
  await panel(page).getByRole('button', { name: 'Revert this change' }).click();
  await page
    .getByRole('dialog', { name: 'Confirm reverting' })
    .getByRole('button', { name: 'Revert this change' })
    .click();
  await expect(page.getByText('The change was reverted', { exact: true })).toBeVisible();
  await expect(panel(page).getByText('Everything already has the value that it had before this change.')).toBeVisible();
  await expectScreenQuality(page);
  await page.goto(`${groups}?search=to+revert`);
  await expect(row(page, name)).toContainText('As it was');
});
