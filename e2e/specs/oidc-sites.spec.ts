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
import { origin, people } from '../support/world.ts';

const sites = '/sso-servers/eastlab/sites';
const issuer = `${origin}/oidc/eastlab`;

test.use({ person: people.gil, permissions: ['clipboard-read', 'clipboard-write'] });

/** Opens the form of a new site that uses OpenID Connect. */
const openForm = async (page: Page) => {
  await page.goto(sites);
  await page.getByRole('button', { name: 'Add New Site' }).click();
  const modal = page.getByRole('dialog', { name: 'Add New Site' });
  await modal.getByRole('radio', { name: 'SAML' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(modal.getByRole('radio', { name: 'OpenID Connect' })).toBeChecked();
  return modal;
};

test.describe('§2.6 and §2.7 a site that uses OpenID Connect', () => {
  test('is added, configured in Grafana, and gets another secret', async ({ page }) => {
    const domain = 'grafana.eastlab.org';
    let secret = '';
    await test.step('§2.6 the form is chosen with the keyboard, and shows faults at their fields', async () => {
      const modal = await openForm(page);
      await modal.getByText('Advanced', { exact: true }).click();
      await expectAccessible(page);
      await modal.getByRole('button', { name: 'Add New Site' }).click();
      await expect(modal.getByText('Enter at least one address.')).toBeVisible();
      await modal.getByRole('textbox', { name: 'FQDN' }).fill(domain);
      await modal.getByRole('textbox', { name: /^Redirect URLs/ }).fill(`https://${domain}/other`);
      await modal.getByRole('button', { name: 'Add New Site' }).click();
      await expect(modal.getByRole('heading', { name: `${domain} was added` })).toBeFocused();
    });

    await test.step('§2.6 the values of the application can be copied, and the secret is shown once', async () => {
      const modal = page.getByRole('dialog', { name: 'Add New Site' });
      await expect(modal.getByText('The secret is shown only now.')).toBeVisible();
      await modal.getByRole('button', { name: 'Copy Issuer' }).click();
      expect(await clipboardOf(page)).toBe(issuer);
      await modal.getByRole('button', { name: 'Copy Client secret' }).click();
      secret = await clipboardOf(page);
      expect(secret).toMatch(/^[\w-]{43}$/);
      await modal.getByRole('combobox', { name: 'Application' }).click();
      await modal.getByRole('option', { name: 'Grafana' }).click();
      await modal.getByRole('button', { name: 'Copy grafana.ini' }).click();
      const ini = await clipboardOf(page);
      expect(ini).toContain(`client_secret = ${secret}\n`);
      expect(ini).toContain(`auth_url = ${issuer}/auth\n`);
      await expectAccessible(page);
    });

    await test.step('§2.7 the redirect address of the application is added with one click', async () => {
      const modal = page.getByRole('dialog', { name: 'Add New Site' });
      await expect(modal.getByText(`https://${domain}/login/generic_oauth`, { exact: true })).toBeVisible();
      await modal.getByRole('button', { name: 'Add this address' }).click();
      await expect(modal.getByRole('button', { name: 'Add this address' })).toHaveCount(0);
      await modal.getByRole('button', { name: 'Done' }).click();
      await expect(row(page, domain)).toContainText('OpenID Connect');
    });

    const tab = panel(page);
    await test.step('§2.7 the panel has the parameters, and a second secret replaces the first', async () => {
      await row(page, domain).click();
      await expect(tab.getByRole('link', { name: 'Metadata' })).toHaveCount(0);
      await tab.getByRole('link', { name: 'Single sign-on' }).click();
      await expect(tab.getByText(`${issuer}/.well-known/openid-configuration`)).toBeVisible();
      await expect(tab.getByText(`ends with ${secret.slice(-4)}`)).toBeVisible();
      await expectScreenQuality(page);
      await tab.getByRole('button', { name: 'Create another secret' }).click();
      await tab.getByRole('button', { name: 'Copy Client secret' }).click();
      const second = await clipboardOf(page);
      expect(second).not.toBe(secret);
      await expect(tab.getByRole('button', { name: 'Create another secret' })).toBeDisabled();
      await tab.getByRole('button', { name: `Remove the secret that ends with ${secret.slice(-4)}` }).click();
      await page
        .getByRole('dialog', { name: 'Remove this secret?' })
        .getByRole('button', { name: 'Remove secret' })
        .click();
      await expect(tab.getByRole('list', { name: 'Secrets of this site' }).getByRole('listitem')).toHaveCount(1);
      await expect(tab.getByRole('heading', { name: 'Secrets' })).toBeFocused();
      await page.reload();
      await expect(tab.getByText(`ends with ${second.slice(-4)}`)).toBeVisible();
      await expect(page.getByText(second)).toHaveCount(0);
    });

    await test.step('§2.7 the parameters are edited, and a stored redirect address is kept', async () => {
      await tab.getByRole('button', { name: 'Edit SSO parameters' }).click();
      const modal = page.getByRole('dialog', { name: 'SSO Parameters' });
      await expect(modal.getByRole('textbox', { name: /^Redirect URLs/ })).toHaveValue(
        `https://${domain}/other\nhttps://${domain}/login/generic_oauth`,
      );
      await modal.getByRole('textbox', { name: /^Redirect URLs/ }).fill(`https://${domain}/login/generic_oauth`);
      await modal.getByRole('button', { name: 'Update' }).click();
      await expect(page.getByText('Site sucessfully updated.')).toBeVisible();
    });

    await test.step('§2.7 claims are added, and names of the protocol are refused', async () => {
      await tab.getByRole('link', { name: 'Claims' }).click();
      await tab.getByRole('button', { name: 'Use a custom list' }).click();
      await tab.getByRole('button', { name: 'Add claim' }).click();
      await tab.getByRole('textbox', { name: 'Name' }).fill('sub');
      await tab.getByRole('button', { name: 'save claims' }).click();
      await expect(tab.getByText('sub is a claim of the protocol. Choose another name.')).toBeVisible();
      await tab.getByRole('textbox', { name: 'Name' }).fill('department');
      await tab.getByLabel('Source').selectOption('Constant');
      await tab.getByLabel('Values').fill('Chemistry');
      await tab.getByRole('button', { name: 'save claims' }).click();
      await expect(page.getByText('Claims saved.')).toBeVisible();
      await expectAccessible(page);
    });

    await test.step('§2.7 the claims about a person are shown', async () => {
      await tab.getByRole('button', { name: 'Preview' }).click();
      const preview = page.getByRole('dialog', { name: 'Preview of the claims' });
      await preview.getByRole('combobox', { name: 'Person' }).fill('gil.katz');
      await page.getByRole('option', { name: /gil.katz@eastlab.org/ }).click();
      await expect(preview.getByRole('row', { name: /department.*Chemistry/ })).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
    });

    await test.step('§2.7 an address of a tab that the site does not have leads to its own', async () => {
      await page.goto(page.url().replace('/attributes', '/metadata'));
      await expect(page).toHaveURL(/\/sso\?search=/);
    });
  });

  test('fits a phone', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const modal = await openForm(page);
    await modal.getByRole('textbox', { name: 'FQDN' }).fill('phone.eastlab.org');
    await modal.getByRole('textbox', { name: /^Redirect URLs/ }).fill('https://phone.eastlab.org/callback');
    await modal.getByRole('button', { name: 'Add New Site' }).click();
    await modal.getByRole('combobox', { name: 'Application' }).click();
    await modal.getByRole('option', { name: 'Nextcloud' }).click();
    await expectAccessible(page);
    await expectFitsPhone(page);
    await modal.getByRole('button', { name: 'Done' }).click();
    await openSearch(page, sites, 'phone.eastlab', 1);
    await expect(row(page, 'phone.eastlab.org')).toContainText('OpenID Connect');
    await row(page, 'phone.eastlab.org').click();
    await panel(page).getByRole('link', { name: 'Single sign-on' }).click();
    await expect(panel(page).getByRole('heading', { name: 'Configure the application' })).toBeVisible();
    await expectFitsPhone(page);
  });
});
