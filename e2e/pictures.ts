import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launchBrowser } from './support/browser.ts';
import { type Demonstration, startDemonstration } from './support/program.ts';

/** Takes the README's pictures of the demonstration, so that they stay up to date. */
const folder = join(import.meta.dirname, '..', 'docs', 'pictures');

/** Each picture by its name, in the order in which a user gets there. */
const scenes = ({ owner, password }: Demonstration): [name: string, arrive: (page: Page) => Promise<void>][] => [
  [
    'sign-in',
    async (page) => {
      await page.goto('/');
      await page.getByLabel('Email').fill(owner);
      await page.getByLabel('Password', { exact: true }).fill(password);
    },
  ],
  [
    'desktop',
    async (page) => {
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('link', { name: 'Reports' }).hover();
    },
  ],
  [
    'networks',
    async (page) => {
      await page.goto('/sso-servers');
      await page.getByRole('row', { name: 'genolab' }).hover();
    },
  ],
  [
    'network',
    async (page) => {
      await page.getByRole('link', { name: 'Details of genolab' }).click();
      await page.getByText('/saml/genolab/metadata').waitFor();
    },
  ],
  [
    'user-desktop',
    async (page) => {
      await page.goto('/sso-servers/genolab/desktop');
      const tile = page.getByRole('region', { name: 'Desktop Apps' }).getByRole('listitem').first();
      await tile.getByRole('button').first().focus();
      await page.keyboard.press('Space');
      await page.getByText(/^Picked up/).waitFor({ state: 'attached' });
      await page.keyboard.press('ArrowRight');
    },
  ],
];

const demo = await startDemonstration(4105);
const browser = await launchBrowser();
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      baseURL: demo.origin,
      viewport: { width: 1440, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    // The greeting depends on the time.
    await page.clock.setFixedTime(new Date(2025, 6, 23, 9, 30));
    for (const [name, arrive] of scenes(demo)) {
      await arrive(page);
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    }
    await context.close();
  }
} finally {
  await browser.close();
  await demo.stop();
}
