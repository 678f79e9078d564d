import type { Page } from '@playwright/test';
import { toBase32 } from '../../apps/server/src/secrets/totp.ts';
import { codeOf } from '../../apps/server/src/testing/services/authenticator.ts';
import { expect, expectAccessible, expectFitsPhone, test } from '../support/fixtures.ts';
import {
  authenticatorSecret,
  mailboxOrigin,
  origin,
  password,
  people,
  serviceProviderOrigin,
} from '../support/world.ts';

const openSite = `${serviceProviderOrigin}/demonstration-open/login`;
const strictSite = `${serviceProviderOrigin}/demonstration-strict/login`;

const enter = async (page: Page, email: string, given = password) => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(given);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

const expectSignedIn = (page: Page, person: { email: string }) =>
  expect(page.getByRole('heading', { name: `Signed in as ${person.email}` })).toBeVisible();

/** The newest mail to an address, once there are at least this many. */
const mailTo = async (page: Page, address: string, atLeast = 1): Promise<{ subject: string; text: string }> => {
  let mails: { subject: string; text: string }[] = [];
  await expect
    .poll(async () => {
      const answer = await page.request.get(`${mailboxOrigin}/?to=${encodeURIComponent(address)}`);
      mails = await answer.json();
      return mails.length;
    })
    .toBeGreaterThanOrEqual(atLeast);
  const newest = mails.at(-1);
  if (!newest) throw new Error('There is no email.');
  return newest;
};
const linkIn = ({ text }: { text: string }): string => /http\S+set-password\S+/.exec(text)?.[0] ?? '';
const codeIn = ({ text }: { text: string }): string => /\b\d{6}\b/.exec(text)?.[0] ?? '';

const choosePassword = async (page: Page, next: string, submit: string) => {
  await page.getByLabel('Enter Password').fill(next);
  await page.getByLabel('Retype Password').fill(next);
  await page.getByRole('button', { name: submit }).click();
};

test('sign-up: a person signs up on the sign-in page, confirms the address and reaches the desktop', async ({
  page,
}) => {
  const email = 'newcomer@signinlab.org';
  await page.goto(openSite);
  await expect(page.getByRole('heading', { name: 'Sign in to Open Site' })).toBeVisible();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('First name').fill('New');
  await page.getByLabel('Last name').fill('Comer');
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.getByRole('button', { name: 'Create an account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  await expectAccessible(page);

  // The mail can be requested again; once one link is used, the other becomes invalid.
  const first = await mailTo(page, email);
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await page.getByRole('link', { name: 'No confirmation email?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the link again' }).click();
  const second = await mailTo(page, email, 2);
  await page.goto(linkIn(second));
  await choosePassword(page, 'my very own words', 'Confirm Account');
  await expect(page.getByText('Congratulations! Your account has been verified sucessfully.')).toBeVisible();
  await page.goto(linkIn(first));
  await expect(page.getByText('Incorrect email address')).toBeVisible();
  await page.goto('/');
  await enter(page, email, 'my very own words');
  await expect(page.getByRole('heading', { name: /^(Good|Hello)/ })).toBeVisible();
});

test('forgotten password: the mailed link sets a new password, which signs in', async ({ page }) => {
  const { email } = people.uma;
  await page.goto('/');
  await page.getByRole('link', { name: 'Forgotten password?' }).click();
  await expectAccessible(page);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  const mail = await mailTo(page, email);
  await page.goto(linkIn(mail));
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await choosePassword(page, 'quite another sentence', 'Save password');
  await expect(page.getByText('Your password is changed.')).toBeVisible();
  await page.goto(linkIn(mail));
  await expect(page.getByText('Invalid verification code or it is already used')).toBeVisible();
  await page.goto('/');
  await enter(page, email);
  await expect(page.getByRole('alert')).toBeVisible();
  await enter(page, email, 'quite another sentence');
  await expect(page.getByRole('heading', { name: /^(Good|Hello)/ })).toBeVisible();
});

test('an authenticator code signs in; a wrong or used code is refused', async ({ page, browser }) => {
  await page.goto(openSite);
  await enter(page, people.vic.email);
  await expect(page.getByText('Enter the current code from your authenticator app.')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('alert')).toContainText('This code is wrong');
  const given = codeOf(toBase32(authenticatorSecret));
  await page.getByLabel('Code').fill(given);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expectSignedIn(page, people.vic);

  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const other = await context.newPage();
  await other.goto(openSite);
  await enter(other, people.vic.email);
  await other.getByLabel('Code').fill(given);
  await other.getByRole('button', { name: 'Confirm' }).click();
  await expect(other.getByRole('alert')).toBeVisible();
  await other.getByRole('button', { name: 'Use another account' }).click();
  await expect(other.getByLabel('Password', { exact: true })).toBeVisible();
  await context.close();
});

test('a mailed code signs in, and the browser is remembered', async ({ page }) => {
  await page.goto(strictSite);
  await enter(page, people.xia.email);
  await expect(page.getByText('xi…@strictlab.org')).toBeVisible();
  await page.getByRole('button', { name: 'Send me a code' }).click();
  const mail = await mailTo(page, people.xia.email);
  expect(mail.subject).toBe('Your sign-in code for Strict Site');
  const resend = page.getByRole('button', { name: /^Send a new code in \d+ s$/ });
  await expect(resend).toHaveAttribute('aria-disabled', 'true');
  await page.clock.install();
  await page.reload();
  await page.clock.runFor(31_000);
  await expect(page.getByRole('button', { name: 'Send a new code', exact: true })).not.toHaveAttribute('aria-disabled');
  await page.getByLabel('Code').fill(codeIn(mail));
  await page.getByLabel('Do not ask again in this browser for 30 days').check();
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expectSignedIn(page, people.xia);
  await page.context().clearCookies({ name: 'opensocial_identity' });
  await page.goto(strictSite);
  await enter(page, people.xia.email);
  await expectSignedIn(page, people.xia);
});

test('a required second factor is set up after a mailed code, and a recovery code signs in', async ({
  page,
  browser,
}) => {
  await page.goto(strictSite);
  await enter(page, people.yan.email);
  await expect(page.getByText(/asks for an authenticator app\. Before you set one up/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Set up an authenticator app' })).toHaveCount(0);
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByLabel(/Do not ask again in this browser/)).toHaveCount(0);
  await page.getByLabel('Code').fill(codeIn(await mailTo(page, people.yan.email)));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByAltText('QR code for the authenticator app')).toBeVisible();
  await expectAccessible(page);
  await expectFitsPhone(page);
  const key = await page.locator('.key code').innerText();
  await page.getByLabel('Code').fill(codeOf(key));
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  await expectAccessible(page);
  const codes = await page.locator('.codes code').allInnerTexts();
  expect(codes).toHaveLength(10);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expectSignedIn(page, people.yan);

  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const other = await context.newPage();
  await other.goto(strictSite);
  await enter(other, people.yan.email);
  await other.getByRole('link', { name: 'Use a recovery code' }).click();
  await other.getByLabel('Recovery code').fill(codes[3] ?? '');
  await other.getByRole('button', { name: 'Confirm' }).click();
  await expectSignedIn(other, people.yan);
  await context.close();
});

test('an expired password must be changed before the sign-in continues', async ({ page }) => {
  await page.goto(openSite);
  await enter(page, people.wes.email);
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  const change = async (next: string, again = next) => {
    await page.getByLabel('New password', { exact: true }).fill(next);
    await page.getByLabel('Repeat new password').fill(again);
    await page.getByRole('button', { name: 'Save and continue' }).click();
  };
  await change('short');
  await expect(page.getByRole('alert')).toContainText('at least 16 characters');
  await change('a sentence of my own', 'another sentence');
  await expect(page.getByRole('alert')).toContainText('The two passwords are not the same.');
  await expectAccessible(page);
  await change('a sentence of my own');
  await expectSignedIn(page, people.wes);
});

test('§2.7 a closed site shows its announcement and message instead of the form, and a user cannot sign in', async ({
  page,
}) => {
  await page.goto(`${serviceProviderOrigin}/demonstration-closed/login`);
  await expect(page.getByText('Moved to building 7')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Moving house' })).toContainText('Back on Monday');
  await expect(page.getByLabel('Email')).toBeHidden();
  await expectAccessible(page);
  await page.getByText('I administer this network').click();
  await enter(page, people.zoe.email);
  await expect(page.getByText(/is closed/)).toBeVisible();
});

test('an expired or used sign-in page explains what happened', async ({ page }) => {
  await page.goto(`${origin}/signin/never-begun/verify`);
  await expect(page.getByRole('heading', { name: 'This sign-in has expired' })).toBeVisible();
  await expect(page.getByText('Go back to the application and sign in again.')).toBeVisible();
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();

  // The page of a finished sign-in, reached with the browser's back button.
  await page.goto(openSite);
  const over = page.url();
  await enter(page, people.zoe.email);
  await expectSignedIn(page, people.zoe);
  await page.goto(over);
  await expect(page.getByRole('heading', { name: 'This sign-in has expired' })).toBeVisible();
});
