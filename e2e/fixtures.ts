import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { password, type people } from './world.ts';

type Person = (typeof people)[keyof typeof people];

/** Every page is watched: a script error or something that the content policy stopped fails the test. */
export const test = base.extend<{ faults: string[] }>({
  faults: [
    async ({ context }, use) => {
      const faults: string[] = [];
      watch(context, faults);
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

const watch = (context: BrowserContext, faults: string[]): void => {
  context.on('page', (page) => page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`)));
  context.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) faults.push(message.text());
  });
};

/** The real sign-in, as far as the page that was asked for. */
export const signIn = async (page: Page, person: Person, path = '/'): Promise<void> => {
  await page.goto(path);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

/** No violation of WCAG 2.2 AA, in light and in dark. */
export const expectAccessible = async (page: Page): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze();
    expect(
      violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    ).toEqual([]);
  }
};

/** Nothing to scroll sideways to at 360 px. */
export const expectFitsPhone = async (page: Page): Promise<void> => {
  await page.setViewportSize({ width: 360, height: 740 });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
};

export { expect };
