import { expect, expectAccessible, expectFitsPhone, expectScreenQuality, signIn, test } from '../support/fixtures.ts';
import { demonstration, origin, password, people, serviceProviderOrigin, unreachableUrl } from '../support/world.ts';

test.describe('§1 signing in through SAML', () => {
  test('the sign-in page is accessible and refuses a wrong password', async ({ page }) => {
    await test.step('§2.2 the sign-in page passes axe and fits 360 px', async () => {
      await page.goto('/server/saml/login');
      await expect(page.getByLabel('Email')).toBeFocused();
      await expectScreenQuality(page);
    });

    await test.step('§1 signing in through SAML: a wrong password is refused without saying why, and the address is kept', async () => {
      await page.goto('/');
      await page.getByLabel('Email').fill(people.ben.email);
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alert')).toContainText(
        'The email or password is not right, or this account cannot sign in here.',
      );
      await expect(page.getByLabel('Email')).toHaveValue(people.ben.email);
      await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
      await expectAccessible(page);
    });

    await test.step('§1 signing in through SAML: a visitor signs in and returns to the requested page', async () => {
      await signIn(page, people.ben, '/my lims/report?x=1');
      await expect(page.getByRole('banner').getByText('Hi, Ben Ito')).toBeVisible();
      await expect(page).toHaveURL(`${origin}/my%20lims/report?x=1`);
    });
  });

  test('the sign-in page works without a mouse or a script', async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/server/saml/login`);
    await expect(page.getByLabel('Email')).toBeFocused();
    await page.keyboard.type(people.ben.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL(`${origin}/`);
    await context.close();
  });

  test('an error page says what happened and shows a reference number', async ({ page }) => {
    await page.goto('/saml/northlab/sso?SAMLRequest=nonsense');
    await expect(page.getByRole('heading', { name: 'This request is not valid' })).toBeVisible();
    await expect(page.getByText(/\d{5}-\d{5}/)).toBeVisible();
    await expectAccessible(page);
    await expectFitsPhone(page);
  });
});

test.describe('a real service provider on another site', () => {
  test('signs in by either binding, and the second time without a form', async ({ page }) => {
    for (const [binding, path] of [
      ['redirect', '/login?state=some+state'],
      ['post', '/login-by-post'],
    ] as const)
      await test.step(`§1 a service provider signs in by ${binding}, and the second time without a form`, async () => {
        await page.context().clearCookies();
        await signIn(page, people.ben, `${demonstration}${path}`);
        await expect(page.getByRole('heading', { name: `Signed in as ${people.ben.email}` })).toBeVisible();
        expect(new URL(page.url()).searchParams.get('state')).toBe(binding === 'post' ? 'by post' : 'some state');
        await page.context().clearCookies({ domain: '127.0.0.1' });
        await page.goto(`${demonstration}${path}`);
        await expect(page.getByRole('heading', { name: `Signed in as ${people.ben.email}` })).toBeVisible();
      });
  });

  test('§2.3 a tile opens it in a new tab, signed in, without access to our window', async ({ page }) => {
    await signIn(page, people.ben);
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Demonstration' }).click();
    const tab = await opened;
    await expect(tab.getByRole('heading', { name: `Signed in as ${people.ben.email}` })).toBeVisible();
    expect(await tab.evaluate(() => window.opener)).toBeNull();
  });

  test('a sign-out there also signs out the console', async ({ page }) => {
    await signIn(page, people.ben);
    await expect(page.getByRole('link', { name: 'Demonstration' })).toBeVisible();
    await page.goto(`${demonstration}/login`);
    await page.getByRole('link', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible();
    await expect(page).toHaveURL(`${demonstration}/`);
    await page.goto('/');
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  });

  test('§2.2 Logout in the console also signs out there, and says so', async ({ page }) => {
    await signIn(page, people.ben, `${demonstration}/login`);
    await expect(page.getByRole('heading', { name: `Signed in as ${people.ben.email}` })).toBeVisible();
    await page.goto('/');
    await page.getByRole('button', { name: /Ben Ito/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    await expectAccessible(page);
    await expectFitsPhone(page);
    await page.goto(`${demonstration}/`);
    await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible();
    await page.goto('/');
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  });

  test('§2.2 Logout reaches every application, and the last page names the one that did not respond', async ({
    page,
  }) => {
    const social = `${serviceProviderOrigin}/demonstration-social`;
    await signIn(page, people.sol, `${serviceProviderOrigin}/demonstration-muddled/login`);
    await expect(page.getByRole('heading', { name: `Signed in as ${people.sol.email}` })).toBeVisible();
    for (const application of [`${social}/login`, `${serviceProviderOrigin}/demonstration-fleeting/login`]) {
      await page.goto(application);
      await expect(page.getByRole('heading', { name: `Signed in as ${people.sol.email}` })).toBeVisible();
    }
    await page.goto('/');
    await page.getByRole('button', { name: /Sol Vega/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    const untold = page.getByRole('region', { name: 'You could not be signed out of some applications' });
    await expect(untold.getByRole('listitem')).toHaveText(['Muddled Application']);
    await expectAccessible(page);
    await expectFitsPhone(page);
    for (const application of [social, `${serviceProviderOrigin}/demonstration-fleeting`]) {
      await page.goto(`${application}/`);
      await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible();
    }
  });

  for (const [how, javaScriptEnabled] of [
    ['by itself', true],
    ['by buttons where there is no script', false],
  ] as const)
    test(`§2.2 Logout continues after an application that answers by POST, ${how}`, async ({ browser }) => {
      const context = await browser.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      const continueFrom = async (address: string) => {
        if (javaScriptEnabled) return;
        await expect(page).toHaveURL((url) => url.href.startsWith(address));
        await page.getByRole('button', { name: 'Continue' }).click();
      };
      const [asking, posting] = ['social', 'posting'].map((key) => `${serviceProviderOrigin}/demonstration-${key}`);
      await signIn(page, people.sol, `${posting}/login`);
      await continueFrom(`${origin}/signin/`);
      await expect(page.getByRole('heading', { name: `Signed in as ${people.sol.email}` })).toBeVisible();
      await page.goto(`${asking}/login`);
      await continueFrom(`${origin}/saml/sociallab/sso`);
      await page.getByRole('link', { name: 'Sign out' }).click();
      await continueFrom(`${origin}/saml/sociallab/slo/continue`);
      // A cross-site POST does not carry our cookies; our page posts it again, with cookies that identify the browser.
      await continueFrom(`${posting}/sls-by-post`);
      await continueFrom(`${origin}/saml/sociallab/slo`);
      await expect(page).toHaveURL(`${asking}/`);
      for (const application of [asking, posting]) {
        await page.goto(`${application}/`);
        await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible();
      }
      await context.close();
    });

  test('§2.2 Logout continues after an unreachable application, and names it', async ({ page }) => {
    await signIn(page, people.sol, `${serviceProviderOrigin}/demonstration-gone/login`);
    await expect(page.getByRole('heading', { name: `Signed in as ${people.sol.email}` })).toBeVisible();
    await page.goto('/');
    await page.getByRole('button', { name: /Sol Vega/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    const untold = page.getByRole('region', { name: 'You could not be signed out of some applications' });
    await expect(untold.getByRole('listitem')).toHaveText(['Gone Application']);
  });

  test('§2.2 a Logout without scripts that stops at an unreachable application is reported on the next sign-in page', async ({
    browser,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await signIn(page, people.sol, `${serviceProviderOrigin}/demonstration-gone/login`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { name: `Signed in as ${people.sol.email}` })).toBeVisible();
    await page.goto('/server/saml/logout');
    await expect(page.getByRole('listitem')).toHaveText(['Gone Application']);
    const kept = page.waitForEvent('requestfailed', (request) => request.url().startsWith(unreachableUrl));
    await page.getByRole('button', { name: 'Continue' }).click();
    await kept;
    const untold = page.getByRole('region', { name: 'You could not be signed out of some applications' });
    await expect(async () => {
      await page.goto('/server/saml/login');
      await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
      await expect(untold.getByRole('listitem')).toHaveText(['Gone Application'], { timeout: 500 });
    }).toPass();
    await context.close();
  });

  test('a picture, a link or a form on another site cannot sign anyone out or change anything', async ({ page }) => {
    await signIn(page, people.ana);
    await expect(page.getByText('LIMS Core')).toBeVisible();
    await page.goto(`${demonstration}/`);
    await page.evaluate((target) => {
      const image = document.createElement('img');
      image.src = `${target}/server/saml/logout`;
      document.body.append(image);
      return Promise.allSettled([
        fetch(`${target}/server/sso/network_mode`, { method: 'PUT', mode: 'no-cors', credentials: 'include' }),
        fetch(`${target}/server/saml/logout`, { mode: 'no-cors', credentials: 'include' }),
      ]);
    }, origin);
    await page.goto(`${demonstration}/`);
    await page.evaluate((target) => window.location.assign(`${target}/server/saml/logout`), origin);
    await expect(page.getByRole('heading', { name: 'Sign out of OpenSocial?' })).toBeVisible();
    await expectAccessible(page);
    await page.goto('/');
    await expect(page.getByText('LIMS Core')).toBeVisible();
  });
});
