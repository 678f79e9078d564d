import type { Page } from '@playwright/test';
import { expect, openPalette, test } from '../support/fixtures.ts';
import { origin, people } from '../support/world.ts';

test.use({ person: people.ana });

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });

test.describe('with the keyboard only', () => {
  test('the desktop, menus and dialogs can be used', async ({ page }) => {
    await test.step('with the keyboard only: the skip link skips the menu, arrow keys move between tiles, Enter opens a tile', async () => {
      await page.goto('/');
      await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeVisible();
      await press(page, 'Tab');
      await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
      await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeInViewport();
      await press(page, 'Enter');
      await expect(page.getByRole('main')).toBeFocused();
      await press(page, 'Tab');
      await expect(page.getByRole('textbox', { name: 'Search apps' })).toBeFocused();
      await press(page, 'ArrowDown');
      await expect(page.getByRole('link', { name: 'Demonstration' })).toBeFocused();
      await press(page, 'ArrowRight');
      await expect(page.getByRole('link', { name: 'LIMS Core' })).toBeFocused();
      await press(page, 'ArrowDown', 'ArrowUp', 'End');
      await expect(page.getByRole('link', { name: 'Board Room' })).toBeFocused();
      await press(page, 'Home');
      const opened = page.waitForEvent('popup');
      await press(page, 'Enter');
      await expect(heading(await opened, `Signed in as ${people.ana.email}`)).toBeVisible();
    });

    await test.step('with the keyboard only: menus and dialogs open, close with Escape and return the focus', async () => {
      await page.goto('/about');
      for (const [name, first] of [
        [/Ana Moreno/, page.getByRole('menuitem', { name: 'Edit My Profile' })],
        ['Theme', page.getByRole('menuitemradio', { name: 'System' })],
        ['Help', page.getByRole('menuitem', { name: 'Guide for owners' })],
        [/Go to anything/, page.getByRole('combobox', { name: 'Go to anything' })],
        ['Network northlab', page.getByRole('combobox', { name: 'Switch to a different network' })],
      ] as const) {
        const opener = page.getByRole('button', { name });
        await opener.focus();
        await press(page, 'Enter');
        await expect(first).toBeFocused();
        await press(page, 'Escape');
        await expect(first).toHaveCount(0);
        await expect(opener).toBeFocused();
      }
    });
  });

  test('the palette opens a list, Enter opens a panel, Escape returns to its row, and a network opens its desktop', async ({
    page,
  }) => {
    await page.goto('/about');
    await expect(heading(page, 'About')).toBeVisible();
    await openPalette(page);
    await page.keyboard.type('opensocial net');
    await expect(page.getByRole('option', { name: 'OpenSocial Networks' })).toBeVisible();
    await press(page, 'Enter');
    await expect(heading(page, 'Networks')).toBeFocused();
    await expect(page.getByText('2 of 2 servers')).toBeVisible();

    await press(page, '/');
    await expect(page.getByRole('textbox', { name: 'Search' })).toBeFocused();
    await press(page, 'ArrowDown');
    await expect(page.getByRole('row', { name: 'northlab' })).toBeFocused();
    await press(page, 'ArrowDown', 'Enter');
    const panel = page.getByRole('dialog', { name: 'opensocial' });
    await expect(heading(page, 'opensocial')).toBeFocused();
    await expect(panel.getByRole('link', { name: 'Open desktop' })).toBeVisible();
    await press(page, '/', 'Shift+Tab');
    await expect(panel.getByRole('link', { name: 'Open desktop' })).toBeFocused();
    await press(page, 'Tab');
    await expect(panel.getByRole('button', { name: 'Close the panel' })).toBeFocused();
    await press(page, 'Escape');
    await expect(page.getByRole('row', { name: 'opensocial' })).toBeFocused();
    await expect(page).toHaveURL(`${origin}/sso-servers`);

    await press(page, 'Tab', 'Tab');
    await expect(page.getByRole('button', { name: 'Set opensocial as default' })).toBeFocused();
    await press(page, 'Enter');
    await expect(page.getByRole('button', { name: 'Set as default' })).toBeFocused();
    await press(page, 'Escape');
    await expect(page.getByRole('button', { name: 'Set opensocial as default' })).toBeFocused();

    await press(page, 'ArrowUp');
    await expect(page.getByRole('row', { name: 'northlab' })).toBeFocused();
    await press(page, 'Tab', 'Enter');
    await expect(heading(page, /^(Good|Hello)/)).toBeFocused();
    await expect(page).toHaveURL(`${origin}/sso-servers/northlab`);
  });

  test('the dialogs of lists close with Escape and return the focus', async ({ page }) => {
    for (const [list, name] of [
      ['sites', 'Add New Site'],
      ['groups', 'Add New Group'],
      ['admins', 'Add New Owner'],
      ['users', 'Signup statistics'],
    ] as const)
      await test.step(`'${name}' closes with Escape and returns the focus`, async () => {
        await page.goto(`/sso-servers/northlab/${list}`);
        const opener = page.getByRole('main').getByRole('button', { name });
        await opener.focus();
        await press(page, 'Enter');
        await expect(page.getByRole('dialog').locator(':focus')).toBeVisible();
        await press(page, 'Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
        await expect(opener).toBeFocused();
      });
  });
});
