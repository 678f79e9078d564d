import type { CDPSession, Page } from '@playwright/test';
import { expect, expectScreenQuality, signIn, test } from '../support/fixtures.ts';
import { origin, people } from '../support/world.ts';

const card = (page: Page) => page.getByRole('region', { name: 'Passkeys', exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' });
const expectDesktop = (page: Page) => expect(page.getByRole('heading', { name: /^(Good|Hello)/ })).toBeVisible();

type Device = { cdp: CDPSession; authenticatorId: string };

/** A virtual device with passkeys that confirms at once. It can be told not to respond. */
const addDevice = async (page: Page): Promise<Device> => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
};

const setUnresponsive = ({ cdp, authenticatorId }: Device, isUnresponsive = true) =>
  cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !isUnresponsive });

/** Like a browser without passkey suggestions: a device that confirms at once would answer those by itself. */
const disableSuggestions = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });

const add = async (page: Page): Promise<void> => {
  await card(page).getByRole('button', { name: 'Add a passkey' }).click();
  await dialog(page, 'Add a passkey').getByRole('button', { name: 'Continue' }).click();
  await dialog(page, 'Save your recovery codes').getByRole('button', { name: 'I have saved them' }).click();
};

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: /^Hi, / }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
};

test('§2.5 passkeys are added with a name, renamed and removed; the first one comes with recovery codes', async ({
  page,
}) => {
  const device = await addDevice(page);
  await signIn(page, people.noa, '/profile');
  await expect(card(page).getByText(/^You have no passkeys yet/)).toBeVisible();
  await card(page).getByRole('button', { name: 'Add a passkey' }).click();
  const adding = dialog(page, 'Add a passkey');
  const name = adding.getByLabel('Name');
  await expect(name).toBeFocused();
  await expect(name).toHaveValue(/^Chrome on /);
  await name.fill(' ');
  await adding.getByRole('button', { name: 'Continue' }).click();
  await expect(adding.getByText('Name is required')).toBeVisible();
  await name.fill('My phone');
  await setUnresponsive(device);
  await adding.getByRole('button', { name: 'Continue' }).click();
  await expect(adding.getByRole('alert')).toHaveText(
    /^No passkey was created: the request was cancelled or took too long/,
  );
  await expectScreenQuality(page);
  await setUnresponsive(device, false);
  await adding.getByRole('button', { name: 'Continue' }).click();
  const codes = dialog(page, 'Save your recovery codes');
  await expect(codes.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await page.emulateMedia({ media: 'print' });
  await expect(codes.getByText(/^Account: /)).toBeVisible();
  await expect(codes.getByRole('list', { name: 'Recovery codes' })).toBeVisible();
  await expect(codes.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('main', { includeHidden: true })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await codes.getByRole('button', { name: 'I have saved them' }).click();
  await expect(card(page).getByRole('button', { name: 'Add a passkey' })).toBeFocused();
  const row = card(page).getByRole('listitem');
  await expect(row).toContainText(/My phone.*Added .*Not used yet/);
  await expect(card(page).getByText('10 recovery codes left')).toBeVisible();
  await row.getByRole('button', { name: 'Rename My phone' }).click();
  await dialog(page, 'Rename the passkey').getByLabel('Name').fill('Work phone');
  await page.keyboard.press('Enter');
  await expect(row).toContainText('Work phone');
  await expectScreenQuality(page);

  // The device already has one, and reports it.
  await card(page).getByRole('button', { name: 'Add a passkey' }).click();
  await adding.getByRole('button', { name: 'Continue' }).click();
  await expect(adding.getByRole('alert')).toHaveText('This device already has a passkey for your account.');
  await adding.getByRole('button', { name: 'Cancel' }).click();

  await row.getByRole('button', { name: 'Remove Work phone' }).click();
  const removing = dialog(page, 'Remove the passkey');
  await expect(removing).toContainText('Work phone can no longer be used to sign in');
  await removing.getByRole('button', { name: 'Remove' }).click();
  await expect(card(page).getByText(/^You have no passkeys yet/)).toBeVisible();
});

test('a passkey signs in with the button, and from the suggestions of the email field', async ({ page, context }) => {
  await disableSuggestions(page);
  const device = await addDevice(page);
  await signIn(page, people.oda, '/profile');
  await add(page);
  await signOut(page);
  await page.goto('/profile');
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn');
  await setUnresponsive(device);
  await signInButton(page).click();
  await expect(page.getByRole('alert')).toHaveText('No passkey was used: the request was cancelled or took too long.');
  await expectScreenQuality(page);
  await setUnresponsive(device, false);
  await signInButton(page).click();
  await expect(card(page).getByRole('listitem')).toContainText(/Last used/);

  const { credentials } = await device.cdp.send('WebAuthn.getCredentials', device);
  const [credential] = credentials;
  if (!credential) throw new Error('The device holds no passkey.');
  await context.clearCookies();
  const other = await context.newPage();
  const { cdp, authenticatorId } = await addDevice(other);
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential });
  await other.goto(origin);
  await expectDesktop(other);
});

test('a passkey is the second factor after a password; a removed passkey is refused', async ({ page }) => {
  await disableSuggestions(page);
  await addDevice(page);
  await signIn(page, people.ira, '/profile');
  await add(page);
  await signOut(page);
  await signIn(page, people.ira, '/profile');
  await expect(page.getByRole('button', { name: 'Use your passkey' })).toBeFocused();
  await expect(page.getByText('This browser cannot use your passkey here.')).toBeHidden();
  await expect(page.getByRole('link', { name: 'Use a recovery code' })).toBeVisible();
  await expectScreenQuality(page);
  await page.keyboard.press('Enter');
  await card(page)
    .getByRole('button', { name: /^Remove / })
    .click();
  await dialog(page, 'Remove the passkey').getByRole('button', { name: 'Remove' }).click();
  await expect(card(page).getByText(/^You have no passkeys yet/)).toBeVisible();

  // The device still has it; now the password alone is enough.
  await signOut(page);
  await page.goto('/');
  await signInButton(page).click();
  await expect(page.getByRole('alert')).toHaveText('This passkey is unknown, or its account cannot sign in here.');
  await signIn(page, people.ira);
  await expectDesktop(page);
});

test.describe('a browser without passkeys', () => {
  test.use({ person: people.ben });

  test('is named on the profile, and the sign-in page works without passkeys', async ({ page, browser }) => {
    await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
    await page.goto('/profile');
    await expect(card(page).getByText(/^This browser does not support passkeys/)).toBeVisible();
    await expect(card(page).getByRole('button')).toHaveCount(0);
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ storageState: { cookies: [], origins: [] }, javaScriptEnabled });
      const stranger = await context.newPage();
      await stranger.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
      await stranger.goto(`${origin}/server/saml/login`);
      await expect(stranger.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
      await expect(signInButton(stranger)).toBeHidden();
      await expect(stranger.getByText('or', { exact: true })).toBeHidden();
      await context.close();
    }
  });
});
