import type { Browser, Locator, Page } from '@playwright/test';
import { expect, expectAccessible, expectScreenQuality, signIn, test } from '../support/fixtures.ts';
import { openSearch, panel, row } from '../support/lists.ts';
import { password, people, serviceProviderOrigin } from '../support/world.ts';

test.use({ person: people.cara, timezoneId: 'UTC', locale: 'en-GB' });

const application = `${serviceProviderOrigin}/demonstration-workshop/login`;

/** A time for a field of the dialog, which also accepts seconds. */
const after = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString().slice(0, 19);
/** `soon` is as long as a slow machine needs to save the dialog. */
const [soon, hour, day] = [10_000, 3_600_000, 86_400_000];

const openMaintenance = async (page: Page): Promise<Locator> => {
  await openSearch(page, '/sso-servers/worklab/sites', 'Workshop', 1);
  await row(page, 'workshop.worklab.org').click();
  await panel(page).getByRole('link', { name: 'Single sign-on' }).click();
  return panel(page).getByRole('region', { name: 'Maintenance' });
};

/** The milliseconds until a site is closed and opened. */
type Times = { Closes?: number; Opens?: number };

const plan = async (page: Page, times: Times, fillTesters?: (dialog: Locator) => Promise<void>): Promise<void> => {
  const shown = await openMaintenance(page);
  await shown.getByRole('button', { name: 'Plan maintenance' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan maintenance' });
  await fillTesters?.(dialog);
  for (const [label, milliseconds] of Object.entries(times)) await dialog.getByLabel(label).fill(after(milliseconds));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Maintenance saved.')).toBeVisible();
};

/** Opens the desktop until the tile of the application says this. The server closes and opens the site by a job. */
const expectTile = (page: Page, text: string | RegExp) =>
  expect(async () => {
    await page.goto('/');
    await expect(page.getByRole('link', { name: /Workshop/ })).toHaveText(text, { timeout: 2_000 });
  }).toPass();

/** A page without a session. */
const openFresh = async (browser: Browser): Promise<Page> =>
  (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage();

/** Signs in to the application while it is closed. */
const enterClosed = async (browser: Browser, { email }: { email: string }): Promise<Page> => {
  const page = await openFresh(browser);
  await page.goto(application);
  await expect(page.getByText(/It is closed for now\. It opens again on .* UTC\./)).toBeVisible();
  await page.getByText('I administer this network or test this site').click();
  await expectAccessible(page);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  return page;
};

test('§2.7 an owner plans maintenance of a site: it is announced, testers enter, and the site opens again', async ({
  page,
  browser,
}) => {
  await test.step('§2.7 a plan with testers is made in the console', async () => {
    await plan(page, { Closes: day, Opens: day + hour }, async (dialog) => {
      await expectAccessible(page);
      await dialog.getByRole('combobox', { name: 'Testers' }).fill('Testers');
      await page.getByRole('option', { name: 'Testers' }).click();
    });
    const shown = panel(page).getByRole('region', { name: 'Maintenance' });
    await expect(shown).toContainText('Testers');
    await expect(shown).not.toContainText('Not planned');
    await expectScreenQuality(page);
  });

  await test.step('§2.1 the tile and the sign-in page announce it', async () => {
    await expectTile(page, /Closes /);
    await expectScreenQuality(page);
    const visitor = await openFresh(browser);
    await visitor.goto(application);
    await expect(visitor.getByText('Planned maintenance')).toBeVisible();
    await expect(visitor.getByText(/^Workshop will be closed from .* UTC to .* UTC\.$/)).toBeVisible();
    await expectScreenQuality(visitor);
    await visitor.context().close();
  });

  await test.step('§6 during it, a tester enters, and another person reads that the site is closed', async () => {
    await plan(page, { Closes: soon, Opens: hour });
    await expectTile(page, /Closed until /);
    const tester = await enterClosed(browser, people.eli);
    await expect(tester.getByRole('heading', { name: `Signed in as ${people.eli.email}` })).toBeVisible();
    await tester.context().close();
    const other = await enterClosed(browser, people.dan);
    await expect(other.getByRole('heading', { name: 'Workshop is closed' })).toBeVisible();
    await expect(other.getByText(/It opens again on .* UTC\./)).toBeVisible();
    await expectScreenQuality(other);
    await other.context().close();
  });

  await test.step('§2.7 the site opens again at its time', async () => {
    await plan(page, { Opens: soon });
    await expectTile(page, /^(?!.*Clos)/);
    const other = await openFresh(browser);
    await signIn(other, people.dan, application);
    await expect(other.getByRole('heading', { name: `Signed in as ${people.dan.email}` })).toBeVisible();
    await other.context().close();
  });
});
