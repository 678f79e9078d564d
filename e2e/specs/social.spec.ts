import type { Browser, Page } from '@playwright/test';
import { expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { password, people, type SocialName, serviceProviderOrigin, socialNames, socialUser } from '../support/world.ts';

const social = `${serviceProviderOrigin}/demonstration-social/login`;
const fleeting = `${serviceProviderOrigin}/demonstration-fleeting/login`;

const labels = {
  google: 'Google',
  linkedin: 'LinkedIn',
  github: 'GitHub',
  facebook: 'Facebook',
  twitter: 'X',
  azure: 'Microsoft',
  work: 'Work',
  opensocial: 'OpenSocial',
} as const;

/** Each login has its own account number at the providers. */
const accountOf = (name: SocialName): string => String(1_000 + socialNames.indexOf(name));

const press = (page: Page, name: keyof typeof labels) =>
  page.getByRole('button', { name: `Continue with ${labels[name]}`, exact: true }).click();

/** Signs in on the provider's own page. */
const allow = async (page: Page, account: string, address: string, { verified = true } = {}) => {
  await page.getByLabel('Account').fill(account);
  await page.getByLabel('Address').fill(address);
  await page.getByLabel('Verified').setChecked(verified);
  await page.getByRole('button', { name: 'Allow' }).click();
};

const enter = async (page: Page, email: string) => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

const expectSignedIn = (page: Page, { email }: { email: string }) =>
  expect(page.getByRole('heading', { name: `Signed in as ${email}` })).toBeVisible();

const elsewhere = async (browser: Browser): Promise<Page> =>
  (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage();

test('§2.7 login types: five providers sign in to a site', async ({ page }) => {
  for (const name of ['google', 'linkedin', 'github', 'twitter', 'azure'] as const)
    await test.step(`§2.7 login types: ${name} signs in to a site, first by the verified address, then by the linked account`, async () => {
      const user = socialUser(name);
      // The second time with an address that neither we nor the provider know.
      for (const address of [user.email, 'another.address@elsewhere.example']) {
        await page.context().clearCookies();
        await page.goto(social);
        await press(page, name);
        await allow(page, accountOf(name), address);
        await expectSignedIn(page, user);
      }
    });
});

test('§2.7 login types: facebook does not verify addresses, so it is linked with the password first and then signs in', async ({
  page,
  browser,
}) => {
  const user = socialUser('facebook');
  await page.goto(social);
  await press(page, 'facebook');
  await allow(page, accountOf('facebook'), user.email);
  await expect(page.getByRole('alert')).toContainText(
    'Facebook does not confirm that this email address is yours. Sign in with your password now',
  );
  await expectScreenQuality(page);
  await enter(page, user.email);
  await expectSignedIn(page, user);

  const other = await elsewhere(browser);
  await other.goto(social);
  await press(other, 'facebook');
  await allow(other, accountOf('facebook'), user.email);
  await expectSignedIn(other, user);
  await other.context().close();
});

test('§2.7 login types: a cancelled or unverified login is refused', async ({ page }) => {
  for (const [name, refusal] of [
    ['work', 'Work does not confirm that this email address is yours.'],
    ['github', 'GitHub does not confirm that this email address is yours.'],
    ['twitter', 'X did not share your email address'],
  ] as const)
    await test.step(`§2.7 login types: ${name} is refused if it is cancelled or the address is unverified`, async () => {
      await page.context().clearCookies();
      await page.goto(social);
      await press(page, name);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('alert')).toContainText(
        `You were not signed in, because the sign-in was cancelled at ${labels[name]}.`,
      );
      await press(page, name);
      await allow(page, `9${accountOf(name)}`, people.sol.email, { verified: false });
      await expect(page.getByRole('alert')).toContainText(refusal);
    });
});

test('§2.7 login types: opensocial redirects to the sign-in of the main network and back to the site', async ({
  page,
  browser,
}) => {
  await page.goto(`${social}?state=where-I-was`);
  await expect(page.getByRole('heading', { name: 'Sign in to Social Application' })).toBeVisible();
  await press(page, 'opensocial');
  await expect(page.getByRole('heading', { name: 'Sign in to OpenSocial' })).toBeVisible();
  await expect(page.getByText('You will then continue to Social Application.')).toBeVisible();
  await expectScreenQuality(page);
  await page.getByRole('button', { name: 'Sign in another way' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Social Application' })).toBeVisible();
  await press(page, 'opensocial');
  await enter(page, socialUser('opensocial').email);
  await expectSignedIn(page, socialUser('opensocial'));
  await expect(page).toHaveURL(/state=where-I-was/);
  await expect(page.getByRole('row', { name: 'network sociallab' })).toBeVisible();

  const other = await elsewhere(browser);
  await other.goto(social);
  await press(other, 'opensocial');
  await enter(other, socialUser('stranger').email);
  await expect(other.getByRole('heading', { name: "You don't have access to Social Application" })).toBeVisible();
  await other.context().close();
});

test('§2.7 login types: a login type that is switched off during the sign-in is refused', async ({
  browser,
  sessionOf,
}) => {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const under = {
    google: await context.newPage(),
    github: await context.newPage(),
    opensocial: await context.newPage(),
  };
  for (const name of ['google', 'github', 'opensocial'] as const) {
    await under[name].goto(fleeting);
    await press(under[name], name);
  }
  await expect(under.opensocial.getByRole('heading', { name: 'Sign in to OpenSocial' })).toBeVisible();

  const owner = await (await browser.newContext({ storageState: await sessionOf(people.sol) })).newPage();
  await owner.goto('/sso-servers/sociallab/sites');
  await owner.getByRole('link', { name: 'fleeting.sociallab.org' }).click();
  for (const name of ['google', 'github', 'opensocial']) await owner.getByText(name, { exact: true }).click();
  await owner.getByRole('button', { name: 'update site' }).click();
  await expect(owner.getByText('Site sucessfully updated.')).toBeVisible();
  await owner.context().close();

  await allow(under.google, '777', people.sol.email);
  await allow(under.github, '777', people.sol.email);
  await enter(under.opensocial, people.sol.email);
  for (const name of ['google', 'github', 'opensocial'] as const) {
    await expect(under[name].getByRole('alert')).toContainText('This sign-in method is no longer offered here.');
    await expect(under[name].getByRole('heading', { name: 'Sign in to Fleeting Application' })).toBeVisible();
    await expect(under[name].getByRole('button', { name: `Continue with ${labels[name]}`, exact: true })).toBeHidden();
  }
  await context.close();
});
