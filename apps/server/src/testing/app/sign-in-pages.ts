import { eq, type SQL, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Transaction } from '../../database/connect.ts';
import { networkSettings, throttles } from '../../database/schema.ts';
import { flowCookie } from '../../http/cookies.ts';
import { newTotpSecret, totpCode } from '../../secrets/totp.ts';
import { eventually } from '../machine/eventually.ts';
import type { Browser, Page } from './browser.ts';
import { makeSite, makeUser, networkNamed, password } from './builders.ts';
import { mailsQueuedBy } from './queued-mails.ts';
import { ServiceProvider } from './service-provider.ts';
import type { TestApp } from './test-app.ts';

/** Changes the settings of a network. */
export const setPolicy = async (
  { db }: TestApp,
  policy: Partial<typeof networkSettings.$inferInsert>,
  name = 'northlab',
): Promise<void> => {
  const { id } = await networkNamed(db, name);
  await db.update(networkSettings).set(policy).where(eq(networkSettings.network_id, id));
};

/** Clears all failed attempts, and switches off second factors in the given networks. */
export const resetSecondFactors = async (
  testApp: TestApp,
  networks: readonly string[] = ['northlab'],
): Promise<void> => {
  await testApp.db.delete(throttles);
  for (const name of networks)
    await setPolicy(testApp, { mfa: 'Disable', mfa_options: [], mfa_remember_days: 0 }, name);
};

/** Creates a site, and returns the URL at which its service provider begins a sign-in. */
export const newSignInUrl = async (
  testApp: TestApp,
  draft: Parameters<typeof makeSite>[1] = {},
  options: Parameters<typeof ServiceProvider.of>[2] = {},
): Promise<string> => (await ServiceProvider.of(testApp, await makeSite(testApp.db, draft), options)).signInUrl();

/** Opens a sign-in and submits the email address and the usual password. Returns the page after the password. */
export const enterPassword = async (browser: Browser, url: string, email: string): Promise<Page> =>
  browser.submit(await browser.get(url), { email, password });

/** A user with an authenticator app, and the code it shows some steps from now. */
export const withTotp = async ({ db, parts }: TestApp, draft: Parameters<typeof makeUser>[1] = {}) => {
  const secret = newTotpSecret();
  const user = await makeUser(db, { totp_secret: parts.vault.encrypt(secret), ...draft });
  return { user, code: (step = 0) => totpCode(secret, Math.floor(Date.now() / 30_000) + step) };
};

export const isSignedIn = (page: Page): boolean => page.form?.fields['SAMLResponse'] !== undefined;

/** The setup key that a page shows. */
export const setupKeyIn = (page: Page): string =>
  (/<code[^>]*>([^<]+)</.exec(page.html)?.[1] ?? '').replaceAll(/\s/g, '');

const tokenOf = (page: Page): string => /\/signin\/([\w-]+)/.exec(page.url)?.[1] ?? '';

/** The name of the cookie that binds the sign-in of a page to its browser. */
export const signInCookie = (page: Page): string => flowCookie('signin-', tokenOf(page));

/** The CSRF token in the forms of a sign-in, for pages without a form. */
export const csrfTokenOf = ({ parts }: TestApp, browser: Browser, page: Page): string => {
  const [secret = ''] = (browser.cookies.get(signInCookie(page)) ?? '').split('.');
  return parts.vault.sign('sign-in', `${tokenOf(page)}\0${secret}`);
};

/** Posts a form of the page other than its first. */
export const postForm = (
  browser: Browser,
  page: Page,
  path: string,
  fields: Record<string, string> = {},
): Promise<Page> => {
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
  return browser.post(`/signin/${tokenOf(page)}/${path}`, { csrf, ...fields });
};

/** Requests a code by mail on a page of a sign-in, and returns it. */
export const mailedCode = async (testApp: TestApp, browser: Browser, page: Page): Promise<string> => {
  const [mail] = await mailsQueuedBy(testApp, () => postForm(browser, page, 'send'));
  return /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '';
};

/**
 * Submits a mailed code on the page after the password. Returns the next page, such as the one that sets up an
 * authenticator app.
 */
export const proveAddress = async (testApp: TestApp, browser: Browser, page: Page): Promise<Page> =>
  postForm(browser, page, 'verify', { factor: 'email', code: await mailedCode(testApp, browser, page) });

/** Locks a row, begins work that has to wait for it, and runs something else in the transaction that holds the lock. */
export const runWhileLocked = async <T>(
  { db }: TestApp,
  row: SQL,
  begin: () => Promise<T>,
  act: (tx: Transaction) => Promise<unknown>,
): Promise<PromiseSettledResult<T>> => {
  // Work that has ended without waiting is part of the message of a failure.
  let ended: PromiseSettledResult<T> | undefined;
  // The diagnosis records former requests in the background, and may wait for the row of their person too.
  const waiting = async () => {
    const { rows } = await db.execute(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query not like '%insert into site_exchanges%'`,
    );
    expect({ waiting: rows.length, ended }).toEqual({ waiting: 1, ended: undefined });
  };
  const { ending } = await db.transaction(async (tx) => {
    await tx.execute(row);
    const begun = Promise.allSettled([begin()]).then((outcomes) => {
      [ended] = outcomes;
      return outcomes;
    });
    await eventually(waiting);
    await act(tx);
    return { ending: begun };
  });
  return (await ending)[0];
};
