import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { clipboardOf, expect, expectScreenQuality, test } from '../support/fixtures.ts';
import { panel } from '../support/lists.ts';
import { origin, people } from '../support/world.ts';

/** A picture of one colour, generated here. */
const png = (width: number, height: number): Buffer => {
  const crc = (bytes: Buffer) => {
    let value = ~0;
    for (const byte of bytes) {
      value ^= byte;
      for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    }
    return ~value >>> 0;
  };
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x7c)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** Opens the look of a site for editing. */
const openLook = async (page: Page, domain: string) => {
  await page.goto(`/sso-servers/eastlab/sites?search=${domain}`);
  await page.getByRole('row', { name: domain }).click();
  await panel(page).getByText('Icons & Background').click();
};

test.use({ person: people.gil });

test('§2.15 media library', async ({ page, context }) => {
  await test.step('§5 media library: a file of more than 100 MB is refused before the upload', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'opensocial-large-'));
    const file = join(folder, 'large.png');
    await writeFile(file, '');
    await truncate(file, 100 * 1024 * 1024 + 1);
    await openLook(page, 'plain-1.eastlab.org');
    await panel(page).getByRole('button', { name: 'Choose Site Background' }).click();
    const library = page.getByRole('dialog', { name: 'Choose an image' });
    await library.getByRole('tab', { name: 'Upload Files' }).click();
    await library.locator('input[type="file"]').setInputFiles(file);
    await expect(page.getByText('File size too large, max size allowed is 100 MB').first()).toBeVisible();
    await rm(folder, { recursive: true });
  });

  await test.step('§2.15 media library: a picture is uploaded, described, used as the logo, and deleted', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openLook(page, 'plain-1.eastlab.org');
    await panel(page).getByRole('button', { name: 'Choose Site Logo' }).click();
    const library = page.getByRole('dialog', { name: 'Choose an image' });
    await library.getByRole('tab', { name: 'Upload Files' }).click();
    const input = library.locator('input[type="file"]');
    await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('not a picture') });
    await expect(
      library.getByText(
        'The file type is not valid. Supported types: image/jpeg, image/png, image/jpg, image/svg, image/gif',
      ),
    ).toBeVisible();
    await input.setInputFiles({ name: 'east-logo.png', mimeType: 'image/png', buffer: png(310, 88) });
    await expect(library.getByRole('tab', { name: 'Media Library' })).toHaveAttribute('aria-selected', 'true');
    await expect(library.getByRole('definition').filter({ hasText: '310 × 88' })).toBeVisible();
    await library.getByLabel('Alt text', { exact: false }).fill('The logo of the East');
    await library.getByLabel('Title', { exact: false }).fill('East');
    await expect(library.getByText('Saved.')).toBeVisible();
    await expect(library.getByText('All dates')).toBeAttached();
    await expectScreenQuality(page);
    await library.getByRole('button', { name: 'Use this image' }).click();
    await expect(panel(page).getByRole('button', { name: 'Change Site Logo' })).toBeVisible();
    const logo = panel(page).locator('img').first();
    await expect(logo).toBeVisible();
    await expect.poll(async () => (await logo.boundingBox())?.width).toBe(155);

    await page.route('**/server/sso/remove_site_logo_bg/**', (route) =>
      route.fulfill({ status: 400, json: { message: 'Not this field', error: 'The logo is glued on' } }),
    );
    await panel(page).getByRole('button', { name: 'Remove Site Logo' }).click();
    await expect(page.getByText('The logo is glued on')).toBeVisible();
    await expect(logo).toBeVisible();

    await panel(page).getByRole('button', { name: 'Change Site Logo' }).click();
    await library.getByRole('button', { name: 'Copy link' }).click();
    await expect(library.getByRole('button', { name: 'Link copied' })).toBeVisible();
    const link = await clipboardOf(page);
    expect(link.startsWith(`${origin}/server/sso/sso_images/image/`)).toBe(true);
    expect((await page.request.get(link)).headers()['content-type']).toBe('image/png');

    await library.getByRole('button', { name: 'Delete Permanently' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Permanently' });
    await expect(dialog).toContainText(
      'You are about to permanently delete this item from your site: This action cannot be undone.',
    );
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'This image is in use by the site plain-1.eastlab.org. Deleting it removes it there as well.',
    );
    await dialog.getByRole('button', { name: 'Delete anyway' }).click();
    await expect(dialog).toHaveCount(0);
    await library.getByRole('button', { name: 'Cancel' }).click();
    await page.reload();
    await panel(page).getByText('Icons & Background').click();
    await expect(panel(page).getByRole('button', { name: 'Choose Site Logo' })).toBeVisible();
    expect((await page.request.get(link)).status()).toBe(404);
  });
});

test('§2.15 icon library and colour palette', async ({ page }) => {
  await test.step('§2.15 icon library: styles, categories, search, counter and detail', async () => {
    await openLook(page, 'plain-2.eastlab.org');
    await panel(page).getByRole('button', { name: 'Choose Site Icon' }).click();
    const icons = page.getByRole('dialog', { name: 'Choose an icon' });
    await expect(icons.getByText(/^[\d,]+ of [\d,]+ icons$/)).toBeVisible();
    for (const style of ['All Fonts', 'Solid', 'Regular', 'Light', 'Duotone', 'Brands'])
      await expect(icons.getByText(style, { exact: true })).toBeVisible();
    await icons.getByText('Duotone', { exact: true }).click();
    await icons.getByRole('textbox', { name: 'Search' }).fill('flask');
    await icons.getByRole('option', { name: /flask/ }).first().click();
    await expect(icons.getByText('Icon type')).toBeVisible();
    await expect(icons.getByText('Duotone').last()).toBeVisible();
    await expectScreenQuality(page);
    await icons.getByRole('button', { name: 'Cancel' }).click();
    await expect(icons).toHaveCount(0);
  });

  await test.step('§2.15 colour palette: Base, Dark, Light and Gray, each colour with name, hex and RGB', async () => {
    await openLook(page, 'plain-2.eastlab.org');
    await panel(page)
      .getByRole('button', { name: /^Icon Color/ })
      .click();
    const palette = page.getByRole('dialog').last();
    for (const [group, colours] of [
      ['Base', 21],
      ['Dark', 14],
      ['Light', 9],
      ['Gray', 8],
    ] as const) {
      const swatches = palette.getByRole('group', { name: group }).getByRole('option');
      await expect(swatches).toHaveCount(colours);
      await expect(swatches.first()).toHaveAccessibleName(/^.+#[0-9a-f]{6}.*\d+, \d+, \d+/i);
    }
  });
});
