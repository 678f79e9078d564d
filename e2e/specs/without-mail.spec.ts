import type { Page } from '@playwright/test';
import { codeOf } from '../../apps/server/src/testing/services/authenticator.ts';
import { expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { panel } from '../support/lists.ts';
import { startProgram } from '../support/program.ts';
import { password, withoutMailPort as port } from '../support/world.ts';

let server: Awaited<ReturnType<typeof startProgram>>;
const origin = `http://localhost:${port}`;
const owner = 'first@northlab.org';
const invited = 'ivo.rossi@northlab.org';

test.beforeAll(async () => {
  server = await startProgram('apps/server/dist/main.js', {
    PORT: String(port),
    FIRST_OWNER_EMAIL: owner,
    OWNER_MFA_GRACE_DAYS: '0',
    LOG_LEVEL: 'error',
  });
});

test.afterAll(async () => expect(await server.stop()).toBe(0));

/** Chooses the first password with the link of an invitation, and continues to the sign-in page. */
const activate = async (page: Page, link: string) => {
  await page.goto(link);
  await page.getByLabel('Enter Password', { exact: true }).fill(password);
  await page.getByLabel('Retype Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Confirm Account' }).click();
  await page.getByRole('link', { name: 'Click here to login' }).click();
};

const enterPassword = async (page: Page, email: string) => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

/** Sets up an authenticator app on the page after the password. Returns its key. */
const setUpApp = async (page: Page): Promise<string> => {
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  await expectScreenQuality(page);
  const key = (await page.locator('code').textContent()) ?? '';
  await page.getByLabel('Code').fill(codeOf(key));
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('heading', { name: /recovery codes/i })).toBeVisible();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  return key;
};

const expectDesktop = (page: Page) => expect(page.getByRole('heading', { name: /^(Good|Hello)/ })).toBeVisible();

test('without a mail server, people who are invited set up a second factor as they sign in for the first time', async ({
  page,
  browser,
}) => {
  const other = await browser.newContext({ baseURL: origin });
  const person = await other.newPage();
  let link = '';

  await test.step('the first owner needs a second factor at once', async () => {
    const [printed = ''] = /http:\S+set-password\S+/.exec(await server.printed(/set-password\S+\s/)) ?? [];
    await activate(page, printed);
    await enterPassword(page, owner);
    await setUpApp(page);
    await expectDesktop(page);
  });

  await test.step('requires second factors of everybody, and creates an invitation link', async () => {
    await page.goto(`${origin}/sso-servers/opensocial/settings`);
    const policy = page.getByRole('region', { name: 'Users Account Policy' });
    await policy.getByRole('switch', { name: 'MFA' }).check();
    await expect(policy.getByRole('checkbox', { name: 'Authenticator app (TOTP)' })).toBeChecked();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByText('Your request successfully updated').first()).toBeVisible();
    await page.goto(`${origin}/sso-servers/opensocial/email-templates`);
    await expect(page.getByRole('note')).toContainText(
      /Emails are saved in \S+outbox\. Forward those that people need/,
    );
    await expectScreenQuality(page);
    await page.goto(`${origin}/sso-servers/opensocial/users/new`);
    await panel(page).getByLabel('Email').fill(invited);
    await panel(page).getByLabel('First Name').fill('Ivo');
    await panel(page).getByLabel('Last Name').fill('Rossi');
    await panel(page).getByRole('button', { name: 'create user' }).click();
    await panel(page).getByRole('button', { name: 'Create invitation link' }).click();
    const dialog = page.getByRole('dialog').last();
    await dialog.getByRole('button', { name: /create/i }).click();
    link =
      (await page
        .getByRole('dialog')
        .last()
        .getByText(/set-password/)
        .textContent()) ?? '';
  });

  await test.step('the invited person sets up an authenticator app, and signs in again with its code', async () => {
    await activate(person, link);
    await enterPassword(person, invited);
    const key = await setUpApp(person);
    await expectDesktop(person);
    await person.getByRole('button', { name: /Ivo Rossi/ }).click();
    await person.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(person.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    await person.goto(origin);
    await enterPassword(person, invited);
    await expectScreenQuality(person);
    await person.getByLabel('Code').fill(codeOf(key, 1));
    await person.getByRole('button', { name: 'Confirm' }).click();
    await expectDesktop(person);
  });

  await test.step('somebody who has forgotten the password reads whom to ask, and so does the owner', async () => {
    await person.context().clearCookies();
    await person.goto(origin);
    await person.getByRole('link', { name: /forgot/i }).click();
    await person.getByLabel('Email').fill(invited);
    await person.getByRole('button', { name: 'Request a link' }).click();
    await expect(person.getByText('Ask an administrator for it.')).toBeVisible();
    await expectScreenQuality(person);
    await page.goto(`${origin}/sso-servers/opensocial/users?search=${invited}`);
    await page.getByRole('row', { name: invited }).click();
    await expect(panel(page).getByText('the operator of the server forwards it from the outbox folder')).toBeVisible();
  });
  await other.close();
});
