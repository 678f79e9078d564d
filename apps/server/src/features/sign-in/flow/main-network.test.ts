import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { identitySessions, loginLog, memberships, networkSettings, sites, users } from '../../../database/schema.ts';
import { toBase32 } from '../../../secrets/totp.ts';
import { type Browser, type Page, textOf } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, networkNamed, password } from '../../../testing/app/builders.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { codeOf } from '../../../testing/services/authenticator.ts';

let app: TestApp;

beforeAll(async () => {
  app = await buildTestApp();
});

const offering = (draft: Parameters<typeof makeSite>[1] = {}) =>
  makeSite(app.db, { auth_options: ['opensocial'], email_login: false, ...draft });

/** An account of the main network that is a member of the site's network too. */
const makeGuest = (draft: Parameters<typeof makeUser>[1] = {}) =>
  makeUser(app.db, { network: 'opensocial', alsoIn: ['northlab'], ...draft });

const press = (browser: Browser, page: Page, path: string) =>
  browser.post(`${page.url}${path}`, { csrf: /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '' });

const arrive = async (browser: Browser, site: { id: number }) => {
  const page = await browser.get(`/saml/northlab/start/${site.id}`);
  return press(browser, page, '/with/opensocial');
};

const lastLine = async () => (await app.db.select().from(loginLog).orderBy(desc(loginLog.id)).limit(1))[0];

describe('§2.7 login type opensocial', () => {
  test("signs in at the main network, and the response comes from the site's own network", async () => {
    const user = await makeGuest();
    const site = await offering();
    const provider = await ServiceProvider.of(app, site);
    const browser = app.browser();
    const own = await browser.get(await provider.signInUrl('back here'));
    expect(textOf(own.html)).toContain('Sign in to Reports');
    expect(own.html).toContain('Continue with OpenSocial');
    expect(own.html).not.toContain('type="password"');
    const main = await press(browser, own, '/with/opensocial');
    expect(textOf(main.html)).toContain('Sign in to OpenSocial');
    expect(textOf(main.html)).toContain('You will then continue to Reports');
    expect(main.html).not.toContain('Continue with OpenSocial');
    const answer = await browser.submit(main, { email: user.email, password });
    expect(await provider.receive(answer)).toMatchObject({ nameID: user.email, network: 'northlab' });
    expect(answer.form?.fields['RelayState']).toBe('back here');
    expect(await lastLine()).toMatchObject({ login_status: 'Success', site_id: site.id, reason: 'opensocial' });
    const [session] = await app.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id));
    expect(session?.login_from).toBe('OpenSocial');
  });

  test('is a button only at sites with this login type, and never in the main network', async () => {
    const without = await makeSite(app.db);
    const page = await app.browser().get(`/saml/northlab/start/${without.id}`);
    expect(page.html).not.toContain('Continue with OpenSocial');
    const main = await makeSite(app.db, { network: 'opensocial', auth_options: ['opensocial'] });
    const browser = app.browser();
    const itself = await browser.get(`/saml/opensocial/start/${main.id}`);
    expect(itself.html).not.toContain('Continue with OpenSocial');
    expect((await press(browser, itself, '/with/opensocial')).status).toBe(403);
    const refused = await press(app.browser(), page, '/with/opensocial');
    expect(refused.status).toBe(410);
  });

  test('refuses a person without access to the site, and says so', async () => {
    const stranger = await makeUser(app.db, { network: 'opensocial' });
    const site = await offering();
    const browser = app.browser();
    const refused = await browser.submit(await arrive(browser, site), { email: stranger.email, password });
    expect(refused.status).toBe(403);
    expect(textOf(refused.html)).toContain("You don't have access to Reports");
    expect(await lastLine()).toMatchObject({ site_id: site.id, reason: 'not a member of the network' });
    const { id } = await networkNamed(app.db, 'northlab');
    await app.db.insert(memberships).values({ network_id: id, user_id: stranger.id });
    expect((await browser.get(`/saml/northlab/start/${site.id}`)).form?.fields['SAMLResponse']).toBeTruthy();
  });

  test('logs a wrong password in the main network', async () => {
    const user = await makeGuest();
    const browser = app.browser();
    const main = await arrive(browser, await offering());
    const refused = await browser.submit(main, { email: user.email, password: 'something else' });
    expect(refused.status).toBe(401);
    expect(textOf(refused.html)).toContain('Sign in to OpenSocial');
    const { id } = await networkNamed(app.db, 'opensocial');
    expect(await lastLine()).toMatchObject({ network_id: id, login_status: 'Failed', reason: 'wrong password' });
  });

  test('is refused on the way back if it was switched off in between, without a session', async () => {
    const user = await makeGuest();
    const site = await offering({ email_login: true });
    const browser = app.browser();
    const main = await arrive(browser, site);
    await app.db.update(sites).set({ auth_options: [] }).where(eq(sites.id, site.id));
    const refused = await browser.submit(main, { email: user.email, password });
    expect(refused.status).toBe(403);
    expect(textOf(refused.html)).toContain('Sign in to Reports');
    expect(refused.html).toContain('This sign-in method is no longer offered here.');
    expect(browser.cookies.has('opensocial_identity')).toBe(false);
    expect(await lastLine()).toMatchObject({ site_id: site.id, user_id: user.id, reason: 'login type not offered' });
    expect((await press(browser, refused, '/with/opensocial')).status).toBe(403);
  });

  test('can be left for another login type within the same sign-in', async () => {
    const user = await makeGuest();
    const browser = app.browser();
    const main = await arrive(browser, await offering({ email_login: true }));
    const own = await press(browser, main, '/again');
    expect(textOf(own.html)).toContain('Sign in to Reports');
    const answer = await browser.submit(own, { email: user.email, password });
    expect(answer.form?.fields['SAMLResponse']).toBeTruthy();
    expect(await lastLine()).toMatchObject({ reason: 'password' });
  });

  describe('second factors', () => {
    const secret = Buffer.from('12345678901234567890');
    const withTotp = () => makeGuest({ totp_secret: app.parts.vault.encrypt(secret) });
    const rule = async (network: string, mfa: 'Enable' | 'Disable') => {
      const { id } = await networkNamed(app.db, network);
      const options = mfa === 'Enable' ? ['email'] : [];
      await app.db.update(networkSettings).set({ mfa, mfa_options: options }).where(eq(networkSettings.network_id, id));
    };

    test('are proven at the main network, once for both', async () => {
      const user = await withTotp();
      const browser = app.browser();
      const main = await arrive(browser, await offering({ mfa: 'Enable' }));
      const asked = await browser.submit(main, { email: user.email, password });
      expect(textOf(asked.html)).toContain('Sign in to OpenSocial');
      const answer = await browser.submit(asked, { code: codeOf(toBase32(secret)) });
      expect(answer.form?.fields['SAMLResponse']).toBeTruthy();
      expect(await lastLine()).toMatchObject({ reason: 'opensocial, totp' });
    });

    test('that only the site requires are proven on its own page', async () => {
      const user = await makeGuest();
      const browser = app.browser();
      const main = await arrive(browser, await offering({ mfa: 'Enable' }));
      const asked = await browser.submit(main, { email: user.email, password });
      expect(textOf(asked.html)).toContain('Sign in to Reports');
      expect(asked.html).toContain('Send me a code');
      expect(browser.cookies.has('opensocial_identity')).toBe(false);
    });

    test('that the main network requires are proven even if the site requires none', async () => {
      const user = await makeGuest();
      const browser = app.browser();
      const main = await arrive(browser, await offering());
      await rule('opensocial', 'Enable');
      const asked = await browser.submit(main, { email: user.email, password });
      await rule('opensocial', 'Disable');
      expect(textOf(asked.html)).toContain('Sign in to OpenSocial');
      expect(asked.html).toContain('Send me a code');
    });
  });

  test('a password that is too old is changed at the main network', async () => {
    const user = await makeGuest({ password_changed_at: new Date(0) });
    const { id } = await networkNamed(app.db, 'opensocial');
    const expire = (months: number) =>
      app.db.update(networkSettings).set({ password_expiration: months }).where(eq(networkSettings.network_id, id));
    await expire(6);
    const browser = app.browser();
    const old = await browser.submit(await arrive(browser, await offering()), { email: user.email, password });
    const next = { password: 'a sentence of my own', confirmation: 'a sentence of my own' };
    const answer = await browser.submit(old, next);
    await expire(0);
    expect(answer.form?.fields['SAMLResponse']).toBeTruthy();
    const [changed] = await app.db.select().from(users).where(eq(users.id, user.id));
    expect(changed?.password_changed_at?.getTime()).toBeGreaterThan(0);
  });
});
