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
    await expect(panel(owner).getByText('Devices and sessions')).toHaveCount(0);
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
    const glance = panel(owner).getByRole('region', { name: 'At a glance' });
    await expect(glance).toContainText('Not signed in to eastlab');
    await expect(glance).toContainText('Not shown, because this person also belongs to other networks.');
    await expect(glance).toContainText('is up to northlab, the home network of this person');
    await expect(glance.getByRole('button', { name: 'Disable' })).toHaveCount(0);
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
    const glance = panel(page).getByRole('region', { name: 'At a glance' });
    await expect(glance).toContainText('Authenticator app');
    await expect(glance).toContainText('Not signed in anywhere');
    await panel(page).getByRole('button', { name: 'Reset second factors' }).click();
    await expect(page.getByText('Do this only if you are sure who is asking')).toBeVisible();
    await expectScreenQuality(page);
    await page.getByRole('dialog').last().getByRole('button', { name: 'Reset second factors' }).click();
    await expect(page.getByText('The second factors were removed.')).toBeVisible();
    await expect(glance).toContainText('Second factorsNone');

    await test.step('§2.8 timeline: the reset and its mail are in the timeline, which is filtered by kind', async () => {
      await panel(page).getByRole('link', { name: 'Timeline' }).click();
      const timeline = panel(page).getByRole('list', {
        name: `Timeline of ${people.kai.firstname} ${people.kai.lastname}`,
      });
      await expect(timeline.getByText('Second factors reset', { exact: true })).toBeVisible();
      await expect(timeline.getByText('Email sent: Notice of a reset of the second factors')).toBeVisible();
      await expectScreenQuality(page);
      await panel(page).getByText('Emails', { exact: true }).click();
      await expect(timeline.getByText('Second factors reset', { exact: true })).toHaveCount(0);
      await panel(page).getByText('Sign-ins', { exact: true }).click();
      await expect(panel(page).getByText('There are no entries of this kind.')).toBeVisible();
    });
  });

  test('sends a link for a new password, and disables and enables an account', async ({ page }) => {
    await openUser(page, 'helped@eastlab.org');
    const glance = panel(page).getByRole('region', { name: 'At a glance' });
    await expect(glance).toContainText('Can sign in to eastlab.');
    await glance.getByRole('button', { name: 'Send password link' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Send password link' }).click();
    await expect(page.getByText('The link for a new password was sent.')).toBeVisible();
    await glance.getByRole('button', { name: 'Disable account' }).click();
    await expect(page.getByText('cannot sign in anywhere until you enable the account again')).toBeVisible();
    await expectScreenQuality(page);
    await page.getByRole('dialog').last().getByRole('button', { name: 'Disable account' }).click();
    await expect(page.getByText('The user was disabled and signed out.')).toBeVisible();
    await expect(panel(page).getByText('account disabled')).toBeVisible();
    await glance.getByRole('button', { name: 'Enable account' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Enable account' }).click();
    await expect(page.getByText('The user can sign in again.')).toBeVisible();
    await panel(page).getByRole('link', { name: 'Timeline' }).click();
    const timeline = panel(page).getByRole('list', { name: 'Timeline of Hel Ped' });
    await expect(timeline.getByRole('listitem')).toHaveCount(6);
    await expect(timeline.getByText('The link has not been used yet.')).toBeVisible();
  });
});
