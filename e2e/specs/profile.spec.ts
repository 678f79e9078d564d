import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { toBase32 } from '../../apps/server/src/secrets/totp.ts';
import { makeNoise, makePng } from '../../apps/server/src/testing/payloads/pictures.ts';
import { codeOf, wrongCode } from '../../apps/server/src/testing/services/authenticator.ts';
import type { Letter } from '../../apps/server/src/testing/services/smtp-server.ts';
import { clipboardOf, expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { authenticatorSecret, mailboxOrigin, openSessions, origin, password, people } from '../support/world.ts';

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

/** Another browser of the same person, signed in. */
const enterElsewhere = async (browser: Browser, storageState: StorageState): Promise<Page> => {
  const context = await browser.newContext({ storageState });
  expect(await (await context.request.get(`${origin}/server/getsession`)).json()).toHaveProperty('user');
  return context.newPage();
};

const expectSignedOut = async (page: Page) => {
  await page.goto(`${origin}/profile`);
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  await page.context().close();
};

/** The code of the newest mail that turns on email codes, once there are this many mails. */
const newestCode = async (page: Page, to: string, mails: number): Promise<string> => {
  const codes = async (): Promise<string[]> => {
    const letters: Letter[] = await (await page.request.get(`${mailboxOrigin}/?to=${encodeURIComponent(to)}`)).json();
    return letters
      .filter(({ subject }) => subject === 'Your code to switch on email codes')
      .map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? '');
  };
  await expect.poll(async () => (await codes()).length).toBe(mails);
  return (await codes()).at(-1) ?? '';
};

const openProfile = async (page: Page) => {
  await page.goto('/profile');
  await expect(card(page, 'Where you are signed in').getByText('This browser')).toBeVisible();
};

/** Continues to the QR code, and returns the key below it. */
const beginSetup = async (page: Page): Promise<string> => {
  const setup = dialog(page, 'Set Up TOTP MFA');
  await setup.getByRole('button', { name: 'Continue' }).click();
  await expect(setup.getByRole('img', { name: /^QR code/ })).toBeVisible();
  return (await setup.getByText(/^([A-Z2-7]{4} ?){8}$/).innerText()).replaceAll(' ', '');
};

const setUp = async (page: Page): Promise<string> => {
  await card(page, 'TOTP MFA').getByRole('button', { name: 'Set Up TOTP' }).click();
  const key = await beginSetup(page);
  await page.getByLabel('6-digit code').fill(codeOf(key));
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(dialog(page, 'Set Up TOTP MFA')).toHaveCount(0);
  return key;
};

test.describe('§2.5 profile details', () => {
  test.use({ person: people.pia });
  test.describe.configure({ mode: 'serial' });

  test('names and picture are changed', async ({ page }) => {
    await test.step("§2.5 profile details: 'Edit My Profile' opens the profile; names are saved on change if both are filled in", async () => {
      await page.goto('/');
      await page.getByRole('button', { name: /^Hi, Pia Roth/ }).click();
      await page.getByRole('menuitem', { name: 'Edit My Profile' }).click();
      await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeFocused();
      const menu = page.getByRole('navigation', { name: 'Main' });
      await expect(menu.getByRole('link', { name: 'Profile' })).toHaveAttribute('aria-current', 'page');

      const [first, last] = [page.getByLabel('First name'), page.getByLabel('Last name')];
      await expect(page.getByLabel('Email address')).toHaveValue(people.pia.email);
      await expect(page.getByLabel('Email address')).not.toBeEditable();
      await first.fill('');
      await expect(page.getByText('Firstname is required')).toBeVisible();
      await last.fill('');
      await expect(page.getByText('Lastname is required')).toBeVisible();
      await last.fill('Roth-Meyer');
      await last.blur();
      await expect(page.getByText('Saved.')).toHaveCount(0);
      await first.fill('Pía');
      await expect(page.getByText('Saved.')).toBeVisible();
      await expect(page.getByRole('button', { name: /^Hi, Pía Roth-Meyer/ })).toBeVisible();
      await expect(page.getByText('Saved.')).toHaveCount(0);
      await page.reload();
      await expect(first).toHaveValue('Pía');
      await expect(last).toHaveValue('Roth-Meyer');
    });

    await test.step('§2.5 profile details: the uploader changes the picture: one image of at most 5 MB, with a hashed name', async () => {
      await openProfile(page);
      await page.getByRole('button', { name: 'Change the picture' }).click();
      const uploader = dialog(page, 'Change the picture');
      const file = uploader.locator('input[type="file"]');
      await expect(file).not.toHaveAttribute('multiple');
      await file.setInputFiles({ name: 'huge.png', mimeType: 'image/png', buffer: await makeNoise(1_400) });
      await expect(uploader.getByText('File size too large, max size allowed is 5 MB')).toBeVisible();
      await file.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') });
      await expect(uploader.getByText(/^The file type is not valid/)).toBeVisible();
      await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await makePng(400, 400) });
      await expect(uploader.getByText('Pending')).toBeVisible();
      // Playwright does not report the files of a submitted form.
      await page.evaluate(() => {
        const append = Reflect.get(FormData.prototype, 'append') as (...parts: unknown[]) => void;
        FormData.prototype.append = function (...parts: unknown[]) {
          if (parts[1] instanceof File) document.body.dataset['sent'] = parts[1].name;
          append.apply(this, parts);
        };
      });
      const calls: string[] = [];
      page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
      await uploader.getByRole('button', { name: 'Upload' }).click();
      await expect(page.getByText('File uploaded successfully')).toBeVisible();
      await expect(page.locator('body')).toHaveAttribute('data-sent', /^[0-9a-f]{64}\.png$/);
      await expect(uploader).toHaveCount(0);
      const shown = page.getByRole('img', { name: 'Your profile picture' });
      await expect(shown).toHaveJSProperty('naturalWidth', 320);
      await expect(page.getByRole('banner').locator('img')).toHaveJSProperty('naturalWidth', 320);
      expect(calls.filter((call) => /session|upload/.test(call))).toEqual([
        'POST /prxy/api/upload_profile_pic',
        'GET /server/getsession',
        'POST /server/update_session',
      ]);
      await page.reload();
      await expect(shown).toHaveJSProperty('naturalWidth', 320);
    });
  });

  test('other browsers are listed, and signed out one by one or all at once', async ({ page, browser, enter }) => {
    const [second, third, fourth] = [
      await enterElsewhere(browser, await enter(people.pia)),
      await enterElsewhere(browser, await enter(people.pia)),
      await enterElsewhere(browser, await enter(people.pia)),
    ];
    await openProfile(page);
    const devices = card(page, 'Where you are signed in');
    const rows = devices.getByRole('listitem');
    await expect(rows.first()).toContainText('This browser');
    await expect(rows.first()).toContainText(/Chrome on \w+.*127\.0\.0\.1/);
    const before = await rows.count();
    expect(before).toBeGreaterThanOrEqual(4);
    // The most recent of the other browsers.
    await rows
      .nth(1)
      .getByRole('button', { name: /^Sign out/ })
      .click();
    await expect(rows).toHaveCount(before - 1);
    await expectSignedOut(fourth);
    await devices.getByRole('button', { name: 'Sign out all others' }).click();
    await dialog(page, 'Sign out all other browsers').getByRole('button', { name: 'Sign out all others' }).click();
    await expect(rows).toHaveCount(1);
    await expect(devices.getByRole('button')).toHaveCount(0);
    await expectSignedOut(second);
    await expectSignedOut(third);
    await page.reload();
    await expect(rows).toHaveCount(1);
  });
});

test.describe('§2.5 password', () => {
  test.use({ person: people.rex });

  test('is validated on blur and while typing, and changed; the other browser is signed out', async ({
    page,
    browser,
    enter,
  }) => {
    const elsewhere = await enterElsewhere(browser, await enter(people.rex));
    await openProfile(page);
    const fields = ['Old password', 'New password', 'Confirm password'] as const;
    const [old, fresh, confirm] = fields.map((name) => page.getByLabel(name));
    if (!old || !fresh || !confirm) throw new Error('There are three fields.');
    const rule = 'The password must have at least 16 characters.';
    for (const field of [old, fresh, confirm]) {
      await field.focus();
      await field.blur();
    }
    await expect(page.getByText('Old password is required')).toBeVisible();
    await expect(page.getByText('Confirm Password is required')).toBeVisible();
    await expect(fresh).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByText(rule)).toHaveCount(1);
    await expectScreenQuality(page);
    await old.fill('not my password');
    await expect(page.getByText('Old password is required')).toHaveCount(0);
    await fresh.pressSequentially('sixteen letters');
    await expect(fresh).toHaveAttribute('aria-invalid', 'true');
    await fresh.press('!');
    await expect(fresh).toHaveAttribute('aria-invalid', 'false');
    await confirm.fill('sixteen letters');
    await expect(page.getByText('Confirm password must match')).toBeVisible();
    await confirm.press('!');
    await expect(page.getByText('Confirm password must match')).toHaveCount(0);
    const reset = page.getByRole('button', { name: 'Reset Password' });
    await reset.click();
    await expect(page.getByText('The old password is wrong.')).toBeVisible();
    await old.fill(password);
    const done = page.waitForRequest(/sso_profile_done/);
    await reset.click();
    await expect(page.getByText('Password change sucessfully')).toBeVisible();
    expect((await done).method()).toBe('PUT');
    for (const field of [old, fresh, confirm]) await expect(field).toHaveValue('');
    await expect(page.getByText(/^Last changed/)).toBeVisible();
    await expectSignedOut(elsewhere);

    const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const again = await context.newPage();
    await again.goto(`${origin}/profile`);
    await again.getByLabel('Email').fill(people.rex.email);
    await again.getByLabel('Password', { exact: true }).fill('sixteen letters!');
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(card(again, 'Password')).toBeVisible();
    await context.close();
  });
});

test.describe('§2.12 TOTP MFA dialog', () => {
  test.describe.configure({ mode: 'serial' });

  test.describe('set up and cleared', () => {
    test.use({ person: people.tom });

    test('from the instructions to the recovery codes, and cleared again', async ({ page }) => {
      await test.step('§2.12 TOTP MFA dialog: inactive: instructions, QR code and key, the code, and the recovery codes', async () => {
        await openProfile(page);
        const totp = card(page, 'TOTP MFA');
        await totp.getByRole('button', { name: 'Set Up TOTP' }).click();
        const setup = dialog(page, 'Set Up TOTP MFA');
        await expect(setup.getByText(/^Install an authenticator app/)).toBeVisible();
        await expect(setup.getByRole('link', { name: 'Google Play' })).toHaveAttribute(
          'href',
          /^https:\/\/play\.google/,
        );
        await expect(setup.getByRole('link', { name: 'App Store' })).toHaveAttribute('href', /^https:\/\/apps\.apple/);
        const key = await beginSetup(page);
        const code = setup.getByLabel('6-digit code');
        await expect(code).toBeFocused();
        await code.fill(wrongCode(key));
        await code.press('Enter');
        await expect(setup.getByText('Unable to validate the provided code')).toBeVisible();
        await expectScreenQuality(page);
        await setup.getByRole('button', { name: /Show a new key/ }).click();
        await expect(setup.getByText('Unable to validate the provided code')).toHaveCount(0);
        const second = (await setup.getByText(/^([A-Z2-7]{4} ?){8}$/).innerText()).replaceAll(' ', '');
        expect(second).not.toBe(key);
        await code.fill(codeOf(second));
        await setup.getByRole('button', { name: 'Submit' }).click();
        await expect(setup.getByText('TOTP MFA Setup Complete')).toBeVisible();
        await expect(setup).toHaveCount(0);
        const recovery = dialog(page, 'Save your recovery codes');
        await expect(recovery.getByRole('listitem')).toHaveCount(10);
        const codes = await recovery.getByRole('listitem').allInnerTexts();
        await expectScreenQuality(page);
        await page.keyboard.press('Escape');
        await page.mouse.click(5, 5);
        await expect(recovery.getByRole('button', { name: 'Close' })).toHaveCount(0);
        const download = page.waitForEvent('download');
        await recovery.getByRole('button', { name: 'Download' }).click();
        const file = await readFile(await (await download).path(), 'utf8');
        expect(codes.every((one) => file.includes(one))).toBe(true);
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
        await recovery.getByRole('button', { name: 'Copy' }).click();
        await expect.poll(() => clipboardOf(page)).toBe(codes.join('\n'));
        await recovery.getByRole('button', { name: 'I have saved them' }).click();
        await expect(recovery).toHaveCount(0);
        await expect(totp.getByRole('button', { name: 'Reset TOTP' })).toBeVisible();
        await expect(totp.getByText('10 recovery codes left')).toBeVisible();

        await totp.getByRole('button', { name: 'Reset TOTP' }).click();
        const verify = dialog(page, 'Verify your TOTP MFA');
        const token = verify.getByLabel('TOTP Token');
        await expect(token).toBeFocused();
        await verify.getByRole('button', { name: 'Clear TOTP Settings' }).click();
        await expect(verify.getByText('TOTP Token is required')).toBeVisible();
        await token.fill(wrongCode(second));
        await verify.getByRole('button', { name: 'Clear TOTP Settings' }).click();
        await expect(verify.getByText('Unable to validate the provided code')).toBeVisible();
        await token.fill(codeOf(second, 1));
        const secret = page.waitForResponse(/getqrq/);
        await verify.getByRole('button', { name: 'Clear TOTP Settings' }).click();
        // §4: the status is refreshed, and a new secret fetched.
        expect((await secret).status()).toBe(200);
        await expect(setup.getByRole('button', { name: 'Continue' })).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(totp.getByRole('button', { name: 'Set Up TOTP' })).toBeFocused();
      });

      await test.step("§2.12 TOTP MFA dialog: 'learn more about MFA' links to a section of the profile", async () => {
        await openProfile(page);
        await page.getByRole('button', { name: 'Set Up TOTP' }).click();
        const opened = page.waitForEvent('popup');
        await dialog(page, 'Set Up TOTP MFA').getByRole('link', { name: 'learn more about MFA' }).click();
        const about = await opened;
        await expect(about.getByRole('heading', { name: 'About multi-factor authentication' })).toBeInViewport();
      });
    });
  });

  test.describe('reset', () => {
    test.use({ person: people.una });

    test('TOTP is reset with the word Reset; Email MFA is enabled and disabled', async ({ page, browser, enter }) => {
      await test.step('§2.12 TOTP MFA dialog: the exact word Reset is required; the other browser is signed out', async () => {
        const elsewhere = await enterElsewhere(browser, await enter(people.una));
        await openProfile(page);
        await setUp(page);
        const totp = card(page, 'TOTP MFA');
        await totp.getByRole('button', { name: 'New recovery codes' }).click();
        const renewed = dialog(page, 'New recovery codes');
        await expect(renewed.getByRole('listitem')).toHaveCount(10);
        await renewed.getByRole('button', { name: 'I have saved them' }).click();
        await expect(renewed).toHaveCount(0);

        await totp.getByRole('button', { name: 'Reset TOTP' }).click();
        await page.getByRole('button', { name: 'I do not have my authenticator app' }).click();
        const reset = dialog(page, 'Reset your TOTP MFA');
        const word = reset.getByLabel('Confirmation String');
        const button = reset.getByRole('button', { name: 'Reset TOTP Token' });
        await expect(word).toBeFocused();
        await expect(button).toBeDisabled();
        for (const other of ['reset', 'Reset ', 'RESET']) {
          await word.fill(other);
          await expect(button).toBeDisabled();
        }
        await word.fill('');
        await expect(reset.getByText('Confirmation string is required')).toBeVisible();
        await expectScreenQuality(page);
        await word.fill('Reset');
        await button.click();
        await expect(dialog(page, 'Set Up TOTP MFA').getByRole('button', { name: 'Continue' })).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(totp.getByRole('button', { name: 'Set Up TOTP' })).toBeVisible();
        await expectSignedOut(elsewhere);
      });

      await test.step('§2.5 Email MFA is enabled and disabled, and the button shows please wait', async () => {
        await openProfile(page);
        const email = card(page, 'Email MFA');
        await expect(email.getByText(people.una.email)).toBeVisible();
        await expect(email.getByRole('img', { name: 'inactive', exact: true })).toBeVisible();
        let answer = () => {};
        const held = new Promise<void>((resolve) => {
          answer = resolve;
        });
        await page.route(/enable_mail_mfa/, async (route) => {
          await held;
          await route.continue();
        });
        await email.getByRole('button', { name: 'Enable Email MFA' }).click();
        await expect(email.getByRole('button', { name: 'please wait ....' })).toBeVisible();
        answer();
        const code = email.getByLabel('6-digit code');
        await expect(code).toBeFocused();
        await code.fill('no code');
        await code.press('Enter');
        await expect(email.getByText('Unable to validate the provided code')).toBeVisible();
        await expectScreenQuality(page);
        await email.getByRole('button', { name: 'Send a new code' }).click();
        await expect(toast(page, 'A new code is on its way.')).toBeVisible();
        await code.fill(await newestCode(page, people.una.email, 2));
        await email.getByRole('button', { name: 'Confirm code' }).click();
        await expect(toast(page, 'Email multi-factor authentication sucessfully enabled')).toBeVisible();
        await expect(email.getByRole('img', { name: 'active', exact: true })).toBeVisible();
        await email.getByRole('button', { name: 'Disable Email MFA' }).click();
        await expect(toast(page, 'Email multi-factor authentication sucessfully disabled')).toBeVisible();
        await expect(email.getByRole('button', { name: 'Enable Email MFA' })).toBeVisible();
      });
    });
  });
});

const withSession = (page: Page, token: string) =>
  page.context().addCookies([{ name: 'opensocial_session', value: token, url: origin }]);

test('removing a factor after an old sign-in asks for a fresh sign-in, with an explanation', async ({ page }) => {
  await withSession(page, openSessions.val);
  await page.goto('/profile');
  const freshSignIn = dialog(page, 'Please sign in again');
  for (const [name, factor] of [
    ['New recovery codes', 'your authenticator app'],
    ['Disable Email MFA', 'a code by email'],
    ['Add a passkey', 'your authenticator app'],
  ] as const) {
    await page.getByRole('button', { name }).click();
    await expect(freshSignIn).toContainText(`Sign in again and confirm with ${factor}.`);
    await freshSignIn.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByText('Nothing was changed, because you did not sign in again.').first()).toBeVisible();
    await expect(page.getByRole('button', { name })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Reset TOTP' }).click();
  await page.getByRole('button', { name: 'I do not have my authenticator app' }).click();
  await page.getByLabel('Confirmation String').fill('Reset');
  await page.getByRole('button', { name: 'Reset TOTP Token' }).click();
  const opened = page.waitForEvent('popup');
  await freshSignIn.getByRole('button', { name: 'Sign in again' }).click();
  const other = await opened;
  await expect(other.getByText('Please sign in again to confirm that it is you.')).toBeVisible();
  await other.getByLabel('Email').fill(people.val.email);
  await other.getByLabel('Password', { exact: true }).fill(password);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByLabel('Code').fill(codeOf(toBase32(authenticatorSecret)));
  await other.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog(page, 'Set Up TOTP MFA')).toBeVisible();
  await expect(freshSignIn).toHaveCount(0);
});

test('§2.5 §8 a profile without second factors, and one that cannot be loaded', async ({ page }) => {
  await test.step('§2.5 after a social login there are no cards for second factors', async () => {
    await withSession(page, openSessions.wim);
    await page.goto('/profile');
    await expect(card(page, 'Password')).toBeVisible();
    await expect(card(page, 'TOTP MFA')).toHaveCount(0);
    await expect(card(page, 'Email MFA')).toHaveCount(0);
    await expect(card(page, 'Passkeys')).toHaveCount(0);
  });

  await test.step('§8 a profile that cannot be loaded shows the error panel', async () => {
    await withSession(page, openSessions.wim);
    await page.route(/\/server\/sso\/profile\//, (route) => route.fulfill({ status: 400, json: { message: 'x' } }));
    await page.goto('/profile');
    await expect(page.getByText(/^Something went wrong with the SSO Server/)).toBeVisible();
    await page.unroute(/\/server\/sso\/profile\//);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(card(page, 'Profile Details')).toBeVisible();
  });
});
