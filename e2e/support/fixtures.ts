import { AxeBuilder } from '@axe-core/playwright';
import { type APIResponse, type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { formOf } from '../../apps/server/src/testing/app/shown-form.ts';
import { origin, password, type people, plantedSecret, serviceProviderOrigin } from './world.ts';

type Person = (typeof people)[keyof typeof people];
type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Shared sessions are replaced after this time: some changes need a sign-in within the last ten minutes (§6). */
const sessionMaxAge = 5 * 60_000;

/**
 * `test.use({ person })` starts with that person signed in. Everybody signs in once per worker and five minutes, and
 * tests share the session. A test that signs out, or selects another network, must therefore sign in itself. `enter`
 * opens another session.
 *
 * Every page is watched: a script error, a violation of the Content-Security-Policy, a request to another machine or a
 * secret in an answer fails the test.
 */
export const test = base.extend<
  { person: Person | undefined; faults: string[] },
  { enter: (person: Person) => Promise<Session>; sessionOf: (person: Person) => Promise<Session> }
>({
  person: [undefined, { option: true }],
  enter: [
    async ({ browser, playwright }, use) => {
      const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/${browser.version()} Safari/537.36`;
      // The real sign-in, by its forms only: rendering the pages would take most of the time.
      await use(async (person) => {
        // Without a session, even if the test starts with somebody signed in.
        const storageState = { cookies: [], origins: [] };
        const forms = await playwright.request.newContext({ baseURL: origin, userAgent, storageState });
        const send = async (shown: APIResponse, filled: Record<string, string> = {}) => {
          const form = formOf(await shown.text());
          if (!form) throw new Error(`There is no form on ${shown.url()}, where ${person.email} would sign in.`);
          return forms.post(new URL(form.action, shown.url()).href, { form: { ...form.fields, ...filled } });
        };
        const answer = await send(await forms.get('/server/saml/login'), { email: person.email, password });
        expect(new URL((await send(answer)).url()).pathname).toBe('/');
        const session = await forms.storageState();
        await forms.dispose();
        return session;
      });
    },
    { scope: 'worker' },
  ],
  sessionOf: [
    async ({ enter }, use) => {
      const sessions = new Map<Person, { session: Promise<Session>; openedAt: number }>();
      await use((person) => {
        const cached = sessions.get(person);
        if (cached && Date.now() - cached.openedAt < sessionMaxAge) return cached.session;
        const session = enter(person);
        sessions.set(person, { session, openedAt: Date.now() });
        return session;
      });
    },
    { scope: 'worker' },
  ],
  storageState: async ({ person, sessionOf }, use) => use(person && (await sessionOf(person))),
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

/** The hosts of the server and of the applications of the tests. */
const ownHosts = new Set([origin, serviceProviderOrigin].map((address) => new URL(address).hostname));

const watch = (context: BrowserContext, faults: string[]): void => {
  context.on('response', (response) => {
    if (!/json|html/.test(response.headers()['content-type'] ?? '')) return;
    // The body is no longer available if the page has navigated away.
    const read = response.text().catch(() => '');
    void read.then((text) => text.includes(plantedSecret) && faults.push(`${response.url()} returned a secret`));
  });
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^https?:$/.test(protocol) && !ownHosts.has(hostname)) faults.push(`${request.url()} was requested`);
  });
  context.on('page', (page) => page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`)));
  context.on('console', (message) => {
    if (/content security policy|refused to|requires 'Trusted/i.test(message.text())) faults.push(message.text());
  });
};

/** The real sign-in, up to the requested page. */
export const signIn = async (page: Page, person: Person, path = '/'): Promise<void> => {
  await page.goto(path);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

/** The content of the clipboard. */
export const clipboardOf = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Loads axe into every frame of a document, once: it is more than a megabyte. `AxeBuilder.analyze` loads it twice for
 * each run.
 */
const loadAxe = async (page: Page): Promise<void> => {
  const source = new AxeBuilder({ page })['script']();
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(source);
  }
};

type Axe = { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };

declare global {
  interface Window {
    axe?: Axe;
  }
}

/** The violated rules. Passed rules are left out: listing every element of a page takes as long as checking it. */
const violationsOf = (page: Page, runOnly: readonly string[]): Promise<string[]> =>
  page.evaluate(async (rules) => {
    const { axe } = window;
    if (!axe) throw new Error('axe is not loaded.');
    // Transitions that began before motion was reduced would continue, and axe would see intermediate colours.
    for (const motion of document.getAnimations()) if (motion instanceof CSSTransition) motion.finish();
    const { violations } = await axe.run({ runOnly: rules, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, runOnly);

/** Switches the theme of the system, and waits for the console, whose script follows it a moment later unless a person has chosen a theme. */
export const showColorScheme = async (page: Page, colorScheme: 'dark' | 'light'): Promise<void> => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await expect
    .poll(() =>
      page.evaluate((wanted) => {
        const shown = document.documentElement.dataset['mantineColorScheme'];
        const chosen = localStorage.getItem('mantine-color-scheme-value');
        return !shown || shown === (chosen && chosen !== 'auto' ? chosen : wanted);
      }, colorScheme),
    )
    .toBe(true);
};

/** Asserts that there is no violation of WCAG 2.2 AA in dark and light mode. The page stays in light mode. */
export const expectAccessible = async (page: Page): Promise<void> => {
  // A list that waits for other rows is pale; check it after they have loaded.
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await loadAxe(page);
  for (const [colorScheme, rules] of [
    ['dark', ['color-contrast', 'link-in-text-block']],
    ['light', standards],
  ] as const) {
    await showColorScheme(page, colorScheme);
    expect(await violationsOf(page, rules), colorScheme).toEqual([]);
  }
};

/** Asserts that nothing scrolls horizontally at 360 px. An open menu is moved a moment after the window has its new size. */
export const expectFitsPhone = async (page: Page): Promise<void> => {
  await page.setViewportSize({ width: 360, height: 740 });
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
    .toBeLessThanOrEqual(0);
};

/** The requirements of every screen. The window size is restored. */
export const expectScreenQuality = async (page: Page): Promise<void> => {
  const size = page.viewportSize();
  await expectAccessible(page);
  await expectFitsPhone(page);
  if (size) await page.setViewportSize(size);
};

export { expect };

/** Opens the palette by its shortcut, with retries: a page is visible a moment before it listens to keys. */
export const openPalette = (page: Page): Promise<void> =>
  expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: 'Go to anything' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
