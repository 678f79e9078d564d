import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectFitsPhone, expectScreenQuality, test } from '../support/fixtures.ts';
import { expiredLinks, invitations, origin, password } from '../support/world.ts';

const open = async (page: Page, index: number) => {
  const { email, token } = invitations[index] ?? { email: '', token: '' };
  await page.goto(`/set-password?email=${encodeURIComponent(email)}&token=${token}`);
  await expect(page.getByText('Please set your password and confirm your account')).toBeVisible();
  return { email, token };
};

const enter = (page: Page) => page.getByLabel('Enter Password', { exact: true });
const retype = (page: Page) => page.getByLabel('Retype Password', { exact: true });

/** From an invalid link to the page where a new one can be requested. */
const expectNewLinkOffer = async (page: Page) => {
  await expect(page.getByText('A link works once and for a limited time')).toBeVisible();
  await page.getByRole('link', { name: 'Go to the sign-in page' }).click();
  await expect(page.getByRole('link', { name: 'Forgotten password?' })).toBeVisible();
};

test.describe('§2.14 set-password', () => {
  test('sets a password, confirms the account and signs in', async ({ page }) => {
    const { email, token } = await open(page, 0);
    await expect(page.getByRole('heading', { name: 'Account Confirmation' })).toBeVisible();
    await expect(page.getByText('Activate Your Account')).toBeVisible();
    expect(page.url()).not.toContain(token);
    await enter(page).fill(password);
    await retype(page).fill(password);
    await page.getByRole('button', { name: 'Confirm Account' }).click();
    await expect(page.getByText('Congratulations! Your account has been verified sucessfully.')).toBeVisible();
    await expectAccessible(page);
    const link = page.getByRole('link', { name: 'Click here to login' });
    expect(await link.evaluate((anchor: HTMLAnchorElement) => anchor.href)).toBe(`${origin}/`);
    await link.click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
  });

  test('security: the token is removed from the address with the first request, and a later link replaces an earlier one', async ({
    page,
  }) => {
    const [first, second] = [invitations[9], invitations[10]];
    if (!first || !second) throw new Error('There are too few invitations.');
    const requests: { url: string; referer: string | undefined; resource: string }[] = [];
    page.on('request', (request) =>
      requests.push({ url: request.url(), referer: request.headers()['referer'], resource: request.resourceType() }),
    );
    const addresses: string[] = [];
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    const link = ({ email, token }: typeof first) => `/set-password?email=${encodeURIComponent(email)}&token=${token}`;
    await page.goto(link(first));
    await expect(page.getByText(first.email)).toBeVisible();
    await expect(page).toHaveURL(`${origin}/set-password`);
    const [opened, ...later] = requests;
    expect(opened?.url).toBe(`${origin}${link(first)}`);
    expect(later[0]).toEqual({ url: `${origin}/set-password`, referer: undefined, resource: 'document' });
    expect(later.length).toBeGreaterThan(3);
    for (const { url, referer } of later) {
      expect(url).not.toContain(first.token);
      expect(referer ?? '').not.toContain(first.token);
    }
    expect(addresses.at(-1)).toBe(`${origin}/set-password`);
    expect(await page.evaluate(() => document.referrer)).toBe('');

    // The link is stored in the tab: a reload finds it, and another link replaces it.
    await page.reload();
    await expect(page.getByText(first.email)).toBeVisible();
    await page.goto(link(second));
    await expect(page.getByText(second.email)).toBeVisible();
    await expect(page.getByText(first.email)).toHaveCount(0);
    // Not '/', whose script redirects to the sign-in page and would interrupt going back.
    await page.goto('about:blank');
    await page.goBack();
    await expect(page).toHaveURL(`${origin}/set-password`);
    await expect(page.getByText(second.email)).toBeVisible();
    await enter(page).fill(password);
    await retype(page).fill(password);
    await page.getByRole('button', { name: 'Confirm Account' }).click();
    await expect(page.getByText('Congratulations! Your account has been verified sucessfully.')).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain(second.token);
    expect(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).not.toContain(second.token);
    expect(await page.evaluate(() => document.cookie)).not.toContain(second.token);
  });

  test('the form is accessible, validated and sent once', async ({ page }) => {
    await test.step('§2.1 needs no session', async () => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await open(page, 6);
      expect(asked).not.toContain('/server/getsession');
    });

    await test.step('§2.14 set-password: the form is accessible and fits a phone; the footer shows its links and its year', async () => {
      await open(page, 1);
      await expect(page.getByText(/terms of use/i)).toBeVisible();
      await expect(page.getByText(/privacy policy/i)).toBeVisible();
      await expect(page.getByText(/2019/)).toBeVisible();
      await expectScreenQuality(page);
    });

    await test.step('§5 the fields are validated on blur, while typing, and on submit', async () => {
      await open(page, 2);
      await page.getByRole('button', { name: 'Confirm Account' }).click();
      await expect(page.getByText('Password is required', { exact: true })).toBeVisible();
      await expect(page.getByText('Confirm password is required', { exact: true })).toBeVisible();
      await enter(page).fill('short');
      await enter(page).blur();
      await expect(enter(page)).toHaveAccessibleDescription(/The password must have at least 16 characters\./);
      await expect(enter(page)).toHaveAttribute('aria-invalid', 'true');
      await enter(page).fill(password);
      await expect(enter(page)).not.toHaveAttribute('aria-invalid', 'true');
      await retype(page).fill('something else');
      await expect(page.getByText('Confirm password must match')).toBeVisible();
      await retype(page).fill('');
      await expect(page.getByText('Confirm Password is required', { exact: true })).toBeVisible();
      await retype(page).fill(password);
      await expect(page.getByText('Confirm password must match')).toHaveCount(0);
      await expectAccessible(page);
    });

    await test.step("§2.14 set-password: while busy the button reads 'please wait ....' and a second click does nothing", async () => {
      await open(page, 3);
      let sent = 0;
      let answer: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/confirm_user_signup', async (route) => {
        sent += 1;
        await held;
        await route.continue();
      });
      await enter(page).fill(password);
      await retype(page).fill(password);
      await page.getByRole('button', { name: 'Confirm Account' }).dblclick();
      await expect(page.getByRole('button', { name: 'please wait ....' })).toBeVisible();
      answer();
      await expect(page.getByText('Congratulations! Your account has been verified sucessfully.')).toBeVisible();
      expect(sent).toBe(1);
    });
  });

  test('a used, expired or invalid link shows why it does not work', async ({ page }) => {
    await test.step('§8 a used link shows an error instead of the form', async () => {
      const { email, token } = await open(page, 4);
      await enter(page).fill(password);
      await retype(page).fill(password);
      await page.getByRole('button', { name: 'Confirm Account' }).click();
      await expect(page.getByText('Congratulations!')).toBeVisible();
      await page.goto(`/set-password?email=${email}&token=${token}`);
      await expect(page.getByText('Invalid verification code or it is already used')).toBeVisible();
      await expect(enter(page)).toHaveCount(0);
      await expectScreenQuality(page);
      await expectNewLinkOffer(page);
    });

    await test.step("§8 a wrong token or address shows 'Incorrect email address'", async () => {
      await page.goto('/set-password?email=nobody@nowhere.example&token=wrong');
      await expect(page.getByText('Incorrect email address')).toBeVisible();
      await expectScreenQuality(page);
      await expectNewLinkOffer(page);
    });

    await test.step('§8 an expired link shows an error instead of the form, for an account and for a new password', async () => {
      for (const { email, token } of expiredLinks) {
        await page.goto(`/set-password?email=${email}&token=${token}`);
        await expect(page.getByText('Invalid verification code or it is already used')).toBeVisible();
        await expect(enter(page)).toHaveCount(0);
        await expectFitsPhone(page);
        await expectNewLinkOffer(page);
      }
    });
  });

  test('§8 a link that was used in another tab shows an error under the form', async ({ page, browser }) => {
    await open(page, 5);
    const context = await browser.newContext({ baseURL: origin });
    const other = await context.newPage();
    await open(other, 5);
    for (const tab of [other, page]) {
      await enter(tab).fill(password);
      await retype(tab).fill(password);
      await tab.getByRole('button', { name: 'Confirm Account' }).click();
      await expect(tab.getByText(/Congratulations!|already used/)).toBeVisible();
    }
    await expect(page.getByText('Invalid verification code or it is already used')).toBeVisible();
    await expect(enter(page)).toBeVisible();
    await context.close();
  });

  test('an incomplete link shows the error panel', async ({ page }) => {
    for (const query of ['', '?email=a@b.org', '?token=x'])
      await test.step(`§2.14 an incomplete link (${query || 'nothing'}) shows the error panel`, async () => {
        await page.goto(`/set-password${query}`);
        await expect(
          page.getByText('Something went wrong with the SSO Server. Please try again or report an issue to support'),
        ).toBeVisible();
      });
  });
});
