import { expect, expectScreenQuality, signIn, test } from '../support/fixtures.ts';
import { demonstration, mailboxOrigin, openSessions, origin, people } from '../support/world.ts';

test('§2.5 profile: linked sign-ins are listed and unlinked, and their owner gets a mail', async ({
  page,
  browser,
}) => {
  const { email } = people.lin;
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const elsewhere = await context.newPage();
  await signIn(elsewhere, people.lin, `${demonstration}/login`);
  await expect(elsewhere.getByRole('heading', { name: `Signed in as ${email}` })).toBeVisible();

  await signIn(page, people.lin, `${origin}/profile`);
  const logins = page.getByRole('region', { name: 'Linked sign-ins' });
  const rows = logins.getByRole('listitem');
  await expect(rows.first()).toHaveText(/Google.*Linked Wed, Jan 7, 2026.*Last used Wed, Jan 7, 2026/);
  await expect(rows.nth(1)).toHaveText(/GitHub.*Linked Wed, Jan 7, 2026/);
  await expect(rows.nth(1)).not.toHaveText(/Last used/);
  await expectScreenQuality(page);

  await logins.getByRole('button', { name: 'Unlink Google' }).click();
  const asking = page.getByRole('dialog', { name: 'Unlink Google' });
  await asking.getByRole('button', { name: 'Cancel' }).click();
  await expect(logins.getByRole('button', { name: 'Unlink Google' })).toBeFocused();

  // Most applications of a browser that is signed out remotely cannot be notified; the screen lists them.
  const devices = page.getByRole('region', { name: 'Where you are signed in' });
  await expect(devices).toContainText('Applications that were opened in it may keep');
  await expect(devices.getByRole('listitem').nth(1)).toContainText('Applications: Demonstration');
  await devices.getByRole('button', { name: 'Sign out all others' }).click();
  const others = page.getByRole('dialog', { name: 'Sign out all other browsers' });
  await expect(others).toContainText('may keep their own sessions until these expire: Demonstration.');
  await others.getByRole('button', { name: 'Cancel' }).click();
  await devices.getByRole('button', { name: 'Sign out Chrome' }).click();
  await expect(page.getByText('Demonstration may keep its own session there until it ends.')).toBeVisible();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  await expect(devices).not.toContainText('may keep');

  await logins.getByRole('button', { name: 'Unlink Google' }).click();
  await expect(asking).toContainText('This Google account can no longer be used to sign in as you.');
  await asking.getByRole('button', { name: 'Unlink Google' }).click();
  await expect(page.getByText('Google was unlinked from your account.')).toBeVisible();
  await expect(rows).toHaveCount(1);
  await expect
    .poll(async () => {
      const answer = await page.request.get(`${mailboxOrigin}/?to=${encodeURIComponent(email)}`);
      return ((await answer.json()) as { subject: string }[]).map(({ subject }) => subject);
    })
    .toContain('Google was unlinked from your account');

  // The application still recognises them, as announced.
  await elsewhere.goto(`${demonstration}/`);
  await expect(elsewhere.getByRole('heading', { name: `Signed in as ${email}` })).toBeVisible();
  await context.close();
});

test('§2.5 profile: the only login cannot be unlinked, and an empty list says how to link one', async ({ page }) => {
  const enter = (value: string) => page.context().addCookies([{ name: 'opensocial_session', value, url: origin }]);
  await enter(openSessions.nol);
  await page.goto('/profile');
  const logins = page.getByRole('region', { name: 'Linked sign-ins' });
  await logins.getByRole('button', { name: 'Unlink GitHub' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink GitHub' }).click();
  await expect(page.getByText('This is the only way into your account. Set a password first')).toBeVisible();
  await expect(logins.getByRole('listitem')).toHaveCount(1);

  await enter(openSessions.wim);
  await page.goto('/profile');
  await expect(logins).toContainText('You have no linked sign-ins yet.');
});
