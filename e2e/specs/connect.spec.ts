import type { Page } from '@playwright/test';
import {
  clipboardOf,
  expect,
  expectAccessible,
  expectFitsPhone,
  expectScreenQuality,
  test,
} from '../support/fixtures.ts';
import { openSearch, panel, row } from '../support/lists.ts';
import { startSmallApplication } from '../support/small-application.ts';
import { origin, people } from '../support/world.ts';

const guide = '/sso-servers/eastlab/connect';
const sites = '/sso-servers/eastlab/sites';

test.use({ person: people.gil, permissions: ['clipboard-read', 'clipboard-write'] });

const copy = async (page: Page, label: string): Promise<string> => {
  await page.getByRole('button', { name: `Copy ${label}`, exact: true }).click();
  return clipboardOf(page);
};

const expectStep = (page: Page, title: string) =>
  expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();

test.describe('§2.6 Connect an application', () => {
  test('an application is connected with a recipe, and somebody signs in to it', async ({ page, context }) => {
    const application = await startSmallApplication();
    try {
      await test.step('the guide begins in the list of sites', async () => {
        await page.goto(sites);
        await page.getByRole('link', { name: 'Connect an application' }).click();
        await expectStep(page, 'Choose the application');
        await expectScreenQuality(page);
        await page.getByRole('textbox', { name: 'Search applications' }).fill('oauth');
        await page.getByRole('radio', { name: 'oauth2-proxy' }).check();
        await page.getByRole('textbox', { name: 'Name' }).fill('Lab notes');
        await page.getByRole('button', { name: 'Continue' }).click();
      });

      await test.step('the address is enough, and what was entered survives a reload', async () => {
        await page.getByRole('textbox', { name: 'Address of Lab notes' }).fill(`${application.address}/`);
        await page.reload();
        await expect(page.getByRole('textbox', { name: 'Address of Lab notes' })).toHaveValue(
          `${application.address}/`,
        );
        await expect(page.getByText(`${application.address}/oauth2/callback`)).toBeVisible();
        await expectScreenQuality(page);
        await page.getByRole('button', { name: 'Add application' }).click();
      });

      await test.step('the values of the application are copied', async () => {
        await expectStep(page, 'Set up the application');
        await expectScreenQuality(page);
        const issuer = await copy(page, 'Issuer');
        expect(issuer).toBe(`${origin}/oidc/eastlab`);
        application.configure({
          issuer,
          clientId: await copy(page, 'Client ID'),
          secret: await copy(page, 'Client secret'),
        });
        await expect(page.getByRole('region', { name: /oauth2-proxy/ })).toContainText(`${application.address}/oauth2`);
        await page.getByRole('button', { name: 'Continue' }).click();
      });

      await test.step('everybody may use it, and it gets a tile', async () => {
        await expectStep(page, 'Who may use it');
        await expectScreenQuality(page);
        await page.getByRole('button', { name: 'Continue' }).click();
      });

      await test.step('a sign-in in another tab is noticed', async () => {
        await expectStep(page, 'Test it');
        await expect(page.getByText('Waiting for the first sign-in')).toBeVisible();
        const [tab] = await Promise.all([
          context.waitForEvent('page'),
          page.getByRole('link', { name: 'Open Lab notes' }).click(),
        ]);
        await expect(tab.getByRole('heading')).toHaveText(`Signed in as ${people.gil.email}`);
        await tab.close();
        await expect(page.getByText('It works', { exact: true })).toBeVisible();
        await expectScreenQuality(page);
        await page.getByRole('button', { name: 'Finish' }).click();
      });

      await test.step('§2.7 the tab Single sign-on shows both sides', async () => {
        const tab = panel(page);
        await expect(tab.getByRole('heading', { name: 'Enter these in your application' })).toBeVisible();
        await expect(tab.getByText('Everybody in this network', { exact: true })).toBeVisible();
        await expect(tab.getByText('It is not on the desktop.')).toBeHidden();
        await expectAccessible(page);
        await page.setViewportSize({ width: 390, height: 844 });
        await expectFitsPhone(page);
      });
    } finally {
      await application.stop();
    }
  });

  test('an application with SAML is connected by hand and by recipe', async ({ page }) => {
    await test.step('without metadata, the form of §2.6 is filled in', async () => {
      await page.goto(guide);
      await page.getByRole('radio', { name: 'Another application with SAML' }).check();
      await page.getByRole('textbox', { name: 'Name' }).fill('Wiki');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expectScreenQuality(page);
      await page.getByRole('radio', { name: 'By hand' }).check();
      await page.getByRole('textbox', { name: 'SSO Identity' }).fill('https://guided-wiki.eastlab.org/sp');
      await page.getByRole('textbox', { name: 'SSO ACS URL' }).fill('https://guided-wiki.eastlab.org/acs');
      await expect(page.getByRole('checkbox', { name: /does not support single logout/i })).toBeChecked();
      await expect(page.getByRole('textbox', { name: 'FQDN' })).toHaveValue('guided-wiki.eastlab.org');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Add application' }).click();
      await expectStep(page, 'Set up the application');
      await expect(page.getByRole('button', { name: 'Download certificate' })).toBeVisible();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download certificate' }).click();
      expect((await download).suggestedFilename()).toBe('eastlab-certificate.pem');
      await expectScreenQuality(page);
    });

    await test.step('the guide of the site can be left and resumed from its panel', async () => {
      await openSearch(page, sites, 'guided-wiki', 1);
      await expect(row(page, 'guided-wiki.eastlab.org')).toBeVisible();
      await row(page, 'guided-wiki.eastlab.org').getByRole('link').first().click();
      await panel(page).getByRole('link', { name: 'Single sign-on' }).click();
      await panel(page).getByRole('link', { name: 'Show it' }).click();
      await expectStep(page, 'Who may use it');
    });
  });
});
