import type { Locator, Page } from '@playwright/test';
import { expect, expectScreenQuality } from './fixtures.ts';

export const row = (page: Page, name: string | RegExp): Locator => page.getByRole('row', { name });

export const searchField = (page: Page): Locator => page.getByRole('textbox', { name: 'Search' }).first();

/** The side panel of a record. Dialogs above it come later in the document. */
export const panel = (page: Page): Locator => page.getByRole('dialog').first();

/** How the console calls a person in one line. */
export const nameOf = ({
  email,
  firstname,
  lastname,
}: {
  email: string;
  firstname: string;
  lastname: string;
}): string => `${firstname} ${lastname} (${email})`;

/** Opens a list at a search that finds this many rows, and waits for them. The list is named by the end of its path. */
export const openSearch = async (page: Page, path: string, keyword: string, count: number): Promise<void> => {
  await page.goto(`${path}?search=${keyword}`);
  await expect(page.getByText(`${count} of ${count} ${path.split('/').at(-1)}`)).toBeVisible();
};

export const openFilters = (list: Page | Locator): Promise<void> =>
  list.getByRole('button', { name: 'filter by' }).click();

/** Fills in the date range of the open filters and applies it. */
export const filterByDates = async (page: Page, from: string, to: string): Promise<void> => {
  await page.getByLabel('From').fill(from);
  await page.getByLabel('To', { exact: true }).fill(to);
  await page.getByRole('button', { name: 'apply filter' }).click();
};

/** §2.9: the first group of a site changes who may enter it, so that a dialog says how many people lose access. */
export const confirmRestriction = async (page: Page, action: string): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: 'Who is affected' });
  await expect(dialog).toContainText(/gets its first group.* (person loses|people lose) access\./);
  await expectScreenQuality(page);
  await dialog.getByRole('button', { name: action }).click();
};

/** Assigns the first group in the Groups tab of a panel. Without a ticked row nothing happens, and cancelling returns to the tab. */
export const assignFirstGroup = async (
  page: Page,
  name: string,
  confirm: () => Promise<void> = async () => undefined,
): Promise<void> => {
  const openAssignView = panel(page).getByRole('link', { name: 'assign groups' });
  const assign = panel(page).getByRole('button', { name: 'assign groups' });
  await expect(panel(page).getByText('0 of 0 groups')).toBeVisible();
  await openAssignView.click();
  await expect(panel(page).getByText(name)).toBeVisible();
  await expect(panel(page).getByText(/^\d+ of \d+ groups$/)).toBeVisible();
  await assign.click();
  await expect(page).toHaveURL(/groups\/assign/);
  await panel(page).getByRole('button', { name: 'cancel' }).click();
  await expect(panel(page).getByText('0 of 0 groups')).toBeVisible();
  await openAssignView.click();
  await panel(page)
    .getByRole('checkbox', { name: `Tick ${name}` })
    .check();
  await assign.click();
  await confirm();
  await expect(panel(page).getByText('1 of 1 groups')).toBeVisible();
};

/** Removes all groups in the Groups tab of a panel, after the confirmation. */
export const removeAllGroups = async (page: Page): Promise<void> => {
  await panel(page).getByRole('link', { name: 'Groups' }).click();
  await panel(page).getByRole('checkbox', { name: 'Tick all' }).check();
  await panel(page).getByRole('button', { name: 'remove' }).click();
  await page.getByRole('dialog', { name: 'Confirm removing group' }).getByRole('button', { name: 'Remove' }).click();
  await expect(panel(page).getByText('0 of 0 groups')).toBeVisible();
};
