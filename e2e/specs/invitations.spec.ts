import type { Page } from '@playwright/test';
import { expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { panel } from '../support/lists.ts';
import { people } from '../support/world.ts';

const users = '/sso-servers/eastlab/users';
const openUser = async (page: Page, email: string) => {
  await page.goto(`${users}?search=${email}`);
  await page.getByRole('row', { name: email }).click();
};

test('a person with an account in another network is invited, accepts on the profile, and leaves again', async ({
  browser,
  sessionOf,
}) => {
  const owner = await (await browser.newContext({ storageState: await sessionOf(people.gil) })).newPage();
  const own = await (await browser.newContext({ storageState: await sessionOf(people.ema) })).newPage();

  await test.step('§2.8 the invitation looks like any other, with the names that were typed', async () => {
    await owner.goto(`${users}/new`);
    await panel(owner).getByLabel('Email').fill(people.ema.email);
    await panel(owner).getByLabel('First Name').fill('Emma');
    await panel(owner).getByLabel('Last Name').fill('Lorentz');
    await panel(owner).getByRole('button', { name: 'create user' }).click();
    await expect(owner.getByText(`${people.ema.email} is invited.`)).toBeVisible();
    await openUser(owner, people.ema.email);
    await expect(panel(owner).getByRole('heading', { name: 'Emma Lorentz' })).toBeVisible();
    await expect(panel(owner).getByText('The invitation has not been accepted yet.')).toBeVisible();
    await expect(panel(owner).getByText('Sessions and second factors')).toHaveCount(0);
    await expectScreenQuality(owner);
  });

  await test.step('the person sees the invitation on the profile and accepts it', async () => {
    await own.goto('/profile');
    const invitations = own.getByRole('list', { name: 'Invitations' });
    await expect(invitations).toContainText('You are invited to join this network');
    await expectScreenQuality(own);
    await own.getByRole('button', { name: 'Accept the invitation to eastlab' }).click();
    await expect(own.getByText('You are now a member of eastlab.')).toBeVisible();
    await expect(invitations).toHaveCount(0);
    await expect(own.getByRole('list', { name: 'Networks' })).toContainText('eastlab');
    await own.goto('/sso-servers/eastlab');
    await expect(own.getByRole('heading', { level: 1 })).toBeVisible();
  });

  await test.step('§4 the owner sees a member of another home network, with their own name', async () => {
    await openUser(owner, people.ema.email);
    await expect(panel(owner).getByRole('heading', { name: 'Ema Lorenz' })).toBeVisible();
    await expect(panel(owner).getByText('The home network of this person is northlab')).toBeVisible();
    await panel(owner).getByText('Sessions and second factors').click();
    await expect(panel(owner).getByText('Not signed in to eastlab.')).toBeVisible();
    await expect(panel(owner).getByText('This person also belongs to other networks')).toBeVisible();
    await expectScreenQuality(owner);
  });

  await test.step('the person leaves the network after a confirmation', async () => {
    await own.goto('/profile');
    await own.getByRole('button', { name: 'Leave eastlab' }).click();
    await expect(own.getByText('You lose access to the applications of eastlab')).toBeVisible();
    await expectScreenQuality(own);
    await own.getByRole('dialog').getByRole('button', { name: 'Leave eastlab' }).click();
    await expect(own.getByText('You have left eastlab.')).toBeVisible();
    await expect(own.getByRole('list', { name: 'Networks' })).not.toContainText('eastlab');
    await owner.goto(`${users}?search=${people.ema.email}`);
    await expect(owner.getByText('There is no record in database')).toBeVisible();
  });
  await owner.context().close();
  await own.context().close();
});

test.describe('a help desk', () => {
  test.use({ person: people.gil });

  test('resets a lost second factor after a warning', async ({ page }) => {
    await openUser(page, people.kai.email);
    await panel(page).getByText('Sessions and second factors').click();
    await expect(panel(page).getByText('Set up: authenticator app.')).toBeVisible();
    await expect(panel(page).getByText('Not signed in anywhere.')).toBeVisible();
    await panel(page).getByRole('button', { name: 'Reset second factors' }).click();
    await expect(page.getByText('Do this only if you are sure who is asking')).toBeVisible();
    await expectScreenQuality(page);
    await page.getByRole('dialog').last().getByRole('button', { name: 'Reset second factors' }).click();
    await expect(page.getByText('The second factors were removed.')).toBeVisible();
    await expect(panel(page).getByText('No second factor is set up.')).toBeVisible();
  });
});
