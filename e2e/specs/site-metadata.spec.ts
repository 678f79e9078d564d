import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSpMetadata } from '@opensocial/saml';
import { makeSigningKey } from '../../apps/server/src/secrets/signing-keys.ts';
import { expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { openSearch, panel, row } from '../support/lists.ts';
import { people } from '../support/world.ts';

test.use({ person: people.gil });

const sites = '/sso-servers/eastlab/sites';

test('§2.7 Metadata: a site is added by its address, and a change of its metadata is shown and applied', async ({
  page,
}) => {
  const [former, next] = await Promise.all(['former', 'next'].map((name) => makeSigningKey(name)));
  const metadataOf = (acs: string, certificates: string[]) =>
    buildSpMetadata({
      entityId: 'https://refreshed.eastlab.org/metadata',
      acsUrl: `https://refreshed.eastlab.org/${acs}`,
      slsUrl: 'https://refreshed.eastlab.org/sls',
      certificates,
    });
  let document = metadataOf('acs', [former?.certificate ?? '']);
  const application = createServer((_request, response) => response.end(document));
  await new Promise<void>((ready) => void application.listen(0, '127.0.0.1', ready));
  const address = `http://127.0.0.1:${(application.address() as AddressInfo).port}/metadata`;

  await page.goto(sites);
  await page.getByRole('button', { name: 'Add New Site' }).click();
  const modal = page.getByRole('dialog', { name: 'Add New Site' });
  await modal.getByText('Fill in from metadata').click();
  await modal.getByLabel('Metadata URL').fill(address);
  await modal.getByRole('button', { name: 'Read metadata' }).click();
  await expect(modal.getByText('The address is read again every day')).toBeVisible();
  await modal.getByRole('button', { name: 'Add New Site' }).click();
  await expect(page).toHaveURL(/search=refreshed\.eastlab\.org/);

  document = metadataOf('new-acs', [former?.certificate ?? '', next?.certificate ?? '']);
  await row(page, 'refreshed.eastlab.org').click();
  await panel(page).getByRole('link', { name: 'Metadata' }).click();
  await expect(panel(page).getByText(address)).toBeVisible();
  await panel(page).getByRole('button', { name: 'Refresh now' }).click();
  await expect(panel(page).getByText('https://refreshed.eastlab.org/new-acs')).toBeVisible();
  await expect(panel(page).getByRole('checkbox')).toHaveCount(2);
  await expectScreenQuality(page);

  await panel(page).getByRole('checkbox', { name: 'SSO ACS URL' }).check();
  await panel(page).getByRole('button', { name: 'Apply 1 change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Apply the metadata' });
  await dialog.getByRole('button', { name: 'Apply 1 change' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(panel(page).getByText('https://refreshed.eastlab.org/new-acs')).toHaveCount(0);
  await panel(page).getByRole('button', { name: 'Edit SSO parameters' }).click();
  const parameters = page.getByRole('dialog', { name: 'SSO Parameters' });
  await expect(parameters.getByLabel('SSO ACS URL')).toHaveValue('https://refreshed.eastlab.org/new-acs');
  await expect(parameters.getByLabel('Metadata URL')).toHaveValue(address);
  await page.keyboard.press('Escape');

  await openSearch(page, sites, 'refreshed', 1);
  await expect(row(page, 'refreshed.eastlab.org')).toContainText('metadata changed');
  await expectScreenQuality(page);
  application.close();
});
