import { existsSync } from 'node:fs';
import { type Browser, chromium as playwright } from '@playwright/test';

export type { Browser, Page } from '@playwright/test';

// The headless shell comes first: the full browser opens a window for every page and takes twice as long.
const chromium = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync);

/** The machine's own Chromium if it has one, with only the features that pages need. */
export const launchOptions = {
  ...(chromium && { executablePath: chromium }),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

export const launchBrowser = (): Promise<Browser> => playwright.launch(launchOptions);
