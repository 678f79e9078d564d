import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, expectScreenQuality, test } from '../support/fixtures.ts';
import { openSearch, panel, row } from '../support/lists.ts';
import { startSmallApplication } from '../support/small-application.ts';
import { demonstration, notebook, notebookSecret, origin, people, serviceProviderOrigin } from '../support/world.ts';

/** Opens the test of a site in the console. */
const openTest = async (page: Page, sites: string, name: string, domain: string): Promise<Locator> => {
  await openSearch(page, sites, name, 1);
  await row(page, domain).click();
  await panel(page).getByRole('link', { name: 'Single sign-on' }).click();
  return panel(page).getByRole('region', { name: 'Test sign-in' });
};

/** Begins a test, and returns the tab in which the application was opened. */
const begin = async (shown: Locator): Promise<Page> => {
  const opened = shown.page().context().waitForEvent('page');
  await shown.getByRole('button', { name: /^Test sign-in/ }).click();
  return opened;
};

test.describe('with SAML', () => {
  test.use({ person: people.ana });

  test('§2.7 an owner tests a sign-in: every step is shown before the answer is sent', async ({ page }) => {
    const { host } = new URL(serviceProviderOrigin);
    const shown = await openTest(page, '/sso-servers/northlab/sites', 'Demonstration', host);
    const application = await begin(shown);

    await test.step('§2.7 the answer is paused, and its parts are readable', async () => {
      await expect(application.getByRole('heading', { name: 'Everything is right on our side' })).toBeVisible();
      await application.getByText('Request as received, decoded', { exact: true }).click();
      await expect(application.getByRole('region', { name: 'Request as received, decoded' })).toContainText(
        '<samlp:AuthnRequest',
      );
      await application.getByText('Assertion, before it is signed', { exact: true }).click();
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
      await expect(shown.getByRole('status')).toContainText('The response is ready');
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

    await test.step('§2.7 one signature is tried, and left as it is at an application that needs two', async () => {
      const opened = page.context().waitForEvent('page');
      await shown.getByRole('button', { name: 'Test with one signature' }).click();
      const second = await opened;
      await second.getByText('The response, as it will be sent').click();
      await expect(second.getByText('The assertion is signed.')).toBeVisible();
      await second.getByRole('button', { name: 'Send to Demonstration' }).click();
      await expect(second.getByText('Invalid document signature')).toBeVisible();
      await expect(shown.getByRole('status')).toContainText('We sent a response with one signature');
      await expect(shown.getByRole('button', { name: 'Sign only the assertion' })).toBeVisible();
      await expectScreenQuality(page);
      await second.goto(`${demonstration}/login`);
      await expect(second.getByRole('heading', { name: `Signed in as ${people.ana.email}` })).toBeVisible();
    });
  });
});

test.describe('with OpenID Connect', () => {
  test.use({ person: people.cara });

  const configuration = { issuer: `${origin}/oidc/worklab`, clientId: notebook.clientId, secret: notebookSecret };

  test('§2.7 an owner tests a sign-in: the console says what became of the code, or of the refusal', async ({
    page,
  }) => {
    const application = await startSmallApplication(notebook.port);
    try {
      application.configure(configuration);
      const shown = await openTest(page, '/sso-servers/worklab/sites', 'Notebook', 'notebook.worklab.org');
      const result = shown.getByRole('status');

      await test.step('§2.7 the answer is paused and decoded, and the console waits for it', async () => {
        const tab = await begin(shown);
        await expect(tab.getByRole('heading', { name: 'Everything is right on our side' })).toBeVisible();
        await tab.getByText('Request as received, decoded', { exact: true }).click();
        await expect(tab.getByRole('region', { name: 'Request as received, decoded' })).toContainText(
          `client_id: ${notebook.clientId}`,
        );
        await tab.getByText('Claims of the ID token', { exact: true }).click();
        await expect(tab.getByRole('region', { name: 'Claims of the ID token' })).toContainText(people.cara.email);
        await tab.getByText('Redirect to the application', { exact: true }).click();
        await expect(tab.getByRole('region', { name: 'Redirect to the application' })).toContainText(
          'code: created when you send the response',
        );
        await expect(result).toContainText('The response is ready');
        await expectScreenQuality(tab);

        await tab.getByRole('button', { name: 'Send to Notebook' }).click();
        await expect(tab.getByRole('heading')).toHaveText(`Signed in as ${people.cara.email}`);
        await expect(result).toContainText('The application got its tokens');
        await shown.getByText('Tokens', { exact: true }).first().click();
        await expect(shown.getByText('The application redeemed its code and got its tokens.')).toBeVisible();
        await expectAccessible(page);
        await tab.close();
      });

      await test.step('§2.7 a code that is not redeemed because of a wrong secret is explained', async () => {
        application.configure({ ...configuration, secret: 'wrong' });
        const tab = await begin(shown);
        await tab.getByRole('button', { name: 'Send to Notebook' }).click();
        await expect(tab.getByRole('heading')).toHaveText('Refused with 401');
        await expect(result).toContainText('The application could not redeem its code');
        await expect(result).toContainText('secret');
        await tab.close();
      });

      await test.step('§2.7 an error is shown before it is redirected, and the console says that it was sent', async () => {
        application.configure({ ...configuration, parameters: { scope: 'profile', acr_values: 'x' } });
        const tab = await begin(shown);
        await expect(tab.getByRole('heading', { name: 'The request is not accepted' })).toBeVisible();
        await expect(result).toContainText('The sign-in was refused');
        await expectScreenQuality(tab);
        await tab.getByRole('button', { name: 'Send the refusal to Notebook' }).click();
        await expect(tab.getByRole('heading')).toHaveText('Refused with invalid_request');
        await expect(result).toContainText('The application got a refusal');
        await tab.close();
      });

      await test.step('§2.7 nothing can be sent to a redirect address that is not registered', async () => {
        application.configure({ ...configuration, parameters: { redirect_uri: `${notebook.address}/other` } });
        const tab = await begin(shown);
        await expect(tab.getByRole('heading', { name: 'The request is not accepted' })).toBeVisible();
        await expect(tab.getByText(`${notebook.address}/other`).first()).toBeVisible();
        await expect(tab.getByRole('button')).toHaveCount(0);
        await expect(result).toContainText('The sign-in was refused');
        await expectAccessible(page);
        await tab.close();
      });
    } finally {
      await application.stop();
    }
  });
});
