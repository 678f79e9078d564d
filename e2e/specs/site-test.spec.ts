import { expect, expectAccessible, expectScreenQuality, test } from '../support/fixtures.ts';
import { openSearch, panel, row } from '../support/lists.ts';
import { demonstration, people, serviceProviderOrigin } from '../support/world.ts';

test.use({ person: people.ana });

test('§2.7 an owner tests a sign-in: every step is shown before the answer is sent', async ({ page, context }) => {
  const tab = panel(page);
  await openSearch(page, '/sso-servers/northlab/sites', 'Demonstration', 1);
  await row(page, new URL(serviceProviderOrigin).host).click();
  await tab.getByRole('link', { name: 'Single sign-on' }).click();
  const shown = tab.getByRole('region', { name: 'Test sign-in' });

  const opened = context.waitForEvent('page');
  await shown.getByRole('button', { name: 'Test sign-in', exact: true }).click();
  const application = await opened;

  await test.step('§2.7 the answer is paused, and its parts are readable', async () => {
    await expect(application.getByRole('heading', { name: 'Everything is right on our side' })).toBeVisible();
    await expect(application.getByRole('region', { name: 'Request as received, decoded' })).toContainText(
      '<samlp:AuthnRequest',
    );
    await expect(application.getByRole('region', { name: 'Assertion, before it is signed' })).toContainText(
      people.ana.email,
    );
    await expectScreenQuality(application);
    await application.setViewportSize({ width: 390, height: 844 });
    const overflow = await application.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  });

  await test.step('§2.7 the console follows the test in the other tab', async () => {
    await expect(shown.getByRole('status')).toContainText('The answer is ready');
    // The console cannot be reached from the tab.
    expect(await application.evaluate(() => window.opener)).toBeNull();
  });

  await test.step('§2.7 the answer is sent, and the application accepts it', async () => {
    await application.getByRole('button', { name: 'Send to Demonstration' }).click();
    await expect(application.getByRole('heading', { name: `Signed in as ${people.ana.email}` })).toBeVisible();
    await expect(shown.getByRole('status')).toContainText('We sent a correct response');
    await shown.getByText('Request', { exact: true }).click();
    await expect(shown.getByText('which is registered')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('§2.7 the next sign-in is an ordinary one', async () => {
    await application.goto(`${demonstration}/login`);
    await expect(application.getByRole('heading', { name: `Signed in as ${people.ana.email}` })).toBeVisible();
  });
});
