import type { Locator, Page } from '@playwright/test';
import { markupAttacks, tokenLeaks, valueAttacks } from '../../apps/server/src/testing/payloads/mail-attacks.ts';
import type { Letter } from '../../apps/server/src/testing/services/smtp-server.ts';
import { createUser, listNetworks, templateNames, updateTemplate } from '../../packages/contract/src/index.ts';
import { expect, expectAccessible, expectScreenQuality, test } from '../support/fixtures.ts';
import { mailboxOrigin, origin, people } from '../support/world.ts';

const templates = '/sso-servers/maillab/email-templates';
const titles = [
  'User Invitation by Admin',
  "Other Network's User Invitation by Admin",
  'New User Signup from Login Page',
  'Password Reset',
  'Resend Verification',
  'Email MFA Code',
];

const section = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
const mail = (page: Page, title: string) => section(page, title).getByRole('textbox', { name: title, exact: true });
const open = async (page: Page, title: string) => {
  await page.goto(templates);
  await section(page, title).getByRole('button', { name: title, exact: true }).click();
  await expect(mail(page, title)).toBeVisible();
};
const save = async (page: Page, title: string, name: string) => {
  await section(page, title).getByRole('button', { name: 'save settings' }).click();
  await expect(page.getByText(`${name} template updated successfully`)).toBeVisible();
};

/** The merge tags of §9. */
const sevenTags = ['user_name', 'email', 'token', 'site', 'signup_from', 'state', 'relay_state'].map(
  (tag) => new RegExp(`^\\{${tag}\\}`),
);

/** Adds a block from the menu. The previous one may still be scrolling into view and move the menu under the mouse. */
const addBlock = async (page: Page, title: string, block: string) => {
  const item = page.getByRole('menuitem', { name: block, exact: true });
  await section(page, title).getByRole('button', { name: 'Add block' }).click();
  await expect(item).toBeVisible();
  await expect(async () => {
    if (await item.isVisible()) await item.click({ timeout: 2_000 });
    await expect(item).toBeHidden({ timeout: 2_000 });
  }).toPass();
};

const chooseImage = async (page: Page) => {
  const library = page.getByRole('dialog', { name: /image/i }).first();
  await library.getByRole('listbox').getByRole('option').first().click();
  await library.getByRole('button', { name: 'Use this image' }).click();
  await expect(library).toBeHidden();
};

const chooseColour = async (page: Page, title: string, field: RegExp, colour: RegExp) => {
  await section(page, title).getByRole('button', { name: field }).click();
  await page.getByRole('option', { name: colour }).click();
  await page.keyboard.press('Escape');
};

const upload = async (page: Page): Promise<string> => {
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 60, height: 40 } });
  const uploaded = await page.request.post('/prxy/api/image_upload', {
    headers,
    multipart: { sso_server: 'maillab', image: { name: 'logo.png', mimeType: 'image/png', buffer: picture } },
  });
  expect(uploaded.ok()).toBe(true);
  return ((await uploaded.json()) as { message: string }).message;
};

/** From the top of the page: a control that is half below the header while scrolling is not an error of the editor. */
const expectEditorForEveryone = async (page: Page) => {
  await page.evaluate(() => window.scrollTo(0, 0));
  await expectScreenQuality(page);
};

const lettersTo = async (page: Page, address: string): Promise<Letter[]> =>
  (await page.request.get(`${mailboxOrigin}/?to=${encodeURIComponent(address)}`)).json();
/** The mail to an address, with this subject if there may be others. */
const letterTo = async (page: Page, address: string, subject?: string): Promise<Letter> => {
  const find = async () =>
    (await lettersTo(page, address)).find((letter) => subject === undefined || letter.subject === subject);
  await expect.poll(find, { intervals: [50, 50, 100, 200, 500] }).toBeDefined();
  const letter = await find();
  if (!letter) throw new Error('There is no letter.');
  return letter;
};

/** The blocks of a mail in words, with brackets around the contents of sections and columns. */
const outlineOf = (editor: Locator) =>
  editor.evaluate((root) => {
    const read = (parent: Element): string =>
      [...parent.children]
        .map((child) => {
          const { block = '' } = (child as HTMLElement).dataset;
          return ['section', 'columns', 'column'].includes(block)
            ? `[${read(child)}]`
            : child.textContent || block || '-';
        })
        .join(' ');
    return read(root);
  });

const boxOf = async (target: Locator) => {
  const box = await target.boundingBox();
  if (!box) throw new Error('It is not shown.');
  return box;
};

/** Sends the mail to the author as a test, and opens the received mail. The words distinguish it from others. */
const receive = async (page: Page, title: string, words: string): Promise<Page> => {
  const before = (await lettersTo(page, people.mia.email)).length;
  await section(page, title).getByRole('button', { name: 'Send a test to me' }).click();
  const find = async () =>
    (await lettersTo(page, people.mia.email)).slice(before).find(({ html }) => html.includes(words));
  await expect.poll(find, { intervals: [50, 50, 100, 200, 500] }).toBeDefined();
  const received = await page.context().newPage();
  await received.setContent((await find())?.html ?? '');
  return received;
};

/** How many rows the columns of a mail take in a window of this width. Nothing may be wider than the window. */
const rowsOfColumns = async (received: Page, width: number): Promise<number> => {
  await received.setViewportSize({ width, height: 800 });
  const boxes = await Promise.all((await received.locator('.mail-column').all()).map(boxOf));
  const overflow = await received.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
  return new Set(boxes.map(({ y }) => Math.round(y))).size;
};

const headers = { origin };
const networkId = async (page: Page, person: { email: string }, name: string): Promise<number> => {
  const path = listNetworks.path.build({ username: person.email, lastid: 0 });
  const { data } = (await (await page.request.get(path)).json()) as { data: { id: number; url: string }[] };
  return data.find(({ url }) => url === name)?.id ?? 0;
};
const invite = async (page: Page, network: string, id: number, email: string, firstname = 'Bea') => {
  const person = { email, firstname, lastname: 'Ito', groups: [] };
  const data = { ...person, sso_server_id: id, signup_from: origin, signup_server: network };
  return page.request.post(createUser.path.build({}), { headers, data });
};

// In a network whose templates no other test changes.
test.describe('§2.11 network email templates, unchanged', () => {
  test.use({ person: people.gil });

  test('show six sections with switches, the help guide, and a note that mails are saved on the server', async ({
    page,
  }) => {
    // As if no SMTP_URL were set.
    await page.route('**/server/sso/templates/eastlab', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), delivery: 'outbox' } });
    });
    await page.goto('/sso-servers/eastlab');
    await page.getByRole('link', { name: 'Email Templates' }).click();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(titles);
    await expect(page).toHaveTitle('Email Templates · eastlab · OpenSocial');
    for (const title of titles) {
      await expect(section(page, title).getByRole('radio', { name: 'Use Default' })).toBeChecked();
      await expect(section(page, title).getByRole('radio', { name: 'Use Template' })).not.toBeChecked();
    }
    await expect(page.getByText('Emails are saved on the server. Its operator can forward them')).toBeVisible();
    await expectScreenQuality(page);
    await page.getByRole('main').getByRole('button', { name: 'Help' }).click();
    const guide = page.getByRole('dialog', { name: 'Email Template Help Guide' });
    await expect(guide.getByText('replace xxx in the template links with the network name')).toBeVisible();
    for (const tag of 'user_name email token site signup_from state relay_state email_code'.split(' '))
      await expect(guide.getByRole('term').filter({ hasText: `{${tag}}` })).toBeVisible();
    await expectScreenQuality(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('main').getByRole('button', { name: 'Help' })).toBeFocused();
  });
});

test.describe('§2.11 network email templates', () => {
  test.use({ person: people.mia });

  test('a template is edited, previewed, saved, loaded, sent and received with its values', async ({ page }) => {
    const [title = ''] = titles;
    await open(page, title);
    const editor = mail(page, title);
    const within = section(page, title);
    // §4 nothing is saved: blank, white, 600 px wide; §9 at least 700 px high.
    await expect(editor).toHaveText('');
    await expect(editor).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    await expect.poll(async () => (await editor.boundingBox())?.width).toBe(600);
    await expect.poll(async () => (await editor.locator('..').boundingBox())?.height).toBeGreaterThanOrEqual(700);
    await expect(within.getByText('This email is blank.')).toBeVisible();
    await expect(within.getByRole('button', { name: 'Start from the default design' })).toHaveCount(1);
    // Reachable before the end of the page.
    await expect(within.getByRole('button', { name: 'save settings' })).toBeInViewport();

    const subject = within.getByRole('textbox', { name: 'Subject' });
    await expect(subject).toHaveValue('');
    await subject.fill('Your key, {token}');
    await expect(within.getByText('The subject cannot contain {token}')).toBeVisible();
    await subject.fill('Welcome to {site}, {user_name}');

    await editor.focus();
    await page.keyboard.type('/heading 1');
    await expect(page.getByRole('listbox', { name: 'Blocks' }).getByRole('option')).toHaveText(['Heading 1']);
    await page.keyboard.press('Enter');
    await page.keyboard.type('Welcome, {us');
    await expect(page.getByRole('option', { name: '{user_name}' })).toHaveAttribute('aria-selected', 'true');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.keyboard.type('!');
    await expect(editor.getByRole('heading', { level: 1 })).toHaveText('Welcome, {user_name}!');
    await expect(within.getByText('{token} is missing')).toBeVisible();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Known as {nobody}. ');
    await expect(within.getByText('Unknown tags are sent unchanged: {nobody}')).toBeVisible();
    await within.getByRole('button', { name: 'Insert tag' }).click();
    await page.getByRole('menuitem', { name: '{email}' }).click();
    await expect(editor.locator('p').last()).toHaveText('Known as {nobody}. {email}');

    // By keyboard alone: the toolbar is one tab stop, arrows move inside it.
    await within.getByRole('button', { name: 'Insert tag' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Text', exact: true })).toBeFocused();
    for (let step = 0; step < 6; step += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await within.getByRole('textbox', { name: 'Label' }).fill('Set it, {user_name}');
    await within.getByRole('textbox', { name: 'Link' }).fill('javascript:alert(1)');
    await expect(within.getByText('A link begins with https://')).toBeVisible();
    await within.getByRole('textbox', { name: 'Link' }).fill('https://evil.example/{token}');
    const refusal = "{token} only works in the link that sets a password. Use the 'Set your password' button or link";
    await expect(within.getByText(refusal)).toHaveCount(2);
    await within.getByRole('button', { name: 'save settings' }).click();
    await expect(page.getByText(refusal)).toHaveCount(3);
    await within.getByRole('textbox', { name: 'Link' }).fill('{signup_from}/saml/maillab/sso?RelayState={token}');
    await expect(within.getByText(refusal)).toHaveCount(2);
    await within.getByRole('textbox', { name: 'Link' }).fill('{signup_from}/set-password?email={email}&token={token}');
    await expect(within.getByText('{token} is missing')).toHaveCount(0);
    await expect(within.getByText(refusal)).toHaveCount(0);
    await expectEditorForEveryone(page);

    await within.getByText('Phone', { exact: true }).click();
    const preview = page.frameLocator('iframe');
    await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Welcome, Alex Example!');
    await expect(page.locator('iframe')).toHaveAttribute('sandbox', '');
    await expect.poll(async () => (await page.locator('iframe').boundingBox())?.width).toBe(375);
    await within.getByText('Desktop', { exact: true }).click();
    await expect(preview.getByRole('link', { name: 'Set it, Alex Example' })).toBeVisible();
    await expect.poll(async () => (await page.locator('iframe').boundingBox())?.width).toBeGreaterThan(600);
    await within.getByRole('switch', { name: 'Dark mode' }).click();
    await expect(preview.getByRole('link', { name: 'Set it, Alex Example' })).toBeVisible();
    await expect(page.locator('iframe')).toHaveCSS('filter', 'invert(1) hue-rotate(180deg)');
    await expectAccessible(page);
    await within.getByText('Edit', { exact: true }).click();
    await expect(within.getByText('This email is blank.')).toHaveCount(0);

    await save(page, title, 'Invitation');
    await expect(page.getByText('Unknown tags are sent unchanged: nobody')).toBeVisible();
    await page.reload();
    await within.getByRole('button', { name: title, exact: true }).click();
    await expect(editor.getByRole('heading', { level: 1 })).toHaveText('Welcome, {user_name}!');
    await expect(editor.getByText('Set it, {user_name}')).toBeVisible();
    await expect(subject).toHaveValue('Welcome to {site}, {user_name}');
    await within.getByText('Use Template').click();
    await expect(page.getByText('Your request successfully updated')).toBeVisible();
    await page.reload();
    await expect(within.getByRole('radio', { name: 'Use Template' })).toBeChecked();

    const email = 'bea+ito@maillab.org';
    await invite(page, 'maillab', await networkId(page, people.mia, 'maillab'), email);
    const letter = await letterTo(page, email);
    expect(letter).toMatchObject({ to: [email], subject: 'Welcome to maillab, Bea Ito' });
    expect(letter.text).toMatch(
      /^Welcome, Bea Ito!\s+Known as \{nobody\}\. bea\+ito@maillab\.org\s+Set it, Bea Ito:\s+http:\/\/localhost:\d+\/set-password\?email=bea%2Bito%40maillab\.org&token=[\w-]{40}\s*$/,
    );
    // A document without our Content-Security-Policy, like that of a mail program.
    await page.goto('about:blank');
    await page.setContent(letter.html);
    await page.getByRole('link', { name: 'Set it, Bea Ito' }).click();
    await expect(page.getByText('Activate Your Account')).toBeVisible();
  });

  test('§2.11 network email templates: an earlier version is previewed, restored, and used after it is saved', async ({
    page,
  }) => {
    const title = 'Email MFA Code';
    await open(page, title);
    const within = section(page, title);
    const editor = mail(page, title);
    const history = () => within.getByRole('button', { name: 'Version history' }).click();
    const dialog = page.getByRole('dialog', { name: `Version history: ${title}` });
    const keep = async () => {
      await within.getByRole('button', { name: 'save settings' }).click();
      await expect(within.getByText('not saved yet')).toHaveCount(0);
    };
    await history();
    await expect(dialog.getByText('There is no version yet.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(within.getByRole('button', { name: 'Version history' })).toBeFocused();
    for (const words of ['The first words', 'The second words']) {
      await editor.fill(words);
      await within.getByRole('textbox', { name: 'Subject' }).fill(words);
      await keep();
    }
    await history();
    const versions = dialog.getByRole('list', { name: 'Versions' }).getByRole('button');
    await expect(versions).toHaveCount(2);
    await expect(versions.first()).toContainText('current');
    await expect(versions.first()).toContainText(`by ${people.mia.email}`);
    await versions.last().click();
    await expect(dialog.frameLocator('iframe').getByText('The first words')).toBeVisible();
    await expectScreenQuality(page);
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    await expect(editor).toHaveText('The first words');
    await expect(within.getByRole('textbox', { name: 'Subject' })).toHaveValue('The first words');
    await expect(within.getByText('not saved yet')).toBeVisible();
    await editor.press('ControlOrMeta+z');
    await expect(editor).toHaveText('The second words');
    await editor.press('ControlOrMeta+Shift+z');
    await keep();
    await history();
    await expect(versions).toHaveCount(3);
  });

  test('old texts, unsaved changes and failures are handled', async ({ page }) => {
    await test.step('§2.11 network email templates: an old text becomes one block; the default design can be loaded; a test mail goes to the author', async () => {
      const title = 'Resend Verification';
      await open(page, title);
      const editor = mail(page, title);
      await expect(editor.locator(':scope > *')).toHaveText(['Old words for {user_name}']);
      await section(page, title).getByRole('button', { name: 'Start from the default design' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Start from the default design' }).click();
      await expect(editor.getByRole('heading', { level: 1 })).toHaveText('Confirm your account');
      await expect(section(page, title).getByRole('button', { name: /^Page colour .*#eef1f5$/ })).toBeVisible();
      await expectEditorForEveryone(page);
      await section(page, title).getByRole('button', { name: 'Send a test to me' }).click();
      await expect(page.getByText(`A test is on its way to ${people.mia.email}.`)).toBeVisible();
      const subject = 'Test: Confirm your account on maillab';
      const letter = await letterTo(page, people.mia.email, subject);
      expect(letter.text).toContain(
        `${origin}/set-password?email=${encodeURIComponent(people.mia.email)}&token=sample-token`,
      );
      await editor.focus();
      await page.keyboard.press('ControlOrMeta+z');
      await expect(editor).toHaveText('Old words for {user_name}');
    });

    await test.step('§2.11 network email templates: a stored template that is not sent shows a warning until it is corrected', async () => {
      const [, title = ''] = titles;
      await page.goto(templates);
      const warning = section(page, title).getByText(
        'The saved template is not sent; the default email is sent instead.',
      );
      await expect(warning).toContainText('This email has no {token}');
      await expectEditorForEveryone(page);
      await open(page, title);
      await section(page, title).getByRole('button', { name: 'Start from the default design' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Start from the default design' }).click();
      await save(page, title, 'Existing User Invitation');
      await expect(warning).toHaveCount(0);
      await page.reload();
      await expect(section(page, title)).toBeVisible();
      await expect(warning).toHaveCount(0);
    });

    await test.step('§2.11 network email templates: mails with a token offer the block that sets a password', async () => {
      const title = 'Password Reset';
      await open(page, title);
      const within = section(page, title);
      await within.getByRole('button', { name: 'Insert tag' }).click();
      await expect(page.getByRole('menuitem', { name: '{user_name}' })).toBeVisible();
      // §9: the seven tags, and no others.
      await expect(page.getByRole('menuitem')).toHaveText(sevenTags);
      await page.getByRole('menuitem', { name: '{token}' }).click();
      await expect(mail(page, title).getByRole('link', { name: 'Set your password' })).toBeVisible();
      await page.keyboard.press('ControlOrMeta+z');
      await expect(mail(page, title).getByRole('link')).toHaveCount(0);
      await mail(page, title).focus();
      await page.keyboard.type('/set your');
      await page.keyboard.press('Enter');
      await expect(within.getByRole('textbox', { name: 'Link' })).toHaveValue(
        '{signup_from}/set-password?email={email}&token={token}',
      );
      await mail(page, title).focus();
      await page.keyboard.press('ControlOrMeta+z');
      await page.keyboard.press('ControlOrMeta+z');
    });

    await test.step('§2.11 network email templates: unsaved changes are not lost by a stray click', async () => {
      const title = 'Password Reset';
      await open(page, title);
      await mail(page, title).focus();
      await page.keyboard.type('Not saved');
      await expect(section(page, title).getByText('not saved yet')).toBeVisible();
      await section(page, title).getByRole('button', { name: title, exact: true }).click();
      await expect(mail(page, title)).toHaveCount(0);
      await section(page, title).getByRole('button', { name: title, exact: true }).click();
      await expect(mail(page, title)).toHaveText('Not saved');
      await page.getByRole('link', { name: 'Users' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click();
      await expect(mail(page, title)).toHaveText('Not saved');
      await save(page, title, 'Reset');
      await expect(section(page, title).getByText('not saved yet')).toHaveCount(0);
      await page.getByRole('link', { name: 'Users' }).click();
      await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
    });

    await test.step('§8 failures show a reason', async () => {
      const title = 'New User Signup from Login Page';
      await page.route('**/assets/mail-editor*.js', (route) => route.abort());
      await page.goto(templates);
      await section(page, title).getByRole('button', { name: title, exact: true }).click();
      await expect(page.getByText('The editor could not be loaded.')).toBeVisible();
      await section(page, title).getByRole('button', { name: 'save settings' }).click();
      await expect(page.getByText('Editor not initialized')).toBeVisible();
      await page.unroute('**/assets/mail-editor*.js');
      await open(page, title);
      await page.route('**/server/sso/update_template/**', (route) => route.abort());
      await section(page, title).getByRole('button', { name: 'save settings' }).click();
      await expect(page.getByText('Failed to update Signup template')).toBeVisible();
      await section(page, titles[0] ?? '')
        .getByText('Use Default')
        .click();
      await section(page, titles[0] ?? '')
        .getByText('Use Template')
        .click();
      await expect(page.getByText('Failed to update Invation switching').first()).toBeVisible();
      await page.route('**/server/sso/templates/maillab', (route) => route.fulfill({ status: 400, body: '{}' }));
      await page.reload();
      await expect(page.getByText('Something went wrong with the SSO Server.')).toBeVisible();
    });
  });

  test('images, sections, lists, spacers and colours are saved and shown unchanged', async ({ page }) => {
    const title = 'Email MFA Code';
    await page.goto(templates);
    const name = await upload(page);
    await open(page, title);
    const within = section(page, title);
    const add = (block: string) => addBlock(page, title, block);
    await mail(page, title).focus();
    await within.getByRole('button', { name: 'Insert tag' }).click();
    await expect(page.getByRole('menuitem')).toHaveText([...sevenTags, /^\{email_code\}/]);
    await expect(page.getByRole('menuitem', { name: '{token}' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await add('Image');
    await chooseImage(page);
    await within.getByRole('textbox', { name: 'Description' }).fill('Our logo');
    await within.getByRole('button', { name: 'Align center' }).click();
    await add('Divider');
    await add('Spacer');
    await within.getByRole('textbox', { name: 'Height in pixels' }).fill('48');
    await add('Section');
    await page.keyboard.type('Code: {email_code');
    await page.keyboard.press('Enter');
    await within.getByRole('button', { name: /^Background/ }).click();
    await page.getByRole('option', { name: /^Petrol, / }).click();
    await page.keyboard.press('Escape');
    await add('List');
    await page.keyboard.type('One');
    await expectEditorForEveryone(page);
    await mail(page, title).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await within.getByRole('button', { name: /^Text colour/ }).click();
    await page.getByRole('option', { name: /^Violet, / }).click();
    await page.keyboard.press('Escape');
    await save(page, title, 'Email MFA');
    await within.getByText('Desktop', { exact: true }).click();
    const preview = page.frameLocator('iframe');
    const shown = preview.getByRole('img', { name: 'Our logo' });
    await expect(shown).toHaveAttribute('src', `${origin}/server/sso/sso_images/image/${name}`);
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await expect(preview.getByText('Code: 123456')).toBeVisible();
    await expect(preview.locator('li span')).toHaveCSS('color', 'rgb(121, 75, 213)');
    await expect(preview.locator('td', { hasText: /^Code/ }).last()).toHaveCSS('background-color', 'rgb(15, 118, 110)');
    await expect(preview.locator('div')).toHaveCSS('height', '48px');
    const removed = await page.request.delete(`/server/sso/sso_images/${name}`, { headers });
    expect(((await removed.json()) as { message: string }).message).toContain('in use by the email templates');
  });

  test('a mail with two columns is built from a blank page, and received', async ({ page }) => {
    const title = 'New User Signup from Login Page';
    await page.goto(templates);
    await upload(page);
    await open(page, title);
    const within = section(page, title);
    const editor = mail(page, title);
    const column = (place: number) => editor.locator('[data-block="column"]').nth(place);
    const handle = (name: string) => within.getByRole('toolbar', { name: /^Block: / }).getByRole('button', { name });
    const outline = () => outlineOf(editor);
    const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 5 });
      await page.mouse.up();
    };
    await test.step('§2.11 email editor: two columns with a picture, a list and a button', async () => {
      await editor.click();
      await page.keyboard.type('/2 col');
      await page.keyboard.press('Enter');
      await addBlock(page, title, 'Image');
      await chooseImage(page);
      await within.getByRole('textbox', { name: 'Description' }).fill('Our building');
      await within.getByRole('textbox', { name: 'Width in pixels' }).fill('536');
      await column(1).click();
      await page.keyboard.type('Hello {us');
      await page.keyboard.press('Enter');
      await addBlock(page, title, 'List');
      await page.keyboard.type('One');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await page.keyboard.type('/set your');
      await page.keyboard.press('Enter');
      await within.getByText('Full', { exact: true }).click();
      await expect.poll(outline).toBe('[[image] [Hello {user_name} One Set your password]]');
    });

    await test.step('§2.11 email editor: the cursor leaves columns and sections with the arrow keys, Enter and a click', async () => {
      await column(1).getByText('Hello').click();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.type('Top');
      await column(1).getByText('Set your password').click();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.type('Below');
      await page.keyboard.press('Enter');
      await page.keyboard.type('/section');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Inside');
      // Below all blocks, and above the save bar, which covers the end of the sheet.
      const inside = await boxOf(editor.getByText('Inside'));
      await page.mouse.click(inside.x + 300, inside.y + 150);
      await page.keyboard.type('Clicked');
      await editor.getByText('Inside').click();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Entered');
      await expect
        .poll(outline)
        .toBe('Top [[image] [Hello {user_name} One Set your password]] Below [Inside] Entered Clicked');
    });

    await test.step('§2.11 email editor: blocks are moved, duplicated and deleted by mouse and keyboard, each with its own undo step', async () => {
      const before = await outline();
      await editor.getByText('Top').click();
      await page.keyboard.press('Tab');
      await expect(handle('Drag Text')).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(handle('Move up')).toHaveAttribute('aria-disabled', 'true');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(outline).toContain('[[Top image]');
      await expect(handle('Move down')).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(editor).toBeFocused();
      await page.keyboard.press('Alt+Shift+ArrowUp');
      await expect.poll(outline).toBe(before);
      await page.keyboard.press('Alt+Shift+d');
      await expect.poll(outline).toBe(`Top ${before}`);
      await handle('Delete').click();
      await expect.poll(outline).toBe(before);
      // With the bar of the current block into the section, and with the grip of the block under the mouse to the end.
      await editor.getByText('Clicked').click();
      // The bar has followed the click: its block is the last one.
      await expect(handle('Move down')).toHaveAttribute('aria-disabled', 'true');
      await handle('Drag Text').hover();
      const [grip, inside] = [await boxOf(handle('Drag Text')), await boxOf(editor.getByText('Inside'))];
      await drag({ x: grip.x + 8, y: grip.y + 8 }, { x: inside.x + 40, y: inside.y + 22 });
      await expect.poll(outline).toContain('[Inside Clicked] Entered');
      const below = await boxOf(editor.getByText('Below'));
      const sheet = await boxOf(editor);
      await page.mouse.move(below.x + 20, below.y + 8);
      const isGrip = ({ x, y }: { x: number; y: number }) =>
        document.elementFromPoint(x, y)?.closest('svg, [draggable]') !== null;
      await expect.poll(() => page.evaluate(isGrip, { x: below.x - 14, y: below.y + 10 })).toBe(true);
      await drag({ x: below.x - 14, y: below.y + 10 }, { x: sheet.x + 200, y: sheet.y + sheet.height - 20 });
      await expect.poll(outline).toContain('Entered Below');
      for (let step = 0; step < 6; step += 1) await page.keyboard.press('ControlOrMeta+z');
      await expect.poll(outline).toBe(before);
    });

    await test.step('§2.11 email editor: settings of a block, and a warning about low contrast', async () => {
      await editor.getByText('Below').click();
      await chooseColour(page, title, /^Text colour/, /^Silver, /);
      await expect(within.getByText('Hard to read: the contrast of text and background is 1.6:1')).toBeVisible();
      await expectEditorForEveryone(page);
      await chooseColour(page, title, /^Block background/, /^Ink, /);
      await expect(within.getByText('Hard to read')).toHaveCount(0);
      await within.getByRole('textbox', { name: 'Above' }).first().fill('20');
      await expect(editor.getByText('Below')).toHaveCSS('margin-top', '20px');
      await page.keyboard.press('ControlOrMeta+z');
      await expect(editor.getByText('Below')).toHaveCSS('margin-top', '0px');
      await expect(editor.getByText('Below')).toHaveCSS('background-color', 'rgb(11, 18, 32)');
    });

    await test.step('§2.11 email editor: social links accept https addresses', async () => {
      await editor.getByText('Clicked').click();
      await addBlock(page, title, 'Social links');
      await within.getByRole('textbox', { name: 'Address of LinkedIn' }).fill('http://linkedin.com/x');
      await expect(within.getByText('The address must begin with https://')).toBeVisible();
      await within.getByRole('textbox', { name: 'Address of LinkedIn' }).fill('linkedin.com/company/maillab');
      await page.keyboard.press('Tab');
      await expect(within.getByRole('textbox', { name: 'Address of LinkedIn' })).toHaveValue(
        'https://linkedin.com/company/maillab',
      );
    });

    await test.step('§2.11 email editor: on a phone the handles are large enough to touch and the settings open in a sheet', async () => {
      const size = page.viewportSize() ?? { width: 1440, height: 900 };
      await page.setViewportSize({ width: 390, height: 844 });
      await editor.getByText('Top').click();
      expect((await boxOf(handle('Move down'))).height).toBeGreaterThanOrEqual(38);
      await within.evaluate((element) => element.scrollIntoView({ block: 'start' }));
      const bar = await boxOf(within.getByRole('toolbar', { name: 'Block: ' }));
      expect(bar.y + bar.height, 'the handles cover no block').toBeLessThanOrEqual((await boxOf(editor)).y);
      await handle('Block settings').click();
      await expect(page.getByRole('dialog', { name: 'Settings' }).getByText('Alignment')).toBeVisible();
      await page.getByRole('dialog', { name: 'Settings' }).getByText('Center', { exact: true }).click();
      await page.keyboard.press('Escape');
      await expect(editor.getByText('Top')).toHaveCSS('text-align', 'center');
      await page.setViewportSize(size);
    });

    await test.step('§2.11 mail: two columns are side by side at 600 px and stacked on a phone, and reload unchanged', async () => {
      const received = await receive(page, title, 'Our building');
      expect([await rowsOfColumns(received, 800), await rowsOfColumns(received, 390)]).toEqual([1, 2]);
      const picture = await boxOf(received.getByRole('img', { name: 'Our building' }));
      expect(picture.width).toBeGreaterThan(280);
      expect((await boxOf(received.getByRole('link', { name: 'Set your password' }))).width).toBeGreaterThan(280);
      await expect(received.getByRole('link', { name: 'LinkedIn' })).toHaveAttribute(
        'href',
        'https://linkedin.com/company/maillab',
      );
      await expect(received.getByRole('link', { name: 'Website' })).toHaveCount(0);
      await received.close();
      const written = async () =>
        (await editor.innerHTML()).replaceAll(/ ?ProseMirror-selectednode| draggable="true"| class=""/g, '');
      const built = await written();
      await save(page, title, 'Signup');
      await open(page, title);
      await expect.poll(written).toBe(built);
    });
  });

  test('§2.11 mail: three columns are built from a blank page, and received', async ({ page }) => {
    const title = 'Password Reset';
    await open(page, title);
    const editor = mail(page, title);
    await editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await addBlock(page, title, '3 columns');
    for (const [place, words] of ['Safe', 'Fast', 'Yours'].entries()) {
      await editor.locator('[data-block="column"]').nth(place).click();
      await page.keyboard.type(words);
      await page.keyboard.press('Enter');
      await page.keyboard.type('/set your');
      await page.keyboard.press('Enter');
      await chooseColour(page, title, /^Column background/, /^Mist, /);
    }
    await expect
      .poll(() => outlineOf(editor))
      .toBe('[[Safe Set your password] [Fast Set your password] [Yours Set your password]]');
    const received = await receive(page, title, 'Yours');
    expect([await rowsOfColumns(received, 800), await rowsOfColumns(received, 390)]).toEqual([1, 3]);
    await received.close();
    await section(page, title).getByText('Phone', { exact: true }).click();
    const cells = page.frameLocator('iframe').locator('.mail-column');
    await expect(cells).toHaveCount(3);
    const [first, second] = [await boxOf(cells.nth(0)), await boxOf(cells.nth(1))];
    expect(second.y).toBeGreaterThan(first.y + 20);
  });
});

test('§2.2 role user sees the permission view instead of the email templates', async ({ browser, sessionOf }) => {
  const context = await browser.newContext({ storageState: await sessionOf(people.ben) });
  const page = await context.newPage();
  await page.goto(`${origin}/sso-servers/northlab/email-templates`);
  await expect(page.getByText("You don't have permission to access this server.")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Email Templates' })).toHaveCount(0);
  await context.close();
});

test.describe('security: hostile templates', () => {
  test.use({ person: people.kim });

  test('in a browser, no received mail runs a script or loads from another host', async ({ page }) => {
    test.setTimeout(300_000);
    const network = 'tiledesk';
    const id = await networkId(page, people.kim, network);
    const path = updateTemplate.path.build({ server: network });
    const { field, use, updateMarker, switchMarker } = templateNames.invitation;
    const put = (fields: object) => page.request.put(path, { headers, data: { server: network, ...fields } });
    const keep = (html: string) => put({ request: updateMarker, [field]: JSON.stringify({ design: null, html }) });
    await put({ request: switchMarker, [use]: 'Yes' });

    for (const html of tokenLeaks) expect((await keep(html)).status(), html).toBe(400);
    const attacks = [...markupAttacks.map((html) => ({ html, name: 'Bea' })), ...valueAttacks.map(asName)];
    const sent: { html: string; address: string; letter: Letter }[] = [];
    for (const [place, { html, name }] of attacks.entries()) {
      expect((await keep(`<p>Kept</p>${html}`)).ok(), html).toBe(true);
      const address = `attack-${place}@tiledesk.org`;
      const invited = await invite(page, network, id, address, name);
      // The mail is rendered in the background, with the template that is saved then.
      if (invited.ok()) sent.push({ html, address, letter: await letterTo(page, address) });
    }
    await put({ request: switchMarker, [use]: 'No' });

    const faults: string[] = [];
    page.on('dialog', (dialog) => {
      faults.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) faults.push(request.url());
    });
    page.on('framenavigated', (frame) => frame.url() !== 'about:blank' && faults.push(frame.url()));
    await page.goto('about:blank');
    for (const { html, address, letter } of sent) {
      expect(letter.to, html).toEqual([address]);
      await page.setContent(letter.html);
      await expect(page.getByText('Kept'), html).toBeVisible();
    }
    expect(faults).toEqual([]);
    // A name of control characters is refused, so that person is not invited.
    expect(sent.length).toBeGreaterThan(markupAttacks.length + 5);
    expect(markupAttacks.length).toBeGreaterThan(100);
  });
});

/** As the name of an invited person, everywhere a name may appear. */
const asName = (name: string) => ({
  html: '<p>{user_name}</p><a href="{signup_from}/?n={user_name}" title="{user_name}">x</a>',
  name,
});
