import { expect, expectAccessible, expectScreenQuality, test } from '../support/fixtures.ts';
import { openSearch, panel, row } from '../support/lists.ts';
import { people } from '../support/world.ts';

const sites = '/sso-servers/eastlab/sites';

test.use({ person: people.gil });

test.describe('§2.7 Attributes of a site', () => {
  test('are chosen, reordered, previewed for a person and saved', async ({ page }) => {
    const attributes = panel(page);
    await test.step('§2.7 a preset fills in the list, and the screen is accessible with open rows', async () => {
      await openSearch(page, sites, 'mapped', 1);
      await row(page, 'mapped.eastlab.org').click();
      await attributes.getByRole('link', { name: 'Attributes' }).click();
      await expect(attributes.getByText('This site gets the default set')).toBeVisible();
      await expectScreenQuality(page);
      await attributes.getByRole('combobox', { name: 'Preset' }).click();
      await attributes.getByRole('option', { name: /eduPerson/ }).click();
      await attributes.getByRole('button', { name: /^isMemberOf/ }).click();
      await expect(attributes.getByLabel('Only groups that begin with')).toBeVisible();
      await expectAccessible(page);
    });

    await test.step('§2.7 rows are moved and removed with the keyboard, and the focus stays', async () => {
      const up = attributes.getByRole('button', { name: 'Move urn:oid:1.3.6.1.4.1.5923.1.5.1.1 up' });
      await up.focus();
      for (let turn = 0; turn < 6; turn += 1) await page.keyboard.press('Enter');
      await expect(up).toBeFocused();
      const rows = attributes.getByRole('list', { name: 'Attributes of this site' }).getByRole('listitem');
      await expect(rows.first()).toContainText('isMemberOf');
      await attributes.getByRole('button', { name: 'Remove urn:oid:2.5.4.42' }).press('Enter');
      await expect(rows).toHaveCount(5);
      await expect(attributes.getByRole('button', { name: 'Add attribute' })).toBeFocused();
    });

    await test.step('§2.2 leaving with unsaved changes asks first', async () => {
      await attributes.getByRole('link', { name: 'Groups' }).click();
      await page.getByRole('button', { name: 'Keep editing' }).click();
    });

    await test.step('§2.7 the preview shows the assertion of a person before it is saved', async () => {
      await attributes.getByRole('combobox', { name: 'Format', exact: true }).selectOption('Persistent');
      await attributes.getByRole('button', { name: 'Preview' }).click();
      const dialog = page.getByRole('dialog', { name: 'Preview of the assertion' });
      await dialog.getByRole('combobox', { name: 'Person' }).fill('member@eastlab');
      await page.getByRole('option', { name: /member@eastlab.org/ }).click();
      await expect(dialog.getByText('NameID (persistent)')).toBeVisible();
      await expect(dialog.getByRole('row', { name: /mail.*member@eastlab.org/ })).toBeVisible();
      await expect(dialog.getByRole('row', { name: /sn.*Ber/ })).toBeVisible();
      await dialog.getByText('XML', { exact: true }).click();
      await expect(dialog.getByRole('region', { name: 'XML of the assertion' })).toContainText('1970-01-01T00:05:00');
      await expectAccessible(page);
      await dialog.getByRole('combobox', { name: 'Person' }).fill('bo@listed');
      await page.getByRole('option', { name: /bo@listed.org/ }).click();
      await expect(dialog.getByText('Bo Listed could not sign in to this site: account disabled.')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
    });

    await test.step('§2.7 the attributes are saved, and a fault is shown at its field', async () => {
      await attributes.getByRole('button', { name: 'Add attribute' }).click();
      await attributes.getByRole('button', { name: 'save attributes' }).click();
      await expect(attributes.getByText('Enter the name of the attribute.')).toBeVisible();
      await expect(attributes.getByRole('combobox', { name: 'Name', exact: true }).last()).toBeFocused();
      await attributes.getByRole('combobox', { name: 'Name', exact: true }).last().fill('department');
      await attributes.getByLabel('Source').last().selectOption('Constant');
      await attributes.getByLabel('Values').fill('Chemistry');
      await attributes.getByRole('button', { name: 'save attributes' }).click();
      await expect(page.getByText('Attributes saved.')).toBeVisible();
      await page.reload();
      await expect(attributes.getByRole('button', { name: /^department/ })).toBeVisible();
      await expect(attributes.getByRole('combobox', { name: 'Format', exact: true })).toHaveValue('persistent');
    });
  });

  test('§2.6 of a new site are those that its metadata asks for', async ({ page }) => {
    await page.goto(sites);
    await page.getByRole('button', { name: 'Add New Site' }).click();
    const modal = page.getByRole('dialog', { name: 'Add New Site' });
    await modal.getByText('Fill in from metadata').click();
    await modal
      .getByLabel('Or the metadata itself (XML)')
      .fill(
        `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://asking.eastlab.org/sp"><SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><AssertionConsumerService index="0" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://asking.eastlab.org/acs"/><AttributeConsumingService index="3"><ServiceName xml:lang="en">x</ServiceName><RequestedAttribute Name="urn:oid:0.9.2342.19200300.100.1.3" FriendlyName="mail" isRequired="true"/><RequestedAttribute Name="department" isRequired="true"/></AttributeConsumingService></SPSSODescriptor></EntityDescriptor>`,
      );
    await modal.getByRole('button', { name: 'Read metadata' }).click();
    await expect(modal.getByText(/requires attributes that are not known here: department\./)).toBeVisible();
    await expect(modal.getByRole('checkbox', { name: /Release the requested attributes/ })).toBeChecked();
    await expectAccessible(page);
    await modal.getByRole('button', { name: 'Add New Site' }).click();
    await expect(modal).toHaveCount(0);
    await row(page, 'asking.eastlab.org').click();
    await panel(page).getByRole('link', { name: 'Attributes' }).click();
    const rows = panel(page).getByRole('list', { name: 'Attributes of this site' }).getByRole('listitem');
    await expect(rows).toHaveCount(1);
    await expect(rows.first()).toContainText('mail');
    await expect(panel(page).getByLabel('Index of the list above')).toHaveValue('3');
  });
});
