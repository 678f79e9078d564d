import { createOwner, getSession, listOwners, removeOwner } from '@opensocial/contract';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditRecords, identitySessions, installation, owners, type users } from '../../../database/schema.ts';
import type { Browser, Page } from '../../../testing/app/browser.ts';
import { makePasskey, makeSite, makeUser, networkNamed, password, signInto } from '../../../testing/app/builders.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import {
  isSignedIn,
  postForm,
  proveAddress,
  setPolicy,
  setupKeyIn,
  withTotp,
} from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { codeOf } from '../../../testing/services/authenticator.ts';
import { findOwnerMfaDue } from '../../mfa/mfa.service.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});
beforeEach(async () => {
  await testApp.db.update(installation).set({ owner_mfa_since: sql`now() - interval '400 days'` });
});

type User = typeof users.$inferSelect;
const ownerSince = async (days: number, network = 'opensocial', draft = {}, app = testApp): Promise<User> => {
  const user = await makeUser(app.db, { network, owns: [network], ...draft });
  const created_at = new Date(Date.now() - days * 86_400_000);
  await app.db.update(owners).set({ created_at }).where(eq(owners.email, user.email));
  return user;
};

const enter = async (browser: Browser, { email }: User): Promise<Page> =>
  browser.submit(await browser.get('/server/saml/login'), { email, password });
/** Signs in to the console and returns the date by which a second factor has to be set up. */
const dueOf = async (user: User, app = testApp): Promise<string | null> => {
  const browser = app.browser();
  await browser.submit(await enter(browser, user));
  const session = (await app.as(browser)(getSession, {})).user;
  if (session === 'no session') throw new Error('Not signed in.');
  return session.mfa_due;
};
const daysUntil = (due: string | null) =>
  due === null ? null : Math.round((Date.parse(due) - Date.now()) / 86_400_000);

describe('an owner of the main network without a second factor', () => {
  test('has a grace period of fourteen days, and the console shows its end', async () => {
    expect(daysUntil(await dueOf(await ownerSince(0)))).toBe(14);
    expect(daysUntil(await dueOf(await ownerSince(10)))).toBe(4);
    await testApp.db.update(installation).set({ owner_mfa_since: sql`now() - interval '1 day'` });
    expect(daysUntil(await dueOf(await ownerSince(100)))).toBe(13);
  });

  test('§2.12 gets no new grace period if another owner removes and adds them again', async () => {
    const owner = await ownerSince(0);
    const other = await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] });
    const call = testApp.as(await signInto(testApp.db, testApp.browser(), other));
    const { id, sso_id } = await networkNamed(testApp.db, 'opensocial');
    const ownership = { serverId: id, serverName: 'opensocial' };
    const remove = async () => {
      const { owners: found } = await call(listOwners, { params: { ...ownership, keyword: owner.email, lastId: 0 } });
      await call(removeOwner, { params: { serverName: 'opensocial', ownerId: found[0]?.id ?? 0 } });
    };
    const add = () =>
      call(createOwner, {
        params: { serverName: 'opensocial' },
        body: { sso_server: 'opensocial', sso_id, owner: owner.email },
      });
    await remove();
    await add();
    const days = { created_at: new Date(Date.now() - 10 * 86_400_000) };
    await testApp.db.execute(sql`alter table audit_records disable trigger audit_records__stay`);
    await testApp.db.update(auditRecords).set(days).where(sql`new_data ->> 'owner' = ${owner.email}`);
    await testApp.db.execute(sql`alter table audit_records enable trigger audit_records__stay`);
    await remove();
    await add();
    expect(daysUntil(await dueOf(owner))).toBe(4);
  });

  test('has to set up an authenticator after that, with a mailed code, to sign in to the console', async () => {
    const owner = await ownerSince(15);
    const browser = testApp.browser();
    const page = await enter(browser, owner);
    expect(page.html).toContain('Send me a code');
    expect(setupKeyIn(await browser.get(`${page.url}?with=setup`))).toBe('');
    const setup = await proveAddress(testApp, browser, page);
    const codes = await browser.submit(setup, { code: codeOf(setupKeyIn(setup)) });
    await browser.submit(await browser.submit(codes));
    expect((await testApp.as(browser)(getSession, {})).user).toMatchObject({ username: owner.email, mfa_due: null });
  });

  test('has to set it up even if the home network accepts mailed codes', async () => {
    const owner = await ownerSince(15);
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['email'] }, 'opensocial');
    const browser = testApp.browser();
    const setup = await proveAddress(testApp, browser, await enter(browser, owner));
    expect(setup.html).toContain('QR code');
    await setPolicy(testApp, { mfa: 'Disable', mfa_options: [] }, 'opensocial');
  });

  test('needs none at other applications, but a session from there does not open the console', async () => {
    const owner = await ownerSince(15, 'opensocial', { alsoIn: ['northlab'] });
    const browser = testApp.browser();
    const site = await ServiceProvider.of(testApp, await makeSite(testApp.db));
    const page = await browser.submit(await browser.get(await site.signInUrl()), { email: owner.email, password });
    expect(isSignedIn(page)).toBe(true);
    await testApp.db
      .update(identitySessions)
      .set({ authenticated_at: new Date(Date.now() - 3_600_000) })
      .where(eq(identitySessions.user_id, owner.id));
    expect((await browser.get('/server/saml/login')).html).toContain('type="password"');
  });

  test('cannot skip it by requesting another page', async () => {
    const owner = await ownerSince(15);
    const browser = testApp.browser();
    const page = await enter(browser, owner);
    for (const path of ['go-on', 'password', 'verify'])
      expect(isSignedIn(await postForm(browser, page, path, { factor: 'setup', code: '000000' })), path).toBe(false);
  });
});

describe('no second factor is required of', () => {
  test('an owner who has a factor of any kind', async () => {
    const { user } = await withTotp(testApp, { network: 'opensocial', owns: ['opensocial'] });
    const [keyed, mailed] = [await ownerSince(15), await ownerSince(15, 'opensocial', { email_mfa: true })];
    await makePasskey(testApp.db, keyed);
    for (const owner of [user, keyed, mailed]) {
      const page = await enter(testApp.browser(), owner);
      expect(page.url).toContain('/verify');
      expect(page.html).not.toContain('asks for an authenticator app');
    }
  });

  test.each([
    ['not confirmed', { status: 'NonConfirmed' }],
    ['disabled', { user_mode: 'Disable' }],
  ])('a listed owner whose account is %s, because the ownership is not in effect', async (_, draft) => {
    const { id } = await ownerSince(15, 'opensocial', draft);
    expect(await findOwnerMfaDue(testApp.parts, id)).toBeUndefined();
  });

  test('owners of other networks, and members', async () => {
    expect(await dueOf(await ownerSince(15, 'northlab'))).toBeNull();
    expect(await dueOf(await makeUser(testApp.db, { network: 'opensocial' }))).toBeNull();
  });
});

describe('the configuration', () => {
  const decided = async (environment: Record<string, string>) => {
    const app = await buildTestApp(environment);
    await app.db.update(installation).set({ owner_mfa_since: sql`now() - interval '400 days'` });
    return app;
  };

  test('OWNER_MFA=all requires it of the owners of every network', async () => {
    const app = await decided({ OWNER_MFA: 'all', OWNER_MFA_GRACE_DAYS: '3' });
    expect(daysUntil(await dueOf(await ownerSince(1, 'northlab', {}, app), app))).toBe(2);
    const late = await enter(app.browser(), await ownerSince(4, 'northlab', {}, app));
    expect(late.html).toContain('Send me a code');
  });

  test('OWNER_MFA=off requires it of no owner', async () => {
    const app = await decided({ OWNER_MFA: 'off' });
    expect(await dueOf(await ownerSince(15, 'opensocial', {}, app), app)).toBeNull();
  });

  test('without a grace period requires it at once', async () => {
    const app = await decided({ OWNER_MFA_GRACE_DAYS: '0' });
    expect((await enter(app.browser(), await ownerSince(0, 'opensocial', {}, app))).html).toContain('Send me a code');
  });
});
