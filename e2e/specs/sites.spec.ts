import { expect, expectScreenQuality, test } from '../support/fixtures.ts';
import {
  assignFirstGroup,
  confirmRestriction,
  filterByDates,
  nameOf,
  openFilters,
  openSearch,
  panel,
  removeAllGroups,
  row,
  searchField,
} from '../support/lists.ts';
import { demonstration, origin, people, serviceProviderOrigin, unvisitedSiteCount } from '../support/world.ts';

const sites = '/sso-servers/eastlab/sites';

test.use({ person: people.gil });

test.describe('§2.6 sites list', () => {
  test('is searched, filtered, ticked and scrolled, and shows empty and error states', async ({ page }) => {
    await test.step('§2.6 sites list: shows its columns, count, plus button and icons, and a search starts at two characters', async () => {
      await page.goto(sites);
      await expect(page.getByText(/^\d+ of \d+ sites$/)).toBeVisible();
      await expect(page.getByRole('columnheader')).toHaveText(['', 'site name', 'site mode', 'status', 'Actions']);
      await expect(page.getByRole('button', { name: 'Add New Site' })).toBeVisible();
      await searchField(page).fill('p');
      await expect(page).toHaveURL(`${origin}${sites}`);
      await searchField(page).fill('plain');
      await expect(page.getByText('4 of 4 sites')).toBeVisible();
      for (const label of ['Edit SSO parameters of', 'mark as close:', 'Delete', 'Details of'])
        await expect(row(page, 'plain-1.eastlab.org').getByLabel(`${label} plain-1.eastlab.org`)).toBeAttached();
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await expect(page).toHaveURL(`${origin}${sites}`);
      await expectScreenQuality(page);
    });

    await test.step('§2.6 sites list: filters by status and mode, with removable pills; the address contains the filters', async () => {
      await openSearch(page, sites, 'plain', 4);
      const pick = async (value: string) => {
        await openFilters(page);
        await page.getByRole('radio', { name: value }).click();
      };
      await pick('Closed');
      await expect(page.getByText('2 of 2 sites')).toBeVisible();
      await pick('Disable');
      await expect(page.getByText('1 of 1 sites')).toBeVisible();
      await expect(row(page, 'plain-4.eastlab.org')).toBeVisible();
      await page.reload();
      await expect(page.getByText('1 of 1 sites')).toBeVisible();
      await page.getByRole('button', { name: 'Remove the filter site mode: Closed' }).click();
      await expect(page.getByText('2 of 2 sites')).toBeVisible();
      await page.goBack();
      await expect(page.getByText('1 of 1 sites')).toBeVisible();
    });

    await test.step('§2.6 sites list: delete and more actions need a ticked row; closed rows are styled as stopped', async () => {
      await openSearch(page, sites, 'plain', 4);
      for (const name of ['delete', 'more actions'])
        await expect(page.getByRole('button', { name, exact: true })).toBeDisabled();
      await expect(row(page, 'plain-3.eastlab.org')).toHaveAttribute('data-stopped', 'true');
      await expect(row(page, 'plain-1.eastlab.org')).not.toHaveAttribute('data-stopped', 'true');
      await page.getByRole('checkbox', { name: 'Tick plain-1.eastlab.org' }).check();
      await page.getByRole('button', { name: 'more actions' }).click();
      await expect(page.getByRole('menuitem')).toHaveText([
        'mark as open site',
        'mark as closed site',
        'remove selected site',
      ]);
    });

    await test.step('§2.6 sites list: an empty result shows a text', async () => {
      await page.goto(`${sites}?search=nothing-like-this`);
      await expect(page.getByText('There is no record in database')).toBeVisible();
    });

    await test.step('§4 scrolling to the bottom loads further pages, up to the total', async () => {
      const asked: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/server/sso/sites/')) asked.push(request.url());
      });
      const toBottom = () =>
        page
          .getByRole('grid')
          .locator('..')
          .evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
      await page.goto('/sso-servers/westlab/sites?search=far');
      await expect(page.getByText(`300 of ${unvisitedSiteCount} sites`)).toBeVisible();
      await toBottom();
      await expect(page.getByText(`600 of ${unvisitedSiteCount} sites`)).toBeVisible();
      await toBottom();
      await expect(page.getByText(`${unvisitedSiteCount} of ${unvisitedSiteCount} sites`)).toBeVisible();
      await toBottom();
      await expect(row(page, `far-${unvisitedSiteCount - 1}.westlab.org`)).toBeInViewport();
      expect(asked).toHaveLength(3);
      expect(new Set(asked).size).toBe(3);
    });

    await test.step('§2.6 sites list: a failed load shows a toast and the error panel instead of the list', async () => {
      await page.route('**/server/sso/sites/**', (route) =>
        route.fulfill({ status: 400, json: { message: 'The list is ill', code: 'bad_request' } }),
      );
      await page.goto(sites);
      await expect(page.getByText('The list is ill')).toBeVisible();
      await expect(page.getByText(/^Something went wrong with the SSO Server/)).toBeVisible();
    });
  });

  test('changes sites from a row and in bulk, after a confirmation', async ({ page }) => {
    await test.step('§2.6 sites list: a site is closed from its row and opened in bulk, after a confirmation', async () => {
      await openSearch(page, sites, 'mode-', 2);
      await row(page, 'mode-1.eastlab.org').hover();
      await page.getByRole('button', { name: 'mark as close: mode-1.eastlab.org' }).click();
      const dialog = page.getByRole('dialog', { name: 'Confirm changing site mode' });
      await expect(dialog).toContainText('Are you sure you want to Closed the selected site ?');
      await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
      await expect(row(page, 'mode-1.eastlab.org')).toContainText('Closed');
      await page.getByRole('checkbox', { name: 'Tick all' }).check();
      await page.getByRole('button', { name: 'more actions' }).click();
      await page.getByRole('menuitem', { name: 'mark as open site' }).click();
      await page.route('**/mode/Open', async (route) => {
        await expect(dialog.getByText(/^Changing site mode mode-/)).toBeVisible();
        await route.continue();
      });
      await expect(dialog).toContainText('Are you sure you want to Open the selected site ?');
      await dialog.getByRole('button', { name: 'Open' }).click();
      await expect(dialog).toHaveCount(0);
      await page.reload();
      await expect(row(page, 'mode-1.eastlab.org')).toContainText('Open');
      await page.unrouteAll();
    });

    await test.step('§2.6 sites list: sites are deleted one by one; a failure shows a toast and the next one follows', async () => {
      await openSearch(page, sites, 'doomed', 3);
      let refusals = 1;
      await page.route('**/server/sso/sites/*/eastlab', async (route) => {
        if (route.request().method() !== 'DELETE' || refusals === 0) return route.continue();
        refusals -= 1;
        return route.fulfill({ status: 503, json: { message: 'Not now', code: 'unavailable' } });
      });
      await page.getByRole('checkbox', { name: 'Tick all' }).check();
      await page.getByRole('button', { name: 'delete', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Confirm deleting site' });
      await expect(dialog).toContainText('Are you sure you want to delete the selected site ?');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await expect(page.getByText('Not now')).toBeVisible();
      await expect(page.getByText('1 of 1 sites')).toBeVisible();
      await page.reload();
      await expect(page.getByText('1 of 1 sites')).toBeVisible();
      await page.unrouteAll();
    });

    await test.step('§4 cancelling a bulk delete stops it after the current site, and the list is reloaded', async () => {
      await openSearch(page, sites, 'halted', 3);
      const dialog = page.getByRole('dialog', { name: 'Confirm deleting site' });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.method()));
      await page.route('**/server/sso/sites/*/eastlab', async (route) => {
        if (route.request().method() !== 'DELETE') return route.continue();
        await expect(dialog.getByText(/^Deleting halted-/)).toBeVisible();
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await expect(dialog.getByRole('button', { name: 'Stopping…' })).toBeVisible();
        return route.continue();
      });
      await page.getByRole('checkbox', { name: 'Tick all' }).check();
      await page.getByRole('button', { name: 'more actions' }).click();
      await page.getByRole('menuitem', { name: 'remove selected site' }).click();
      const reloaded = page.waitForResponse(/\/server\/sso\/sites\/\d+\/(search\/)?halted\/0\/eastlab$/);
      await dialog.getByRole('button', { name: 'Delete' }).click();
      expect(await (await reloaded).json()).toMatchObject({ all_sites: 2 });
      await expect(dialog).toHaveCount(0);
      await expect(page.getByText('2 of 2 sites')).toBeVisible();
      expect(asked.filter((method) => method === 'DELETE')).toHaveLength(1);
    });
  });
});

test.describe('§2.6 Add New Site and SSO Parameters', () => {
  test('a site is added once, manually or from its metadata, and edited', async ({ page, context }) => {
    await test.step('§2.6 Add New Site and SSO Parameters: a site is added, the list shows it by its domain, and people can sign in to it immediately', async () => {
      await page.goto(sites);
      await page.getByRole('button', { name: 'Add New Site' }).click();
      const modal = page.getByRole('dialog', { name: 'Add New Site' });
      await modal.getByRole('button', { name: 'Add New Site' }).click();
      await expect(modal.getByText('This filed is required')).toHaveCount(4);
      const fields = {
        'SSO Identity': `${demonstration}-east/metadata`,
        'SSO ACS URL': `${demonstration}-east/acs`,
        'SSO SLS URL': `${demonstration}-east/sls`,
        FQDN: 'added.eastlab.org',
      };
      for (const [label, value] of Object.entries(fields)) await modal.getByLabel(label, { exact: false }).fill(value);
      await modal.getByText('Identity provider details').click();
      await expect(modal.getByText(`${origin}/saml/eastlab/sso`)).toBeVisible();
      await expect(modal.getByText('BEGIN CERTIFICATE')).toBeVisible();
      await expectScreenQuality(page);
      await modal.getByRole('button', { name: 'Add New Site' }).click();
      await expect(page).toHaveURL(/search=added\.eastlab\.org/);
      await expect(row(page, 'added.eastlab.org')).toBeVisible();
      const site = await context.newPage();
      await site.goto(`${serviceProviderOrigin}/demonstration-east/login`);
      await expect(site.getByText(people.gil.email).first()).toBeVisible();
    });

    await test.step("§2.6 Add New Site and SSO Parameters: the same site again shows 'Same Site already exists' and the modal stays open", async () => {
      await page.goto(sites);
      await page.getByRole('button', { name: 'Add New Site' }).click();
      const modal = page.getByRole('dialog', { name: 'Add New Site' });
      await modal.getByLabel('SSO Identity').fill('HTTPS://plain-1.eastlab.org:443/metadata/');
      await modal.getByLabel('SSO ACS URL').fill('https://another.eastlab.org/acs');
      await modal.getByLabel('SSO SLS URL').fill('https://another.eastlab.org/sls');
      await modal.getByLabel('FQDN').fill('another.eastlab.org');
      await modal.getByRole('button', { name: 'Add New Site' }).click();
      await expect(modal.getByText('Same Site already exists')).toBeVisible();
      await expect(modal.getByLabel('FQDN')).toHaveValue('another.eastlab.org');
    });

    await test.step('§2.6 Add New Site and SSO Parameters: metadata fills the fields', async () => {
      await page.goto(sites);
      await page.getByRole('button', { name: 'Add New Site' }).click();
      const modal = page.getByRole('dialog', { name: 'Add New Site' });
      await modal.getByText('Fill in from metadata').click();
      await modal
        .getByLabel('Or the metadata itself (XML)')
        .fill(
          `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://pasted.org/sp"><SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><AssertionConsumerService index="0" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://pasted.org/acs"/></SPSSODescriptor></EntityDescriptor>`,
        );
      await modal.getByRole('button', { name: 'Read metadata' }).click();
      await expect(modal.getByLabel('SSO Identity')).toHaveValue('https://pasted.org/sp');
      await expect(modal.getByLabel('SSO ACS URL')).toHaveValue('https://pasted.org/acs');
      await expect(modal.getByText('There is no sign-out address')).toBeVisible();
      await expect(modal.getByText('Logout messages')).toHaveCount(0);
    });

    await test.step('§2.6 Add New Site and SSO Parameters: the binding and the addresses of logout messages', async () => {
      await openSearch(page, sites, 'edited', 1);
      await row(page, 'edited.eastlab.org').hover();
      await page.getByRole('button', { name: 'Edit SSO parameters of edited.eastlab.org' }).click();
      const modal = page.getByRole('dialog', { name: 'SSO Parameters' });
      await modal.getByText('Logout messages').click();
      const binding = modal.getByLabel('Logout binding');
      const backChannel = modal.getByLabel('Back channel (SOAP) URL');
      await expect(binding).toHaveValue('auto');
      await binding.selectOption('SOAP (between servers)');
      await expect(backChannel).toHaveCount(0);
      await binding.selectOption('POST');
      await modal.getByLabel('Response URL (if different)').fill('https://edited.eastlab.org/logged-out');
      await backChannel.fill('https://edited.eastlab.org/soap');
      await expectScreenQuality(page);
      await modal.getByRole('button', { name: 'Update' }).click();
      await expect(modal).toHaveCount(0);
      await row(page, 'edited.eastlab.org').hover();
      await page.getByRole('button', { name: 'Edit SSO parameters of edited.eastlab.org' }).click();
      await expect(binding).toHaveValue('post');
      await expect(backChannel).toHaveValue('https://edited.eastlab.org/soap');
      await modal.getByLabel('This site does not support single logout').check();
      await expect(binding).toHaveCount(0);
      await modal.getByLabel('This site does not support single logout').uncheck();
      await modal.getByRole('button', { name: 'Cancel' }).click();
      await expect(modal).toHaveCount(0);
    });

    await test.step('§2.6 Add New Site and SSO Parameters: identity and FQDN are read-only when editing', async () => {
      await openSearch(page, sites, 'edited', 1);
      await row(page, 'edited.eastlab.org').hover();
      await page.getByRole('button', { name: 'Edit SSO parameters of edited.eastlab.org' }).click();
      const modal = page.getByRole('dialog', { name: 'SSO Parameters' });
      await expect(modal.getByLabel('SSO Identity')).toHaveAttribute('readonly', '');
      await expect(modal.getByLabel('FQDN')).toHaveAttribute('readonly', '');
      await modal.getByLabel('SSO SLS URL').fill('https://edited.eastlab.org/other-sls');
      await modal.getByRole('button', { name: 'Update' }).click();
      await expect(modal).toHaveCount(0);
      await row(page, 'edited.eastlab.org').hover();
      await page.getByRole('button', { name: 'Edit SSO parameters of edited.eastlab.org' }).click();
      await expect(modal.getByLabel('SSO SLS URL')).toHaveValue('https://edited.eastlab.org/other-sls');
    });
  });
});

test.describe('§8 failures show the message of the server', () => {
  test('in the modal, in the panel and in the users list', async ({ page }) => {
    await test.step('§8 failures show the message of the server: in the SSO parameters modal, which stays open and is busy until then', async () => {
      await openSearch(page, sites, 'failing', 1);
      await row(page, 'failing.eastlab.org').hover();
      await page.getByRole('button', { name: 'Edit SSO parameters of failing.eastlab.org' }).click();
      const modal = page.getByRole('dialog', { name: 'SSO Parameters' });
      await page.route('**/server/sso/sites/update_site/eastlab', async (route) => {
        await expect(modal.getByRole('button', { name: 'please wait ....' })).toBeVisible();
        await route.fulfill({ status: 400, json: { message: 'The ACS is not for you', code: 'bad_request' } });
      });
      await modal.getByLabel('SSO ACS URL').fill('https://failing.eastlab.org/other-acs');
      await modal.getByRole('button', { name: 'Update' }).click();
      await expect(modal.getByRole('alert')).toHaveText('The ACS is not for you');
      await expect(modal.getByLabel('SSO ACS URL')).toHaveValue('https://failing.eastlab.org/other-acs');
      await modal.getByLabel('SSO ACS URL').fill('');
      await modal.getByRole('button', { name: 'Update' }).click();
      await expect(modal.getByText('This filed is required')).toHaveCount(1);
      await modal.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Leave without saving' }).click();
      await expect(modal).toHaveCount(0);
      await page.unrouteAll();
    });

    await test.step('§8 failures show the message of the server: in the panel as toasts, and the input is kept; its groups in the error panel', async () => {
      await openSearch(page, sites, 'failing', 1);
      await row(page, 'failing.eastlab.org').click();
      await page.route(/\/server\/sso\/site\/\d+$/, async (route) => {
        if (route.request().method() !== 'PUT') return route.continue();
        await expect(panel(page).getByRole('button', { name: 'please wait ....' })).toBeVisible();
        return route.fulfill({ status: 400, json: { message: 'Not this field', error: 'The site is wet' } });
      });
      await page.route('**/server/sso/site_groups/**', (route) =>
        route.fulfill({ status: 400, contentType: 'text/html', body: '<h1>The groups</h1><p>are <b>out</b></p>' }),
      );
      await panel(page).getByLabel('Site Name').fill('Failing');
      await panel(page).getByRole('button', { name: 'update site' }).click();
      await expect(page.getByText('The site is wet')).toBeVisible();
      await expect(panel(page).getByLabel('Site Name')).toHaveValue('Failing');
      await panel(page).getByRole('link', { name: 'Groups' }).click();
      await page.getByRole('button', { name: 'Leave without saving' }).click();
      await expect(page.getByText('The groups are out', { exact: true })).toBeVisible();
      await expect(panel(page).getByText(/^Something went wrong with the SSO Server/)).toBeVisible();
      await page.unrouteAll();
    });

    await test.step('§8 failures show the message of the server: a user who cannot be removed from a site is reported in a toast', async () => {
      await page.route('**/server/sso/site_delink/**', (route) =>
        route.fulfill({ status: 409, json: { message: 'They cling to it', code: 'not_visited_mode' } }),
      );
      await page.goto('/sso-servers/westlab/sites?search=seen-2');
      await row(page, 'seen-2.westlab.org').click();
      await panel(page).getByRole('link', { name: 'Users' }).click();
      await panel(page)
        .getByRole('checkbox', { name: `Tick ${nameOf(people.gil)}` })
        .check();
      await panel(page).getByRole('button', { name: 'remove' }).click();
      await page.getByRole('dialog', { name: 'Confirm removing user' }).getByRole('button', { name: 'Remove' }).click();
      await expect(page.getByText('They cling to it')).toBeVisible();
      await expect(panel(page).getByTitle(people.gil.email, { exact: true })).toBeVisible();
    });
  });
});

test('§9 a toast covers no control of a list, and no action needs a pointer that hovers', async ({ page }) => {
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.route('**/server/sso/sites/*/mode/*', (route) =>
      route.fulfill({ status: 503, json: { message: 'Not at the moment', code: 'unavailable' } }),
    );
    await openSearch(page, sites, 'plain-1', 1);
    await page.getByRole('checkbox', { name: 'Tick plain-1.eastlab.org' }).check();
    await page.getByRole('button', { name: 'more actions' }).click();
    await page.getByRole('menuitem', { name: 'mark as closed site' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(page.getByText('Not at the moment')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const listed = page.getByRole('row', { name: 'plain-1.eastlab.org' });
    for (const control of await listed.locator('a, button').all()) {
      if (!(await control.isVisible())) continue;
      await expect(control).toHaveCSS('opacity', '1');
      await control.click({ trial: true });
    }
    await page.unrouteAll();
  }
});

test.describe('§2.7 site side panel', () => {
  test('its details are shown, validated and saved; unsaved input is guarded', async ({ page }) => {
    await openSearch(page, sites, 'detailed', 1);
    await row(page, 'detailed.eastlab.org').click();
    await expect(page).toHaveURL(/\/sites\/detailed\.eastlab\.org\/\d+\/details\?search=detailed/);
    await expect(panel(page).getByRole('heading', { name: 'detailed.eastlab.org' })).toBeVisible();
    await expect(panel(page).getByRole('navigation').getByRole('link')).toHaveText([
      'Site Details',
      'Single sign-on',
      'Attributes',
      'Groups',
      'Users',
      'Access',
      'Activity',
      'Metadata',
    ]);
    await expect(panel(page).getByLabel('Closed message')).toHaveCount(0);
    await panel(page).getByText('Closed', { exact: true }).click();
    for (const label of ['Closed message', 'Message title', 'Message'])
      await expect(panel(page).getByLabel(label, { exact: true })).toBeVisible();
    await panel(page).getByLabel('Closed message').fill('Back on Monday');
    const terms = panel(page).getByLabel('Terms of use URL');
    await expect(terms).toHaveAttribute('readonly', '');
    await panel(page).getByLabel('Use domain level settings').uncheck();
    await expect(terms).not.toHaveAttribute('readonly', '');
    await panel(page).getByLabel('Site Name').fill('');
    await panel(page).getByRole('button', { name: 'update site' }).click();
    await expect(panel(page).getByText('Site name is required')).toBeVisible();
    await expect(panel(page).getByText('This filed is required')).toHaveCount(2);
    await expect(panel(page).getByText('This field is required')).toHaveCount(1);
    await panel(page).getByLabel("'Need Help?' support email").fill('nobody');
    await page.keyboard.press('Tab');
    await expect(panel(page).getByText('This field must be a valid email')).toBeVisible();
    await panel(page).getByLabel("'Need Help?' support email").fill('');
    await panel(page).getByLabel('Use domain level settings').check();
    await panel(page).getByLabel('Site Name').fill('Detailed');
    await panel(page).getByText('google', { exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    // Without email login, only a login without keys would be left.
    await panel(page).getByRole('switch', { name: 'email login' }).click();
    await panel(page).getByRole('button', { name: 'update site' }).click();
    const warning = page.getByRole('dialog', { name: 'Nobody could sign in to this site' });
    await expect(warning).toContainText('the chosen login types do not work yet: google');
    await expectScreenQuality(page);
    await warning.getByRole('button', { name: 'Keep editing' }).click();
    await panel(page).getByRole('switch', { name: 'email login' }).click();
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await panel(page).getByRole('button', { name: 'update site' }).click();
    await expect(page.getByText('Site sucessfully updated.')).toBeVisible();
    expect((await sent).postDataJSON()).toMatchObject({
      id: expect.any(Number),
      domain: 'detailed.eastlab.org',
      identity: expect.any(String),
      groups: expect.any(Array),
      with_out_group: 'yes',
    });
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await panel(page).getByRole('button', { name: 'update site' }).click();
      await expect(page.getByText('Site sucessfully updated.').first()).toBeVisible();
      // The toast covers neither the title of the panel nor its buttons.
      for (const part of [
        panel(page).getByRole('heading', { name: 'Detailed' }),
        panel(page).getByRole('button', { name: 'Close the panel' }),
        panel(page).getByRole('link', { name: 'Activity' }),
        panel(page).getByRole('button', { name: 'update site' }),
      ])
        await part.click({ trial: true });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.reload();
    await expect(page).toHaveTitle(/^Detailed · /);
    await expect(panel(page).getByLabel('Site Name')).toHaveValue('Detailed');
    await expect(panel(page).getByLabel('Closed message')).toHaveValue('Back on Monday');
    await expect(panel(page).getByLabel('google')).toBeChecked();
    await expect(panel(page).getByText('opensocial', { exact: true })).toBeVisible();
    await expectScreenQuality(page);
    await panel(page).getByRole('button', { name: 'cancel' }).click();
    await expect(page).toHaveURL(/\/sites\?search=detailed$/);
  });

  test('edits its look and groups, and shows users and activity', async ({ page }) => {
    await test.step('§2.7 site side panel: icons, colours and pictures are chosen from the libraries, previewed and removed', async () => {
      await openSearch(page, sites, 'looking', 1);
      await row(page, 'looking.eastlab.org').click();
      await panel(page).getByText('Icons & Background').click();
      await panel(page).getByRole('button', { name: 'Choose Site Icon' }).click();
      const icons = page.getByRole('dialog', { name: 'Choose an icon' });
      await icons.getByRole('textbox', { name: 'Search' }).fill('microscope');
      await expect(icons.getByText(/^[\d,]+ of [\d,]+ icons$/)).toBeVisible();
      await icons
        .getByRole('option', { name: /microscope/ })
        .first()
        .click();
      await icons.getByRole('button', { name: 'Use this icon' }).click();
      await expect(panel(page).getByRole('button', { name: 'Change Site Icon' })).toBeVisible();
      await panel(page)
        .getByRole('button', { name: /^Icon Color/ })
        .click();
      await expect(page.getByText('Base', { exact: true })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(panel(page).getByRole('img', { name: /Preview of the tile/ })).toBeVisible();
      await panel(page).getByRole('button', { name: 'Remove Site Icon' }).click();
      await expect(panel(page).getByRole('button', { name: 'Choose Site Icon' })).toBeVisible();
    });

    await test.step('§2.7 site side panel: groups are assigned and removed; without a ticked row nothing happens', async () => {
      await openSearch(page, sites, 'grouped', 1);
      await row(page, 'grouped.eastlab.org').click();
      await panel(page).getByRole('link', { name: 'Groups' }).click();
      await assignFirstGroup(page, 'Easterners', () => confirmRestriction(page, 'assign groups'));
      await expect(panel(page).getByText('Easterners')).toBeVisible();
      await panel(page).getByRole('link', { name: 'Users' }).click();
      await expect(panel(page).getByText('1 of 1 users')).toBeVisible();
      await removeAllGroups(page);
      await expect(panel(page).getByText('There is no record in database')).toBeVisible();
      await expect(panel(page).getByText('There is no record in database')).toBeVisible();
      await expectScreenQuality(page);
    });

    await test.step('§2.7 site side panel: without groups, all users of the network are listed, with a status column outside Visited mode', async () => {
      await openSearch(page, sites, 'looking', 1);
      await row(page, 'looking.eastlab.org').click();
      await panel(page).getByRole('link', { name: 'Users' }).click();
      await expect(panel(page).getByTitle(people.gil.email, { exact: true })).toBeVisible();
      await expect(panel(page).getByRole('columnheader')).toHaveText(['Status', 'Name', 'Email', 'Actions']);
      await panel(page).getByRole('row', { name: people.gil.email }).click();
      await expect(page).toHaveURL(/\/users\/\d+\/details$/);
    });

    await test.step('§2.7 site side panel: activity shows who tried to sign in, filtered by status and by date', async () => {
      await page.goto(`${sites}?search=looking`);
      await row(page, 'looking.eastlab.org').click();
      await panel(page).getByRole('link', { name: 'Activity' }).click();
      await expect(panel(page).getByText('2 of 2 logs')).toBeVisible();
      await expect(panel(page).getByRole('columnheader')).toHaveText([
        'Status',
        'Email',
        'IP Address',
        'Time',
        'Actions',
      ]);
      await openFilters(panel(page));
      await page.getByRole('radio', { name: 'failed' }).click();
      await expect(panel(page).getByText('1 of 1 logs')).toBeVisible();
      await openFilters(panel(page));
      await filterByDates(page, '2020-01-01', '2020-01-02');
      await expect(panel(page).getByText('There is no item in database')).toBeVisible();
      await openFilters(panel(page));
      await page.getByRole('button', { name: 'clear filter' }).click();
      await expect(panel(page).getByText('2 of 2 logs')).toBeVisible();
    });
  });
});

test.describe('§2.7 site side panel on the main network', () => {
  test.use({ person: people.ona });
  test('offers every login type but opensocial', async ({ page }) => {
    await page.goto('/sso-servers/opensocial/sites?search=main.example.org');
    await row(page, 'main.example.org').click();
    const types = panel(page).getByRole('group', { name: 'Login types' });
    await expect(types.locator('label')).toHaveText(['linkedin', 'google', 'facebook', 'github', 'twitter', 'azure']);
    await expect(panel(page).getByLabel('email login')).toBeChecked();
  });
});

test.describe('§6 the admin screens for a role user', () => {
  test.use({ person: people.ben });
  test('show the permission view and load no data', async ({ page }) => {
    let asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const path of [
      'sites',
      'users',
      'groups',
      'admins',
      'settings',
      'email-templates',
      'desktop',
      'sites/x/1/details',
      'users/1/details',
      'groups/1/details',
    ])
      await test.step(`§6 /sso-servers/northlab/${path} shows the permission view and loads no data`, async () => {
        asked = [];
        await page.goto(`/sso-servers/northlab/${path}`);
        await expect(page.getByText("You don't have permission to access this server.")).toBeVisible();
        await expect(page.getByText('Please ask your server admin to give you the permission')).toBeVisible();
        expect(asked.filter((each) => /^\/server\/sso\/(sites?|users?|groups?|owners)\//.test(each))).toEqual([]);
      });
  });
});
