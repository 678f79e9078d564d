import type { Browser, Page } from '@playwright/test';
import { xssPayloads } from '../../apps/server/src/testing/payloads/xss-payloads.ts';
import { clipboardOf, expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { demonstration, origin, people } from '../support/world.ts';

const settings = '/sso-servers/rulelab/settings';
const part = (page: Page, name: string) => page.getByRole('region', { name });
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save settings' }).click();
};
const expectSaved = async (page: Page) => {
  await expect(page.getByText('Your request successfully updated').first()).toBeVisible();
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
};

/** The sign-in page of rulelab's site, for a visitor who is not signed in. */
const openSignIn = async (browser: Browser): Promise<Page> => {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  // The video itself is not loaded.
  await context.route('https://**', (route) => route.abort());
  const page = await context.newPage();
  await page.goto(`${demonstration}-rules/login`);
  await expect(page.getByRole('heading', { name: 'Sign in to Rule Book' })).toBeVisible();
  return page;
};

const upload = async (page: Page, title: string) => {
  const library = page.getByRole('dialog', { name: 'Choose an image' });
  await library.getByRole('tab', { name: 'Upload Files' }).click();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><rect width="90" height="30" fill="#0f766e"/></svg>`;
  await library
    .locator('input[type="file"]')
    .setInputFiles({ name: `${title}.svg`, mimeType: 'image/svg+xml', buffer: Buffer.from(svg) });
  const start = library.getByRole('button', { name: /^Upload/ });
  if (await start.isVisible()) await start.click();
  await library.getByRole('button', { name: 'Use this image' }).click();
  await expect(library).toHaveCount(0);
};

test.use({ person: people.rhea });
// The form is saved as a whole, so the tests run one after the other.
test.describe.configure({ mode: 'serial' });

test.describe('§2.10 SSO Server Details', () => {
  test('logo, background and footer logo are chosen from the media library and shown on the sign-in page', async ({
    page,
    browser,
  }) => {
    await page.goto(settings);
    await expect(page.getByRole('heading', { name: 'SSO Server Details', level: 1 })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Server Settings' })).toHaveAttribute('aria-current', 'page');
    await expect(page.getByLabel('Footer link URL')).toHaveCount(0);
    for (const name of ['Global Logo', 'Global Background', 'Footer Logo']) {
      await page.getByRole('button', { name: `Choose ${name}` }).click();
      await upload(page, name);
      await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible();
    }
    await page.getByLabel('Footer link URL').fill('https://rulelab.org/about');
    await save(page);
    await expectSaved(page);
    await expectScreenQuality(page);

    const signIn = await openSignIn(browser);
    for (const image of ['.logo', '.backdrop', 'a[href="https://rulelab.org/about"] .footer-logo'])
      await expect(signIn.locator(image)).toHaveJSProperty('complete', true);
    expect(await signIn.locator('.logo').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

    await page.getByRole('button', { name: 'Remove Footer Logo' }).click();
    await expect(page.getByLabel('Footer link URL')).toHaveCount(0);
    await page.getByRole('button', { name: 'Remove Global Background' }).click();
    await expect(page.getByRole('button', { name: 'Choose Global Background' })).toBeVisible();
    await signIn.reload();
    await expect(signIn.locator('.footer-logo, img.backdrop')).toHaveCount(0);
    await signIn.context().close();
  });

  test('saves social logins and the account policy, and shows the identity', async ({ page, context }) => {
    await test.step('§2.10 SSO Server Details: social logins: a key is shown; a secret is write-only, kept if unchanged, and can be removed', async () => {
      await page.goto(settings);
      const secret = page.getByLabel('google secret', { exact: true });
      await expect(page.getByRole('group', { name: /^(linkedin|facebook|google|twitter|github)$/ })).toHaveCount(5);
      await expect(secret).toHaveValue('••••••••');
      await page.getByLabel('google key').fill('key-of-google');
      await secret.focus();
      await expect(secret).toHaveValue('');
      await page.getByLabel('google key').focus();
      await expect(secret).toHaveValue('••••••••');
      await save(page);
      await expectSaved(page);
      await page.reload();
      await expect(page.getByLabel('google key')).toHaveValue('key-of-google');
      await expect(secret).toHaveValue('••••••••');
      await page.getByRole('button', { name: 'Remove the google secret' }).click();
      await expect(part(page, 'Social Logins').getByText('The secret is removed when you save.')).toBeVisible();
      await save(page);
      await expectSaved(page);
      await page.reload();
      await expect(secret).toHaveValue('');
      await secret.fill('a-new-secret');
      await save(page);
      await expectSaved(page);
      await expect(secret).toHaveValue('••••••••');
    });

    await test.step('§2.10 SSO Server Details: account policy: its options, the message without an MFA option, and who is affected', async () => {
      await page.goto(settings);
      const policy = part(page, 'Users Account Policy');
      const optionsOf = (name: string) => policy.getByLabel(name).getByRole('option');
      await expect(optionsOf('Password expiration')).toHaveText([
        'Disable',
        'After 1 month',
        'After 3 months',
        'After 6 months',
      ]);
      await expect(optionsOf('Password history')).toHaveText([
        'Not one of the last 3',
        'Not one of the last 6',
        'Not one of the last 9',
      ]);
      await expect(optionsOf('Minimum length')).toHaveText(['8 characters', '16 characters', '32 characters']);
      await expect(policy.getByRole('checkbox')).toHaveCount(4);
      await expect(policy.getByText('Permitted MFA options')).toHaveCount(0);

      await policy.getByLabel('Lock user').fill('-1');
      await policy.getByLabel('Bad attempts').fill('1.5');
      await policy.getByRole('switch', { name: 'MFA' }).check();
      // The safer option is chosen first.
      await policy.getByText('Authenticator app (TOTP)').click();
      await save(page);
      await expect(policy.getByText('You have to select at least one mfa option')).toBeVisible();
      await expect(policy.getByText('Enter a whole number; 0 means unlimited')).toHaveCount(2);
      await expectScreenQuality(page);
      await page.reload();
      await expect(policy.getByLabel('Lock user')).toHaveValue('0');

      await policy.getByLabel('Password expiration').selectOption('After 6 months');
      await policy.getByLabel('Minimum length').selectOption('8 characters');
      await policy.getByText('Number', { exact: true }).click();
      await policy.getByLabel('Lock user').fill('90');
      await policy.getByLabel('Bad attempts').fill('5');
      await policy.getByRole('switch', { name: 'MFA' }).check();
      await expect(policy.getByText('They set up an authenticator app at their next sign-in.')).toBeVisible();
      await policy.getByText('Code by email').click();
      await expect(policy.getByText('2 of the')).toContainText('no second factor yet. They get a code by email');
      await save(page);
      const dialog = page.getByRole('dialog', { name: 'Who is affected' });
      await expect(dialog).toContainText('1 password is older than this.');
      await expect(dialog).toContainText('2 users have no second factor yet');
      await expect(dialog).toContainText('1 account has not been used for that long');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await policy.getByRole('switch', { name: 'MFA' }).uncheck();
      await policy.getByLabel('Lock user').fill('0');
      await policy.getByLabel('Password expiration').selectOption('Disable');
      await save(page);
      await expectSaved(page);
      await page.reload();
      await expect(policy.getByLabel('Minimum length')).toHaveValue('8');
      await expect(policy.getByLabel('Bad attempts')).toHaveValue('5');
      await expect(policy.getByRole('checkbox', { name: 'Number' })).toBeChecked();
      const rule = await page.request.get(`${origin}/prxy/api/password_regex?server=rulelab`);
      expect(await rule.json()).toMatchObject({
        password_length: 8,
        regex_message: 'The password must have at least 8 characters, with a number.',
      });
    });

    await test.step('§2.10 SSO Server Details: a click that triggers an on-blur error still reaches its button', async () => {
      await page.reload();
      const policy = part(page, 'Users Account Policy');
      const mfa = policy.getByRole('switch', { name: 'MFA' });
      await policy.getByLabel('Lock user').fill('-1');
      await mfa.scrollIntoViewIfNeeded();
      const button = await policy.getByText('MFA', { exact: true }).boundingBox();
      if (!button) throw new Error('The button is not shown.');
      await page.mouse.move(button.x + button.width / 2, button.y + button.height / 2);
      await page.mouse.down();
      await page.mouse.up();
      await expect(mfa).toBeChecked();
      await expect(policy.getByText('Enter a whole number; 0 means unlimited')).toBeVisible();
    });

    await test.step('§2.10 SSO Server Details: a conflicting save shows the other change, and both changes can be kept', async () => {
      await page.reload();
      const policy = part(page, 'Users Account Policy');
      await policy.getByLabel('Bad attempts').fill('7');
      const address = `${origin}/server/sso/settings/rulelab`;
      const form = await (await page.request.get(address)).json();
      const data = { ...form, server: 'rulelab', help_email: 'help@rulelab.org' };
      expect((await page.request.put(address, { data, headers: { origin } })).status()).toBe(200);
      await save(page);
      const dialog = page.getByRole('dialog', { name: 'This was changed in the meantime' });
      await expect(dialog).toContainText('You, in another window, changed this on');
      await expect(dialog.getByRole('row', { name: /support email/ })).toContainText('help@rulelab.org');
      await expect(dialog.getByRole('button', { name: 'Keep editing' })).toBeFocused();
      await expectScreenQuality(page);
      await dialog.getByRole('button', { name: 'Keep editing' }).click();
      await expect(policy.getByLabel('Bad attempts')).toHaveValue('7');
      await save(page);
      await dialog.getByRole('button', { name: 'Save mine anyway' }).click();
      await expectSaved(page);
      await page.reload();
      await expect(policy.getByLabel('Bad attempts')).toHaveValue('7');
      await expect(page.getByLabel("'Need Help?' support email")).toHaveValue('help@rulelab.org');
    });

    await test.step('§2.10 SSO Server Details: the identity of the IdP is read-only, can be copied, and is downloaded as metadata', async () => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(settings);
      const identity = part(page, 'IdP Identity Information');
      for (const [name, path] of [
        ['Entity ID', 'metadata'],
        ['Sign-on service URL', 'sso'],
        ['Sign-out service URL', 'slo'],
      ] as const) {
        await expect(identity.getByText(`${origin}/saml/rulelab/${path}`)).toBeVisible();
        await identity.getByRole('button', { name: `Copy ${name}` }).click();
        await expect.poll(() => clipboardOf(page)).toBe(`${origin}/saml/rulelab/${path}`);
      }
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        identity.getByRole('link', { name: 'Download metadata' }).click(),
      ]);
      expect(file.suggestedFilename()).toBe('rulelab-metadata.xml');
    });
  });

  test('the signing key is replaced, and switched back, without leaving the screen', async ({ page }) => {
    await page.goto(settings);
    const board = part(page, 'Signing keys and certificates');
    const key = (name: string) => board.getByRole('article', { name });
    const confirm = async (title: string, action: string) => {
      await page.getByRole('dialog', { name: title }).getByRole('button', { name: action }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    };
    const publishedKeys = async () => {
      const xml = await (await page.request.get(`${origin}/saml/rulelab/metadata`)).text();
      return xml.match(/<ds:X509Certificate>[^<]+/g) ?? [];
    };
    const [first] = await publishedKeys();
    await board.getByRole('button', { name: 'Create the next key' }).click();
    await page.getByRole('dialog').getByLabel('Algorithm').selectOption('RSA, 3,072 bits');
    await confirm('Create the next key', 'Create key');
    await expect(key('Next key')).toContainText('RSA, 3,072 bits');
    expect(await publishedKeys()).toHaveLength(2);
    await expectScreenQuality(page);

    await key('Next key').getByRole('button', { name: 'Try with my sign-ins' }).click();
    await confirm('Try the next key', 'Try with my sign-ins');
    await expect(key('Next key')).toContainText(`The sign-ins of ${people.rhea.email} are signed with this key until`);
    const choice = board.getByLabel('Key of Rule Book (rules.rulelab.org)');
    await choice.selectOption({ index: 1 });
    await confirm('Switch Rule Book (rules.rulelab.org)', 'Switch this site');
    await expect(key('Next key')).toContainText('used by 1 site');

    await key('Next key').getByRole('button', { name: 'Switch all sites' }).click();
    await confirm('Switch all sites', 'Switch all sites');
    await expect(key('Current key')).toContainText('RSA, 3,072 bits');
    expect((await publishedKeys())[1]).toBe(first);
    await key('Retired key').getByRole('button', { name: 'Switch back to this key' }).click();
    await confirm('Switch back', 'Switch back');
    await expect(key('Next key')).toContainText('RSA, 3,072 bits');
    await key('Next key').getByRole('button', { name: 'Remove this key' }).click();
    await confirm('Remove this key', 'Remove this key');
    await expect(key('Next key')).toHaveCount(0);
    expect(await publishedKeys()).toEqual([first]);
  });

  test('saves the footer and sanitises it', async ({ page, browser }) => {
    await test.step('§2.10 SSO Server Details: footer: its type is saved immediately; a custom text is written, saved, shown and kept', async () => {
      await page.goto(settings);
      const footer = part(page, 'Footer Settings');
      await footer.getByText('Custom', { exact: true }).click();
      await expect(page.getByText('Footer type updated successfully')).toBeVisible();
      const text = footer.getByRole('textbox', { name: 'Custom footer' });
      await text.click();
      await page.keyboard.type('House rules');
      await footer.getByLabel('Paragraph style').selectOption('Heading 2');
      await page.keyboard.press('Enter');
      await footer.getByLabel('Font size').selectOption('18 px');
      await page.keyboard.type('Be kind');
      await page.keyboard.press('Shift+Home');
      await footer.getByRole('button', { name: 'Text colour' }).click();
      await expect(page.getByRole('group', { name: 'Colours' }).getByRole('button')).toHaveCount(30);
      await page.getByRole('button', { name: 'Petrol', exact: true }).click();
      await footer.getByRole('button', { name: 'Bold' }).click();
      await expect(footer.getByRole('button', { name: 'Bold' })).toHaveAttribute('aria-pressed', 'true');
      await footer.getByRole('button', { name: 'Link' }).click();
      await page.getByLabel('Address of the link').fill('https://rulelab.org/rules');
      await page.keyboard.press('Enter');
      await text.click();
      await page.keyboard.press('Control+End');
      // The editor updates the cursor position with the next frame.
      await expect(footer.getByRole('button', { name: 'Link' })).toHaveAttribute('aria-pressed', 'false');
      await page.keyboard.press('Enter');
      await footer.getByRole('button', { name: 'Video' }).click();
      await page.getByLabel('Address of the video').fill('https://evil.example/watch?v=dQw4w9WgXcQ');
      await page.keyboard.press('Enter');
      await expect(page.getByText('This address cannot be used here')).toBeVisible();
      await expect(page.getByLabel('Address of the video')).toBeFocused();
      await page.getByLabel('Address of the video').fill('https://vimeo.com/76979871');
      await page.keyboard.press('Enter');
      await expect(text.getByText('Video · player.vimeo.com')).toBeVisible();
      // The video is selected now, so another one is inserted after it.
      await footer.getByRole('button', { name: 'Video' }).click();
      await page.getByLabel('Address of the video').fill('https://youtu.be/dQw4w9WgXcQ');
      await page.keyboard.press('Enter');
      await expect(text.getByText(/^Video · /)).toHaveText([
        'Video · player.vimeo.com',
        'Video · youtube-nocookie.com',
      ]);
      await expect(footer.getByLabel('Font size').getByRole('option')).toHaveCount(12);
      await expect(footer.getByLabel('Paragraph style').getByRole('option')).toHaveText([
        'Text',
        'Heading 1',
        'Heading 2',
        'Heading 3',
      ]);
      await expectScreenQuality(page);

      // Leaving asks for confirmation.
      await page.getByRole('link', { name: 'Sites', exact: true }).click();
      await page.getByRole('button', { name: 'Keep editing' }).click();
      await save(page);
      await expectSaved(page);
      await page.reload();
      await expect(text.getByRole('heading', { name: 'House rules' })).toBeVisible();

      const signIn = await openSignIn(browser);
      const shown = signIn.locator('.own-footer');
      await expect(shown.getByRole('heading', { name: 'House rules', level: 2 })).toBeVisible();
      const link = shown.getByRole('link', { name: 'Be kind' });
      await expect(link).toHaveAttribute('href', 'https://rulelab.org/rules');
      await expect(shown.locator('span', { hasText: 'Be kind' }).first()).toHaveCSS('font-size', '18px');
      await expect(shown.locator('iframe')).toHaveCount(2);
      await expect(shown.locator('iframe').first()).toHaveAttribute('src', 'https://player.vimeo.com/video/76979871');
      await signIn.context().close();
    });

    await test.step('§2.10 SSO Server Details: footer: none of a hundred attacks runs, loads or sends anything on the sign-in page', async () => {
      const form = await (await page.request.get(`${origin}/server/sso/settings/rulelab`)).json();
      for (const [call, data] of [
        ['footer_type', { footer_type: 'Custom' }],
        ['settings', { ...form, custom_footer: xssPayloads.join('\n<p>next</p>\n') }],
      ] as const) {
        const saved = await page.request.put(`${origin}/server/sso/${call}/rulelab`, {
          data: { ...data, server: 'rulelab' },
          headers: { origin },
        });
        expect(saved.status()).toBe(200);
      }
      const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
      const strange: string[] = [];
      context.on('request', (request) => {
        if (!request.url().startsWith(origin) && !request.url().startsWith(demonstration)) strange.push(request.url());
      });
      const shown = await context.newPage();
      shown.on('dialog', (dialog) => {
        strange.push(dialog.message());
        void dialog.dismiss();
      });
      await shown.goto(`${demonstration}-rules/login`);
      await expect(shown.locator('.own-footer')).toContainText('next');
      await shown.waitForLoadState('networkidle');
      expect(strange).toEqual([]);
      expect(await shown.locator('.own-footer :is(form, input, button, img, svg, script, style, object)').count()).toBe(
        0,
      );
      // The only forms of the page are its own: for password and passkey.
      expect(await shown.locator('form:not(main form)').count()).toBe(0);
      expect(await shown.locator('main form').count()).toBe(2);
      await context.close();
    });
  });

  test('§8 a failed save shows the message of the server, a failed type change its own text, and the input is kept', async ({
    page,
  }) => {
    await page.goto(settings);
    await page.route('**/server/sso/settings/rulelab', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 500, json: { error: 'The disk is full', message: '' } })
        : route.continue(),
    );
    await page.getByLabel('facebook key').fill('typed');
    await save(page);
    await expect(page.getByText('The disk is full')).toBeVisible();
    await expect(page.getByLabel('facebook key')).toHaveValue('typed');
    await page.route('**/server/sso/footer_type/rulelab', (route) => route.abort());
    await part(page, 'Footer Settings').getByText('Logo', { exact: true }).click();
    await expect(page.getByText('Failed to update footer type')).toBeVisible();
  });
});

test('§2.10 SSO Server Details: the preview of the sign-in page follows the form before it is saved', async ({
  page,
}) => {
  await page.goto(settings);
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.frameLocator('iframe[title="Sign-in page"]');
  await expect(preview.getByRole('heading', { name: 'Your application' })).toBeVisible();
  await expect(preview.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  await expect(page.getByText(/The sign-in page of this console has the look of the main network/)).toBeVisible();
  await page.getByLabel('Privacy URL').fill('https://rulelab.org/privacy-draft');
  await expect(preview.locator('a[href="https://rulelab.org/privacy-draft"]')).toBeVisible();
  await page.getByLabel('Privacy URL').fill('not an address');
  await expect(page.getByText('Correct the marked fields to see them here.')).toBeVisible();

  await test.step('§2.10 a theme and a width are chosen for the preview', async () => {
    await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').click();
    const brightness = () =>
      preview.locator('.card').evaluate((card) => getComputedStyle(card).backgroundColor.match(/\d+/g)?.map(Number)[0]);
    await expect.poll(brightness).toBeLessThan(80);
    await page.getByRole('radiogroup', { name: 'Width' }).getByText('Phone').click();
    await expect.poll(() => preview.locator('html').evaluate(({ clientWidth }) => clientWidth)).toBe(390);
    await expectScreenQuality(page);
  });

  await test.step('§2.10 the bar names what is not saved, and discards it after a confirmation', async () => {
    await expect(page.getByText('Not saved yet: Privacy URL')).toBeVisible();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard changes?' });
    await expect(dialog).toContainText('Privacy URL');
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await expect(page.getByLabel('Privacy URL')).toHaveValue('');
    await expect(page.getByText('Not saved yet')).toHaveCount(0);
  });
});

test('§2.10 SSO Server Details: links lead to the sections of the settings', async ({ page }) => {
  await page.goto(settings);
  const sections = page.getByRole('navigation', { name: 'Sections of the settings' });
  await expect(sections.getByRole('link', { name: 'Look of the sign-in page' })).toHaveAttribute(
    'aria-current',
    'location',
  );
  await sections.getByRole('link', { name: 'Legal links' }).click();
  await expect(page.getByRole('heading', { name: 'Legal links' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Legal links' })).toBeInViewport();
  await page.goto(`${settings}#policy`);
  await expect(page.getByRole('heading', { name: 'Users Account Policy' })).toBeInViewport();
  // The menu leads to the beginning of the page.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Server Settings' }).click();
  await expect(page).toHaveURL(settings);
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await expect(sections.getByRole('link', { name: 'Look of the sign-in page' })).toHaveAttribute(
    'aria-current',
    'location',
  );
});

test('§8 settings that cannot be loaded show the error panel', async ({ page }) => {
  await page.route('**/server/sso/settings/rulelab', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(settings);
  await expect(page.getByText('Something went wrong with the SSO Server.')).toBeVisible();
  await page.unroute('**/server/sso/settings/rulelab');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Save settings' })).toBeVisible();
});
