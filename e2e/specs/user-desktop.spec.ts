import type { Locator, Page } from '@playwright/test';
import { expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { origin, people } from '../support/world.ts';

const wentWrong = 'Something went wrong with the SSO Server. Please try again or report an issue to support';
const list = (page: Page, name: 'Available Apps' | 'Desktop Apps') => page.getByRole('region', { name });
const available = (page: Page) => list(page, 'Available Apps');
const desktop = (page: Page) => list(page, 'Desktop Apps');
const row = (page: Page, name: string) =>
  available(page).getByRole('button', { name: `${name}.dragdesk.org`, exact: true });
const tile = (page: Page, name: string) => desktop(page).getByRole('button', { name, exact: true });
const tiles = (page: Page) =>
  desktop(page)
    .getByRole('listitem')
    .getByRole('button', { name: /^(?!Remove)/ });
/** Waits for an announcement, and for the next frame, in which a picked up item starts to listen to keys. */
const expectAnnouncement = async (page: Page, words: string) => {
  await expect(page.getByText(words, { exact: true })).toBeAttached();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
};
const saved = (page: Page) =>
  page.waitForResponse((answer) => answer.url().includes('/desktop_apps/') && answer.request().method() === 'POST');

const open = async (page: Page, network: string) => {
  await page.goto(`/sso-servers/${network}/desktop`);
  await expect(page.getByRole('heading', { name: 'Desktop Apps' })).toBeVisible();
};

/** Puts these apps on the desktop of dragdesk and all others off it, through the API. */
const begin = async (page: Page, names: readonly string[]) => {
  type App = { id: number; name: string };
  const get = async <T>(path: string) => (await (await page.request.get(path)).json()) as T;
  const { user } = await get<{ user: { server_id: number } }>('/server/getsession');
  const { sites } = await get<{ sites: App[] }>(`/server/sso/available_apps/${user.server_id}`);
  const apps = [...sites, ...(await get<App[]>(`/server/sso/desktop_apps/${user.server_id}`))];
  const desktop_apps = names.flatMap((name) => apps.find((app) => app.name === name) ?? []);
  const arranged = await page.request.post(`/server/sso/desktop_apps/${user.server_id}`, {
    headers: { origin },
    data: { desktop_apps, available_apps: apps.filter((app) => !desktop_apps.includes(app)) },
  });
  expect(arranged.ok()).toBe(true);
  await open(page, 'dragdesk');
};

const middleOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (!box) throw new Error('It is not in sight.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** Drags with the mouse: press, move away, move to the target, release. */
const drag = async (page: Page, from: Locator, to: Locator) => {
  const start = await middleOf(from);
  const end = await middleOf(to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 12, start.y + 4);
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
};

test.describe('§2.11 user desktop: the two drag lists', () => {
  // The tests arrange the same network, so they run one after the other.
  test.describe.configure({ mode: 'default' });
  test.use({ person: people.jon });

  test('are searched, and show empty and error states', async ({ page }) => {
    await test.step('§2.11 user desktop: the two drag lists: empty lists say how to fill them', async () => {
      await begin(page, []);
      await expect(desktop(page).getByText('There is no record in database')).toBeVisible();
      await expectScreenQuality(page);
      const first = saved(page);
      await drag(page, row(page, 'alpha'), desktop(page));
      await first;
      await expect(tiles(page)).toHaveText(['Aalpha']);
    });

    await test.step('§2.11 user desktop: the two drag lists: show the site domain on the left and icon tiles on the right, and are searched', async () => {
      await begin(page, ['alpha', 'beta']);
      await expect(page).toHaveTitle('User Desktop · dragdesk · OpenSocial');
      await expect(
        page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Desktop Config' }),
      ).toHaveAttribute('aria-current', 'page');
      await expect(tiles(page)).toHaveText(['Aalpha', 'Bbeta']);
      await expect(available(page).getByText('62 of 62 apps')).toBeVisible();
      await expect(row(page, 'many-00')).toBeVisible();
      const search = available(page).getByRole('textbox', { name: 'Search' });
      await search.fill('g');
      await expect(available(page).getByText('62 of 62 apps')).toBeVisible();
      await search.fill('GAMM');
      await expect(available(page).getByRole('listitem')).toHaveText(['gamma.dragdesk.org']);
      await search.fill('nothing');
      await expect(available(page).getByText('There is no record in database')).toBeVisible();
      await search.fill('');
      await expectScreenQuality(page);
      // On a phone the lists are below one another.
      await page.setViewportSize({ width: 390, height: 800 });
      const [above, below] = await Promise.all([available(page).boundingBox(), desktop(page).boundingBox()]);
      expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0);
      expect(above?.x).toBe(below?.x);
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    await test.step('§8 a failed load shows the error panel, and trying again works', async () => {
      let isFailing = true;
      await page.route('**/server/sso/available_apps/*', (route) =>
        isFailing ? route.fulfill({ status: 400, json: { code: 'bad_request', message: 'No.' } }) : route.continue(),
      );
      await page.goto('/sso-servers/dragdesk/desktop');
      await expect(page.getByText(wentWrong)).toBeVisible();
      isFailing = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('heading', { name: 'Desktop Apps' })).toBeVisible();
    });
  });

  test('are arranged by mouse, by keyboard and by buttons', async ({ page }) => {
    await test.step('§4 by mouse: the two groups are saved after each drag change', async () => {
      await begin(page, ['alpha', 'beta']);
      const first = saved(page);
      await drag(page, row(page, 'gamma'), tile(page, 'beta'));
      const body = (await first).request().postDataJSON() as { available_apps: number[]; desktop_apps: number[] };
      expect([body.available_apps.length, body.desktop_apps.length]).toEqual([61, 3]);
      await expect(tiles(page)).toHaveText(['Aalpha', 'Ggamma', 'Bbeta']);
      await expect(row(page, 'gamma')).toHaveCount(0);

      const second = saved(page);
      await drag(page, tile(page, 'beta'), tile(page, 'alpha'));
      await second;
      const third = saved(page);
      await drag(page, tile(page, 'alpha'), row(page, 'many-02'));
      await third;
      await expect(tiles(page)).toHaveText(['Bbeta', 'Ggamma']);
      await page.reload();
      await expect(tiles(page)).toHaveText(['Bbeta', 'Ggamma']);
      await expect(row(page, 'alpha')).toBeVisible();

      // Released outside both lists, it goes back, and nothing is opened.
      await drag(page, tile(page, 'beta'), page.getByRole('heading', { name: 'User Desktop' }));
      await expect(tiles(page)).toHaveText(['Bbeta', 'Ggamma']);
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.goto('/');
      await expect(page.getByRole('list', { name: 'Apps' }).getByRole('link')).toHaveText(['Bbeta', 'Ggamma']);
    });

    await test.step('§2.11 user desktop: the two drag lists: by keyboard, with announcements for screen readers', async () => {
      await begin(page, ['alpha', 'beta', 'delta']);
      await tile(page, 'alpha').focus();
      await page.keyboard.press('ArrowRight');
      await expect(tile(page, 'beta')).toBeFocused();
      await page.keyboard.press('Space');
      await expectAnnouncement(page, 'Picked up beta: place 2 of 3 on the desktop.');
      await page.keyboard.press('ArrowRight');
      await expectAnnouncement(page, 'beta: place 3 of 3 on the desktop.');
      await page.keyboard.press('Home');
      await expectAnnouncement(page, 'beta: place 1 of 3 on the desktop.');
      // An item held by the keyboard is not moved by the mouse.
      await tile(page, 'delta').hover();
      const first = saved(page);
      await page.keyboard.press('Space');
      await first;
      await expectAnnouncement(page, 'Dropped beta: place 1 of 3 on the desktop.');
      await expect(tiles(page)).toHaveText(['Bbeta', 'Aalpha', 'Ddelta']);
      await expect(tile(page, 'beta')).toBeFocused();

      await page.keyboard.press('Space');
      await expectAnnouncement(page, 'Picked up beta: place 1 of 3 on the desktop.');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Escape');
      await expectAnnouncement(page, 'Put back beta: place 1 of 3 on the desktop.');
      await expect(tiles(page)).toHaveText(['Bbeta', 'Aalpha', 'Ddelta']);

      // To the other list, and back.
      await page.keyboard.press('Space');
      await expectAnnouncement(page, 'Picked up beta: place 1 of 3 on the desktop.');
      await page.keyboard.press('ArrowLeft');
      await expectAnnouncement(page, 'beta: among the available apps.');
      const second = saved(page);
      await page.keyboard.press('Enter');
      await second;
      await expect(tiles(page)).toHaveText(['Aalpha', 'Ddelta']);
      await expect(row(page, 'beta')).toBeFocused();
      await page.keyboard.press('Space');
      await expectAnnouncement(page, 'Picked up beta: among the available apps.');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowLeft');
      await expectAnnouncement(page, 'beta: place 2 of 3 on the desktop.');
      const third = saved(page);
      await page.keyboard.press('Space');
      await third;
      await expect(tiles(page)).toHaveText(['Aalpha', 'Bbeta', 'Ddelta']);
      await expect(tile(page, 'beta')).toBeFocused();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });

    await test.step('§2.11 user desktop: the two drag lists: by buttons, without dragging: add, remove, move earlier and later', async () => {
      await begin(page, ['alpha', 'beta']);
      const first = saved(page);
      await available(page).getByRole('button', { name: 'Add many-00.dragdesk.org to the desktop' }).click();
      await first;
      await expectAnnouncement(page, 'many-00: place 3 of 3 on the desktop.');
      await expect(tiles(page)).toHaveText(['Aalpha', 'Bbeta', 'Mmany-00']);
      await expect(row(page, 'many-01')).toBeFocused();
      const second = saved(page);
      await page.keyboard.press('Enter');
      await second;
      await expect(tile(page, 'many-01')).toBeVisible();
      const third = saved(page);
      await tile(page, 'alpha').hover();
      await desktop(page).getByRole('button', { name: 'Remove alpha from the desktop' }).click();
      await third;
      await expect(tile(page, 'alpha')).toHaveCount(0);
      await expect(tile(page, 'beta')).toBeFocused();

      await page.keyboard.press('Enter');
      const panel = page.getByRole('dialog', { name: 'Update Site' });
      await expect(panel.getByText('Place 1 of 3 on the desktop. Changes are saved immediately.')).toBeVisible();
      for (const name of ['Move later', 'Move later', 'Move earlier']) {
        const moved = saved(page);
        await panel.getByRole('button', { name }).click();
        await moved;
      }
      await expect(panel.getByText('Place 2 of 3 on the desktop. Changes are saved immediately.')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(tiles(page)).toHaveText(['Mmany-00', 'Bbeta', 'Mmany-01']);
      await expect(tile(page, 'beta')).toBeFocused();
    });
  });

  test('render only the visible apps of a long list, and the keyboard reaches the others', async ({ page }) => {
    const many = Array.from({ length: 60 }, (_, place) => `many-${String(place).padStart(2, '0')}`);
    await begin(page, many);
    await expect(desktop(page).getByText('60 apps')).toBeVisible();
    await expect(tile(page, 'many-00')).toBeVisible();
    await expect(tile(page, 'many-59')).toHaveCount(0);
    await tile(page, 'many-00').focus();
    await page.keyboard.press('Space');
    await expectAnnouncement(page, 'Picked up many-00: place 1 of 60 on the desktop.');
    await page.keyboard.press('End');
    await expectAnnouncement(page, 'many-00: place 60 of 60 on the desktop.');
    const dropped = saved(page);
    await page.keyboard.press('Space');
    await dropped;
    await expect(tile(page, 'many-00')).toBeInViewport();
    await expect(tile(page, 'many-00')).toBeFocused();
    // Held at the edge, the list scrolls.
    const start = await middleOf(tile(page, 'many-00'));
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    const box = await desktop(page).boundingBox();
    await page.mouse.move(start.x + 20, (box?.y ?? 0) + 60, { steps: 6 });
    await expect(tile(page, 'many-01')).toBeInViewport();
    await page.keyboard.press('Escape');
    await expectAnnouncement(page, 'Put back many-00: place 60 of 60 on the desktop.');
    await page.mouse.up();
  });

  test('are restored if a save fails', async ({ page, browser, sessionOf }) => {
    await test.step('§2.11 user desktop: the two drag lists: a failed save restores the lists and shows why', async () => {
      await begin(page, ['alpha', 'beta']);
      await page.route('**/server/sso/desktop_apps/*', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({
              status: 503,
              json: { code: 'unavailable', message: 'The service is not available right now.' },
            })
          : route.continue(),
      );
      await drag(page, tile(page, 'beta'), tile(page, 'alpha'));
      await expect(page.getByText('The service is not available right now. The app was moved back.')).toBeVisible();
      await expect(tiles(page)).toHaveText(['Aalpha', 'Bbeta']);
      await expect(desktop(page).getByText('Not saved')).toBeVisible();
      await page.unroute('**/server/sso/desktop_apps/*');
      await page.route('**/server/sso/desktop_apps/*', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      );
      await drag(page, tile(page, 'beta'), tile(page, 'alpha'));
      await expect(page.getByText(/^The server could not be reached\..+ The app was moved back\.$/)).toBeVisible();
      await expect(tiles(page)).toHaveText(['Aalpha', 'Bbeta']);
      await page.unrouteAll();
    });

    await test.step('§2.11 user desktop: the two drag lists: if two administrators drag at the same time, the second gets a message and sees the change of the first', async () => {
      await begin(page, ['alpha', 'beta']);
      const context = await browser.newContext({ storageState: await sessionOf(people.jon), baseURL: origin });
      const other = await context.newPage();
      await open(other, 'dragdesk');
      await expect(tiles(other)).toHaveText(['Aalpha', 'Bbeta']);
      const first = saved(page);
      await drag(page, row(page, 'gamma'), tile(page, 'alpha'));
      await first;
      await drag(other, tile(other, 'beta'), tile(other, 'alpha'));
      await expect(other.getByText(/^Somebody else has changed this desktop\./)).toBeVisible();
      await expect(tiles(other)).toHaveText(['Ggamma', 'Aalpha', 'Bbeta']);
      const again = saved(other);
      await drag(other, tile(other, 'beta'), tile(other, 'alpha'));
      expect((await again).status()).toBe(200);
      await expect(tiles(other)).toHaveText(['Ggamma', 'Bbeta', 'Aalpha']);
      await page.reload();
      await expect(tiles(page)).toHaveText(['Ggamma', 'Bbeta', 'Aalpha']);
      await context.close();
    });
  });

  test.describe('by touch', () => {
    test.use({ hasTouch: true, viewport: { width: 390, height: 800 } });

    test('a long press picks up an app, and a swipe scrolls', async ({ page }) => {
      await begin(page, ['alpha', 'beta', 'delta']);
      await tile(page, 'delta').scrollIntoViewIfNeeded();
      const hand = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
        hand.send('Input.dispatchTouchEvent', { type, touchPoints });
      const from = await middleOf(tile(page, 'delta'));
      const to = await middleOf(tile(page, 'alpha'));
      await touch('touchStart', from);
      await touch('touchMove', { x: from.x, y: from.y - 60 });
      await touch('touchEnd');
      await expect(page.getByText(/^Picked up/)).toHaveCount(0);

      await tile(page, 'delta').scrollIntoViewIfNeeded();
      const start = await middleOf(tile(page, 'delta'));
      const end = await middleOf(tile(page, 'alpha'));
      expect(to.x).toBe(end.x);
      await touch('touchStart', start);
      await expectAnnouncement(page, 'Picked up delta: place 3 of 3 on the desktop.');
      await touch('touchMove', { x: (start.x + end.x) / 2, y: end.y });
      await touch('touchMove', end);
      await expectAnnouncement(page, 'delta: place 1 of 3 on the desktop.');
      const dropped = saved(page);
      await touch('touchEnd');
      await dropped;
      await expect(tiles(page)).toHaveText(['Ddelta', 'Aalpha', 'Bbeta']);
    });
  });
});

test.describe('§2.11 user desktop: the Update Site panel', () => {
  test.describe.configure({ mode: 'default' });
  test.use({ person: people.kim });
  const panel = (page: Page) => page.getByRole('dialog', { name: 'Update Site' });
  const preview = (page: Page) => panel(page).getByRole('img', { name: /^Preview of the tile/ });

  test('opens with a click on a tile and changes its name, address, icon, picture and colours, with a preview', async ({
    page,
  }) => {
    await open(page, 'tiledesk');
    await tile(page, 'notes').click();
    await expect(page).toHaveURL(/\/sso-servers\/tiledesk\/desktop\/\d+\/details$/);
    await expect(panel(page).getByLabel('Login URL')).toHaveValue('https://notes.tiledesk.org/');
    await panel(page).getByLabel('Site Name').fill('');
    await panel(page).getByLabel('Login URL').fill(' ');
    await panel(page).getByRole('button', { name: 'update site' }).click();
    await expect(panel(page).getByText('Site name is required')).toBeVisible();
    await expect(panel(page).getByText('Site login url is required')).toBeVisible();
    await panel(page).getByLabel('Login URL').fill('javascript:alert(1)');
    await panel(page).getByLabel('Site Name').fill('x'.repeat(5_000));
    await panel(page).getByRole('button', { name: 'update site' }).click();
    await expect(panel(page).getByText('Enter an address that begins with https:// or http://')).toBeVisible();
    await expect(panel(page).getByText('At most 100 characters.')).toBeVisible();

    const name = '<script>alert(1)</script> 🧪';
    await panel(page).getByLabel('Site Name').fill(name);
    await panel(page).getByLabel('Login URL').fill('https://notes.tiledesk.org/start');
    await expect(preview(page)).toContainText(name);
    for (const [circle, colour] of [
      ['Icon Color', 'White'],
      ['Icon Background Color', 'Petrol'],
      ['Icon Text Color', 'White'],
      ['Icon Text Background Color', 'Petrol'],
    ] as const) {
      await panel(page)
        .getByRole('button', { name: new RegExp(`^${circle} `) })
        .click();
      await page.getByRole('option', { name: new RegExp(`^${colour},`) }).click();
      await page.keyboard.press('Escape');
    }
    await expect(preview(page).getByText(name)).toHaveCSS('background-color', 'rgb(15, 118, 110)');
    await panel(page).getByRole('button', { name: 'Choose Site Icon' }).click();
    const icons = page.getByRole('dialog', { name: 'Choose an icon' });
    await icons.getByRole('textbox', { name: 'Search' }).fill('flask');
    await icons.getByRole('option', { name: /flask/ }).first().click();
    await icons.getByRole('button', { name: 'Use this icon' }).click();
    await expect(preview(page).locator('img')).toHaveAttribute('src', /^data:image\/svg\+xml/);
    await expectScreenQuality(page);
    await panel(page).getByRole('button', { name: 'update site' }).click();
    await expect(page.getByText('Site sucessfully updated.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(panel(page)).toHaveCount(0);
    await expect(tile(page, name)).toBeFocused();
    await expect(tile(page, name).locator('img')).toHaveAttribute('src', /^data:image\/svg\+xml/);

    await page.goto('/');
    const shown = page.getByRole('link', { name });
    await expect(shown).toHaveAttribute('href', 'https://notes.tiledesk.org/start');
    await expect(shown.getByText(name)).toHaveCSS('background-color', 'rgb(15, 118, 110)');
  });

  test('sets a picture, shows failures and guards unsaved input', async ({ page }) => {
    await test.step('§2.11 user desktop: the Update Site panel: a picture from the media library fills the tile', async () => {
      await open(page, 'tiledesk');
      await tile(page, 'plain').click();
      await panel(page).getByRole('button', { name: 'Choose Icon Picture' }).click();
      const library = page.getByRole('dialog', { name: 'Choose an icon picture' });
      await library.getByRole('tab', { name: 'Upload Files' }).click();
      const drawing =
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect width="90" height="90" fill="#0f766e"/></svg>';
      await library
        .locator('input[type="file"]')
        .setInputFiles({ name: 'plain.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) });
      await library.getByRole('button', { name: 'Use this image' }).click();
      await expect(preview(page).locator('img')).toHaveAttribute('src', /\/server\/sso\/icon_image\/tiledesk\//);
      await panel(page).getByRole('button', { name: 'update site' }).click();
      await expect(page.getByText('Site sucessfully updated.')).toBeVisible();
      // A site without its own login URL is still opened through IdP-initiated sign-in.
      await expect(panel(page).getByLabel('Login URL')).toHaveValue(/\/saml\/tiledesk\/start\/\d+$/);
      await panel(page).getByRole('button', { name: 'cancel' }).click();
      await expect(tile(page, 'plain').locator('img')).toHaveAttribute('src', /\/server\/sso\/icon_image\/tiledesk\//);
      // A wide picture is shown completely.
      await expect(tile(page, 'plain').locator('img')).toHaveCSS('object-fit', 'contain');
    });

    await test.step('§2.11 user desktop: the Update Site panel: a server error is shown inline; unsaved input is guarded; a deep link works', async () => {
      await open(page, 'tiledesk');
      await tile(page, 'plain').click();
      await expect(panel(page).getByLabel('Site Name')).toBeVisible();
      await page.reload();
      await page.route('**/update_site_info/*', (route) =>
        route.fulfill({ status: 409, json: { code: 'site_exists', message: 'The server has a reason.' } }),
      );
      await panel(page).getByLabel('Site Name').fill('Other');
      await panel(page).getByRole('button', { name: 'update site' }).click();
      await expect(panel(page).getByRole('alert')).toHaveText('The server has a reason.');
      await expectScreenQuality(page);
      await panel(page).getByRole('button', { name: 'Close the panel' }).click();
      await page.getByRole('button', { name: 'Leave without saving' }).click();
      await expect(panel(page)).toHaveCount(0);
      await page.goto('/sso-servers/tiledesk/desktop/999999/details');
      await expect(panel(page).getByText('This site was not found')).toBeVisible();
    });
  });
});

/** Confirms the dialog that says what a mode means for the desktops. */
const confirmMode = (page: Page, mode: string) =>
  page
    .getByRole('dialog', { name: 'Change the mode?' })
    .getByRole('button', { name: `Change to ${mode}` })
    .click();

test.describe('§4 network mode setting', () => {
  test.describe.configure({ mode: 'default' });
  test.use({ person: people.lou });
  const everything = ['own-visited', 'own-new', 'other-visited', 'other-new', 'free-visited', 'free-new'];
  const shown = {
    All: everything,
    Visited: ['own-visited', 'other-visited', 'free-visited'],
    AdminManaged: ['own-visited', 'own-new', 'free-visited', 'free-new'],
  };

  test('is saved after a confirmation, decides what users see, and explains itself', async ({
    page,
    browser,
    sessionOf,
  }) => {
    await test.step('§4 network mode setting: is saved after a confirmation and decides what users see; administrators see all apps', async () => {
      const context = await browser.newContext({ storageState: await sessionOf(people.max), baseURL: origin });
      const user = await context.newPage();
      await open(page, 'modedesk');
      await expect(page.getByRole('radio', { name: 'AdminManaged' })).toBeChecked();
      for (const [mode, names] of Object.entries(shown)) {
        await page.getByRole('radio', { name: mode }).click();
        await confirmMode(page, mode);
        await expect(page.getByText('Network mode updated successfully').last()).toBeVisible();
        await expect(page.getByRole('radio', { name: mode })).toBeChecked();
        await page.reload();
        await expect(page.getByRole('radio', { name: mode })).toBeChecked();
        await user.goto('/');
        await expect(user.getByRole('list', { name: 'Apps' }).getByRole('link')).toHaveText(
          names.map((name) => `${name.charAt(0).toUpperCase()}${name}`),
        );
      }
      await page.goto('/');
      await expect(page.getByRole('list', { name: 'Apps' }).getByRole('link')).toHaveCount(everything.length);

      const asked: string[] = [];
      user.on('request', (request) => asked.push(request.url()));
      await user.goto('/sso-servers/modedesk/desktop');
      await expect(user.getByText("You don't have permission to access this server.")).toBeVisible();
      await expect(user.getByText('Please ask your server admin to give you the permission')).toBeVisible();
      expect(asked.filter((url) => /desktop_apps|available_apps/.test(url))).toEqual([]);
      await context.close();
    });

    await test.step('§4 network mode setting: each mode says what users will see; arrow keys only move the focus; a failure keeps the mode', async () => {
      await open(page, 'modedesk');
      for (const [mode, sentence] of [
        ['AdminManaged', 'Users see the desktop apps that have one of their groups, or no group at all.'],
        ['All', 'Users see every desktop app, even those that they cannot sign in to.'],
        ['Visited', 'Users see only the desktop apps that they have tried to sign in to.'],
      ] as const)
        await expect(page.getByRole('radio', { name: mode })).toHaveAccessibleDescription(sentence);
      let answer = {};
      await page.route('**/server/sso/network_mode', (route) => route.fulfill({ status: 400, json: answer }));
      await page.getByRole('radio', { name: 'AdminManaged' }).focus();
      await page.keyboard.press('ArrowRight');
      await expect(page.getByRole('radio', { name: 'All' })).toBeFocused();
      await expect(page.getByRole('radio', { name: 'AdminManaged' })).toBeChecked();
      await page.keyboard.press('Space');
      await page.getByRole('dialog', { name: 'Change the mode?' }).getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('radio', { name: 'AdminManaged' })).toBeChecked();
      await page.getByRole('radio', { name: 'All' }).press('Space');
      await confirmMode(page, 'All');
      await expect(page.getByText('Failed to update network mode')).toBeVisible();
      await expect(page.getByRole('radio', { name: 'AdminManaged' })).toBeChecked();
      answer = { code: 'invalid_input', message: 'The server says why.' };
      await page.getByRole('radio', { name: 'Visited' }).click();
      await confirmMode(page, 'Visited');
      await expect(page.getByText('The server says why.')).toBeVisible();
      await expect(page.getByRole('radio', { name: 'AdminManaged' })).toBeChecked();
    });
  });
});
