import { buildAuthnRequest, newSamlId, redirectUrl } from '@opensocial/saml';
import { expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { panel, row } from '../support/lists.ts';
import { origin, people } from '../support/world.ts';

test.use({ person: people.gil });

const sites = '/sso-servers/eastlab/sites';
const application = { issuer: 'https://diagnosed.eastlab.org/metadata', acsUrl: 'https://diagnosed.eastlab.org/acs' };

/** Sends a request as the browser of somebody who wants to sign in. */
const send = async (changes: Partial<typeof application> = {}): Promise<number> => {
  const location = `${origin}/saml/eastlab/sso`;
  const draft = { id: newSamlId(), destination: location, issueInstant: new Date(), ...application, ...changes };
  const url = redirectUrl({ location, kind: 'SAMLRequest', xml: buildAuthnRequest(draft) });
  return (await fetch(url, { redirect: 'manual' })).status;
};

test('§2.6 §2.7 an unknown application is added from its request, and its wrong address is explained', async ({
  page,
}) => {
  expect(await send()).toBe(400);
  await expect(async () => {
    await page.goto(sites);
    await page.getByText(/^Requests from .*unknown application/).click({ timeout: 5_000 });
  }).toPass();
  await expect(page.getByText(application.issuer)).toBeVisible();
  await expectScreenQuality(page);
  await page.getByRole('button', { name: `Add this application: ${application.issuer}` }).click();
  const modal = page.getByRole('dialog', { name: 'Add New Site' });
  await expect(modal.getByLabel('SSO Identity')).toHaveValue(application.issuer);
  await expect(modal.getByLabel('SSO ACS URL')).toHaveValue(application.acsUrl);
  await modal.getByLabel('This site does not support single logout').check();
  await modal.getByRole('button', { name: 'Add New Site' }).click();
  await expect(page).toHaveURL(/search=diagnosed\.eastlab\.org/);
  await expect(page.getByText(application.issuer)).toHaveCount(0);

  expect(await send({ acsUrl: `${application.acsUrl}/` })).toBe(400);
  await row(page, 'diagnosed.eastlab.org').click();
  await panel(page).getByRole('link', { name: 'Single sign-on' }).click();
  await expect(panel(page).getByText('The last sign-in failed.')).toBeVisible();
  const diagnosis = panel(page).getByRole('region', { name: 'Diagnosis' });
  await expect(diagnosis.getByText(/the slash at the end differs\.$/)).toBeVisible();
  await expect(diagnosis.getByRole('button', { name: 'Copy received SSO ACS URL' })).toBeVisible();
  const compared = panel(page).getByRole('row', { name: /SSO ACS URL/ });
  await expect(compared.getByRole('cell')).toHaveText([`${application.acsUrl}/`, application.acsUrl]);
  // Nothing proves that the request came from the application.
  await expect(panel(page).getByRole('button', { name: 'Use the address of the request' })).toHaveCount(0);
  await expectScreenQuality(page);

  await panel(page).getByRole('button', { name: 'Record all for 10 minutes' }).click();
  await expect(panel(page).getByText(/^Every sign-in is recorded until/)).toBeVisible();
  expect(await send()).toBe(303);
});
