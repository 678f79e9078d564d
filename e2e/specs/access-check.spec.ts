import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectScreenQuality, test } from '../support/fixtures.ts';
import { nameOf, openSearch, panel, row } from '../support/lists.ts';
import { people } from '../support/world.ts';

const network = '/sso-servers/accesslab';

test.use({ person: people.eva });

/** Asserts that a screen is accessible at the widths of a desktop, a tablet and a phone. */
const expectGoodAtAllWidths = async (page: Page): Promise<void> => {
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page);
  }
  await expectScreenQuality(page);
  await page.setViewportSize({ width: 1280, height: 800 });
};

test('§2.16 an owner finds out why a person cannot enter a site, changes it, and sees their desktop', async ({
  page,
}) => {
  const access = panel(page);
  const refusal = 'Finn Olsen cannot enter Beamline. Finn Olsen is not in any of the groups of Beamline: Physics.';

  await test.step('§2.13 a failed line of the login log leads to the explanation', async () => {
    await page.goto('/sso-servers/accesslab');
    await page.goto('/activity');
    await row(page, /beamline/).click();
    await access.getByRole('link', { name: 'Why?' }).click();
    await expect(access.getByText(refusal)).toBeVisible();
    await expect(access.getByRole('combobox', { name: 'Site' })).toHaveValue('Beamline (beamline.accesslab.org)');
    const steps = access.getByRole('region', { name: 'Steps of the decision' }).getByRole('listitem');
    await expect(steps.filter({ hasText: 'Groups' }).first()).toContainText('No');
    await expect(steps.filter({ hasText: 'Site mode' })).toContainText('Yes');
    await expect(access.getByRole('region', { name: 'Desktop' })).toContainText('because the desktop shows all sites');
    await expectGoodAtAllWidths(page);
  });

  await test.step('§2.8 another site is chosen with the keyboard', async () => {
    const field = access.getByRole('combobox', { name: 'Site' });
    await field.fill('library');
    await expect(page.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(access.getByText('Finn Olsen may enter Library.')).toBeVisible();
    await page.goBack();
    await expect(access.getByText(refusal)).toBeVisible();
  });

  await test.step('§2.16 the desktop is seen as the person sees it, without links to the sites', async () => {
    await access.getByRole('link', { name: 'View desktop as Finn Olsen' }).click();
    await expect(page.getByRole('heading', { name: 'Desktop of Finn Olsen' })).toBeVisible();
    await expect(page.getByText('You see the desktop of Finn Olsen in accesslab.')).toBeVisible();
    const tiles = page.getByRole('list', { name: 'Apps of Finn Olsen' }).getByRole('listitem');
    await expect(tiles).toHaveCount(3);
    await expect(tiles.filter({ hasText: 'Library' }).getByRole('link')).toHaveCount(0);
    await expect(tiles.filter({ hasText: 'Archive' })).toContainText('The site is closed.');
    await expectGoodAtAllWidths(page);
    await page.getByRole('link', { name: 'Why? Beamline' }).click();
    await expect(access.getByText(refusal)).toBeVisible();
  });

  await test.step('§2.13 each view is in the record of changes, once', async () => {
    await page.goto('/activity/changes');
    await expect(row(page, /Viewed the desktop of finn\.olsen@accesslab\.org/)).toHaveCount(1);
  });

  await test.step('§2.16 a link of a refused step leads to where it is changed', async () => {
    await openSearch(page, `${network}/sites`, 'beamline', 1);
    await row(page, 'beamline.accesslab.org').click();
    await access.getByRole('link', { name: 'Access' }).click();
    await expect(access.getByText('Who may enter this site?')).toBeVisible();
    await access.getByRole('combobox', { name: 'Person' }).fill('finn');
    await page.getByRole('option', { name: /Finn Olsen/ }).click();
    await expect(access.getByText(refusal)).toBeVisible();
    await expectAccessible(page);
    await access.getByRole('link', { name: 'Groups of the user, to change: Groups' }).click();
    await expect(page).toHaveURL(/users\/\d+\/groups$/);
    await access.getByRole('link', { name: 'assign groups' }).click();
    await access.getByRole('checkbox', { name: /Physics/ }).click();
    await access.getByRole('button', { name: 'assign groups' }).click();
    // The check below is only right after the assignment, which ends in the list of the assigned groups.
    await expect(page).toHaveURL(/users\/\d+\/groups$/);
    await access.getByRole('link', { name: 'Access' }).click();
    await access.getByRole('combobox', { name: 'Site' }).fill('beamline');
    await page.getByRole('option', { name: /beamline/ }).click();
    await expect(access.getByText('Finn Olsen may enter Beamline.')).toBeVisible();
  });

  await test.step('§2.7 §2.8 a row of a site or a user leads to its check, also with the keyboard', async () => {
    await openSearch(page, `${network}/sites`, 'library', 1);
    await row(page, 'library.accesslab.org').click();
    await access.getByRole('link', { name: 'Users', exact: true }).click();
    const toPerson = access.getByRole('link', { name: `Check access of ${nameOf(people.finn)}` });
    await expect(toPerson).toBeAttached();
    await expectScreenQuality(page);
    await toPerson.focus();
    await page.keyboard.press('Enter');
    await expect(access.getByText('Finn Olsen may enter Library.')).toBeVisible();
    await expect(access.getByRole('combobox', { name: 'Person' })).toHaveValue(/Finn Olsen/);
    await expect(page).toHaveURL(/\/access\/\d+\?search=library$/);
    // The focus is in the tab, so that the next key press reaches its first field.
    await page.keyboard.press('Tab');
    await expect(access.getByRole('combobox', { name: 'Person' })).toBeFocused();

    await openSearch(page, `${network}/users`, 'finn', 1);
    await row(page, people.finn.email).click();
    await access.getByRole('link', { name: 'Sites', exact: true }).click();
    await access.getByRole('link', { name: 'Check access to Library (library.accesslab.org)' }).click();
    await expect(access.getByText('Finn Olsen may enter Library.')).toBeVisible();
    await expect(access.getByRole('combobox', { name: 'Site' })).toHaveValue('Library (library.accesslab.org)');
    await access.getByRole('combobox', { name: 'Site' }).fill('beamline');
    await page.getByRole('option', { name: /beamline/ }).click();
    await expect(page).toHaveURL(/\/access\/\d+\?search=finn$/);
  });

  await test.step('§2.16 a person or site that is not in the network is not found', async () => {
    await page.goto(`${page.url().replace(/\d+\?.*$/, '')}999999`);
    await expect(access.getByText('There is nothing to check')).toBeVisible();
    await page.goto(`${network}/users/999999/desktop`);
    await expect(page.getByText('This user was not found')).toBeVisible();
  });
});
