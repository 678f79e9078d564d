import {
  type Answer,
  type AnyCall,
  listActivity,
  listAllSiteUsers,
  listNetworks,
  listSites,
} from '@opensocial/contract';
import type { Page } from '@playwright/test';
import { expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { startDemonstration } from '../support/program.ts';
import { demonstrationPort } from '../support/world.ts';

let demo: Awaited<ReturnType<typeof startDemonstration>>;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  // It first creates 2,000 people and their log lines.
  test.setTimeout(300_000);
  demo = await startDemonstration(demonstrationPort);
});
test.afterAll(async () => expect(await demo.stop()).toBe(0));

/** The password that the owner has after the test that changes it. */
const laterPassword = 'another long sentence';

const signInAs = async (page: Page, email: string, password = demo.password) => {
  await page.goto(demo.origin);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^(Good|Hello)/ })).toBeVisible();
};

/** Clicks a tile and returns the application in its new tab. */
const openTile = async (page: Page, name: string): Promise<Page> => {
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name }).click();
  return opened;
};

test.describe('npm run demo', () => {
  test('§2.3 a tile opens an application that is signed in; a sign-out there signs out the console', async ({
    page,
  }) => {
    await signInAs(page, demo.user);
    const site = await openTile(page, 'Quality Manual');
    await expect(site.getByRole('heading', { name: `Signed in as ${demo.user}` })).toBeVisible();
    for (const attribute of [/^uid/, `email ${demo.user}`, 'firstname Ben', 'lastname Kaya', 'network northlab'])
      await expect(site.getByRole('row', { name: attribute })).toBeVisible();
    await site.getByRole('link', { name: 'Sign out' }).click();
    await expect(site.getByRole('heading', { name: 'Signed out' })).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  });

  test('§2.2 Logout in the console signs out of the application', async ({ page }) => {
    await signInAs(page, demo.owner);
    const site = await openTile(page, 'Genomics Portal');
    await expect(site.getByRole('row', { name: 'groups' })).toContainText('Genomics');
    await page.getByRole('button', { name: /Ana Moreno/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    await site.reload();
    await expect(site.getByRole('heading', { name: 'Signed out' })).toBeVisible();
  });

  test('§2.4 creates its people, sites and networks', async ({ page }) => {
    await signInAs(page, demo.owner);
    await expect(page.getByRole('list', { name: 'Apps' }).getByRole('link')).toHaveCount(12);
    await page.goto(`${demo.origin}/sso-servers`);
    await expect(page.getByText('3 of 3 servers')).toBeVisible();
    await page.getByRole('link', { name: 'Details of northlab' }).click();
    await expect(page.getByText('1,200')).toBeVisible();
    await test.step('§2.8 people have every state: invited, disabled and not confirmed', async () => {
      await page.goto(`${demo.origin}/sso-servers/northlab/users?status=NonConfirmed`);
      await expect(page.getByText(/^\d+ of 70 users/)).toBeVisible();
      await page.goto(`${demo.origin}/sso-servers/northlab/users?mode=Disable`);
      await expect(page.getByText(/^\d+ of 49 users/)).toBeVisible();
    });
    await test.step('§2.13 the last visits to a site match its log', async () => {
      const read = async <C extends AnyCall>(_call: C, path: string) =>
        (await (await page.request.get(`${demo.origin}${path}`)).json()) as Answer<C>;
      const { data } = await read(listNetworks, listNetworks.path.build({ username: demo.owner, lastid: 0 }));
      const serverId = data.find(({ url }) => url === 'northlab')?.id ?? 0;
      const ofNetwork = { server_id: serverId, sso_server: 'northlab' };
      const { sites } = await read(listSites, listSites.path.build({ ...ofNetwork, keyword: 'reports', lastid: 0 }));
      const siteId = sites[0]?.id ?? 0;
      const users = await read(listAllSiteUsers, listAllSiteUsers.path.build({ siteId, serverId }));
      const lines = listActivity.path.build({ server: 'northlab', site: String(siteId), lastid: 0 });
      const { logs } = await read(listActivity, lines);
      const newest = new Map(logs.toReversed().map(({ email, login_time }) => [email, login_time]));
      expect(newest.size).toBeGreaterThan(50);
      const visits = new Map(users.map(({ email, visited }) => [email, visited]));
      for (const [email, at] of newest) expect(visits.get(email), email).toBe(at);
    });
    await test.step('§2.10 password history: the initial password of the demonstration cannot be chosen again', async () => {
      await page.goto(`${demo.origin}/profile`);
      const change = async (from: string, to: string) => {
        await page.getByLabel('Old password').fill(from);
        await page.getByLabel('New password').fill(to);
        await page.getByLabel('Confirm password').fill(to);
        await page.getByRole('button', { name: 'Reset Password' }).click();
      };
      await change(demo.password, laterPassword);
      await expect(page.getByText('Password change sucessfully')).toBeVisible();
      await change(laterPassword, demo.password);
      await expect(page.getByText('This is one of your last 3 passwords. Choose another one.')).toBeVisible();
    });
  });

  test('§2.8 without a mail server, an invitation is handed over as a link', async ({ page, browser }) => {
    await signInAs(page, demo.owner, laterPassword);
    await page.goto(`${demo.origin}/sso-servers/northlab/users/new`);
    await expect(page.getByText('No mail server is set up, so the person gets no email.')).toBeVisible();
    await page.getByLabel('Email').fill('handed@over.org');
    await page.getByLabel('First Name').fill('Han');
    await page.getByLabel('Last Name').fill('Ded');
    await page.getByRole('button', { name: 'create user' }).click();
    const glance = page.getByRole('region', { name: 'At a glance' });
    await expect(glance).toContainText('No mail server is set up');
    await glance.getByRole('button', { name: 'Create invitation link' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Create invitation link' }).click();
    const shown = page.getByRole('dialog', { name: 'Invitation link for handed@over.org' });
    const link = (await shown.getByRole('definition').textContent()) ?? '';
    await expectScreenQuality(page);
    const theirs = await (await browser.newContext()).newPage();
    await theirs.goto(link);
    await theirs.getByLabel('Enter Password').fill('quite a long new password');
    await theirs.getByLabel('Retype Password').fill('quite a long new password');
    await theirs.getByRole('button', { name: 'Confirm Account' }).click();
    await expect(theirs.getByText('Congratulations!')).toBeVisible();
    await theirs.context().close();
    await page.reload();
    await expect(glance).toContainText('The account was activated by a copied link');
  });

  test('§2.10 without a mail server, a second factor for everybody is not required by somebody who has none', async ({
    page,
  }) => {
    await signInAs(page, demo.owner, laterPassword);
    await page.goto(`${demo.origin}/sso-servers/northlab/settings`);
    await page.getByRole('switch', { name: 'MFA' }).check();
    await expect(page.getByRole('checkbox', { name: 'Authenticator app (TOTP)' })).toBeChecked();
    await page.getByRole('button', { name: 'Save settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Who is affected' });
    await expect(dialog).toContainText(
      /[\d,]+ users have no second factor yet and will not be able to sign in any more/,
    );
    await expectScreenQuality(page);
  });

  test('§2.9 without a mail server, the link of a new owner is in the dialog', async ({ page }) => {
    await signInAs(page, demo.owner, laterPassword);
    await page.goto(`${demo.origin}/sso-servers/northlab/admins`);
    const opener = page.getByRole('button', { name: 'Add New Owner' });
    await opener.click();
    await page.getByLabel('Email address').fill('second@owner.org');
    await page.getByRole('button', { name: 'Add Owner', exact: true }).click();
    const shown = page.getByRole('dialog', { name: 'Invitation link for second@owner.org' });
    await expect(shown.getByRole('definition')).toContainText('/set-password?');
    await expectScreenQuality(page);
    await shown.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Close without copying' }).click();
    await expect(opener).toBeFocused();
    await expect(page.getByRole('row', { name: 'second@owner.org' })).toContainText('not confirmed yet');
  });

  test('§2.4 without a mail server, the link for the owner of a new network is in the dialog', async ({ page }) => {
    await signInAs(page, demo.installer);
    await page.goto(`${demo.origin}/sso-servers`);
    await page.getByRole('button', { name: 'New network' }).click();
    await page.getByLabel('Name').fill('eastlab');
    await page.getByLabel('Owner email').fill('head@eastlab.org');
    await page.getByRole('button', { name: 'Create network' }).click();
    const shown = page.getByRole('dialog', { name: 'Invitation link for head@eastlab.org' });
    await expect(shown.getByRole('definition')).toContainText('/set-password?');
    await expectScreenQuality(page);
  });
});
