import {
  getActivationPolicy,
  getPolicyReach,
  getSettings,
  type NetworkSettings,
  previewSignIn,
  removeNetworkImage,
  SocialProvider,
  secretMask,
  setFooterType,
  setUserMode,
  updateNetworkImage,
  updateSettings,
} from '@opensocial/contract';
import { and, desc, eq, ne } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  auditRecords,
  loginLog,
  memberships,
  networkSettings,
  networks,
  owners,
  throttles,
  users,
} from '../../database/schema.ts';
import type { Page } from '../../testing/app/browser.ts';
import {
  makeImage,
  makePasskey,
  makeSite,
  makeUser,
  networkNamed,
  password,
  signInto,
} from '../../testing/app/builders.ts';
import { ServiceProvider } from '../../testing/app/service-provider.ts';
import { defaultSettingsForm } from '../../testing/app/settings-form.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { disableInactive } from './settings.service.ts';

let testApp: TestApp;
let admin: typeof users.$inferSelect;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  admin = await makeUser(testApp.db, { owns: ['northlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), admin));
});

const params = { server: 'northlab' };

/** Saves the current form with changes. */
const save = async (changes: Partial<Record<keyof NetworkSettings, unknown>>) => {
  const form = await call(getSettings, { params });
  return call(updateSettings, { params, body: { server: 'northlab', ...form, ...changes } as never });
};
beforeEach(async () => {
  await testApp.db.delete(throttles);
  await save(defaultSettingsForm);
  await testApp.db.update(networkSettings).set({ logo: null, background: null, footer: null, footer_type: 'Logo' });
});

const stored = async () => {
  const { id } = await networkNamed(testApp.db, 'northlab');
  const [settings] = await testApp.db.select().from(networkSettings).where(eq(networkSettings.network_id, id));
  return settings;
};
const lastAudit = async () => (await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1))[0];

/** The sign-in page for a site of northlab. */
const signInPage = async (draft: Parameters<typeof makeSite>[1] = {}) => {
  const site = await makeSite(testApp.db, draft);
  const provider = await ServiceProvider.of(testApp, site);
  const browser = testApp.browser();
  const page = await browser.get(await provider.signInUrl());
  return { page, browser, provider };
};
const signIn = async (email: string, given = password): Promise<Page> => {
  const { page, browser } = await signInPage();
  return browser.submit(page, { email, password: given });
};

describe('§2.10 SSO Server Details: the preview of the sign-in page', () => {
  const draft = {
    footer_type: 'Custom',
    footer_link: '',
    custom_footer: '<p>Run by the laboratory</p>',
    terms_of_use: 'https://northlab.org/terms',
    privacy_statement: '',
    help_email: 'help@northlab.org',
    sign_up: 'Enable',
  } as const;

  test('shows the given values with the saved pictures, and saves nothing', async () => {
    const image = await makeImage(testApp.db);
    await call(updateNetworkImage, { params, body: { logo: image.name } });
    const before = await call(getSettings, { params });
    const { html } = await call(previewSignIn, { params, body: draft });
    for (const part of ['Run by the laboratory', draft.terms_of_use, draft.help_email, 'Create an account', image.name])
      expect(html).toContain(part);
    expect(html).toContain('<body inert="">');
    expect(html).not.toContain('autofocus');
    // As on the real page, where the script shows it.
    expect(html).toMatch(/data-passkey="\{\}" action/);
    expect(html).not.toContain('<script');
    expect(await call(getSettings, { params })).toEqual(before);
    const { html: plain } = await call(previewSignIn, { params, body: { ...draft, sign_up: 'Disable' } });
    expect(plain).not.toContain('Create an account');
  });

  test('sanitizes the footer, and refuses addresses that the form refuses', async () => {
    const custom_footer = '<p onclick="x()">Rules<script>alert(1)</script><img src=x onerror=alert(1)></p>';
    const { html } = await call(previewSignIn, { params, body: { ...draft, custom_footer } });
    expect(html).toContain('Rules');
    expect(html).not.toMatch(/<script|onclick|onerror/);
    for (const faulty of [{ terms_of_use: 'javascript:alert(1)' }, { custom_footer: '<i>'.repeat(20_000) }])
      await expect(call(previewSignIn, { params, body: { ...draft, ...faulty } })).rejects.toMatchObject({
        code: 'invalid_input',
      });
  });
});

describe('§7.8 GET and PUT settings', () => {
  test('a new network has the default settings', async () => {
    expect(await call(getSettings, { params })).toMatchObject({
      ...defaultSettingsForm,
      footer_type: 'Logo',
      logo: '',
      footer: '',
    });
  });

  test('every setting is stored as it was saved', async () => {
    const changes = {
      footer_link: 'https://northlab.org/',
      custom_footer: '<p>Hello</p>',
      google_key: 'key-of-google',
      password_expiration: 3,
      password_history: 9,
      password_length: 32,
      password_complexity: 'lowerletter,special',
      user_inactivity: 90,
      failed_tries: 5,
      mfa: 'Enable',
      mfa_options: 'google,email',
      terms_of_use: 'https://northlab.org/terms',
      privacy_statement: 'https://northlab.org/privacy',
      help_email: 'help@northlab.org',
    };
    expect(await save(changes)).toMatchObject(changes);
    expect(await call(getSettings, { params })).toMatchObject(changes);
  });

  test('numbers may be sent as text, and lists in any order', async () => {
    const saved = await save({ password_length: '8', failed_tries: '0', password_complexity: 'special, lowerletter' });
    expect(saved).toMatchObject({ password_length: 8, failed_tries: 0, password_complexity: 'lowerletter,special' });
  });

  test.each([
    ['password_expiration', 2],
    ['password_history', 4],
    ['password_length', 7],
    ['password_complexity', 'emoji'],
    ['user_inactivity', -1],
    ['user_inactivity', 1.5],
    ['failed_tries', 101],
    ['failed_tries', 'many'],
    ['mfa', 'Maybe'],
    ['mfa_options', 'sms'],
    ['terms_of_use', 'javascript:alert(1)'],
    ['footer_link', 'ftp://northlab.org'],
    ['help_email', 'nobody'],
    ['custom_footer', 'x'.repeat(100_001)],
    ['custom_footer', '<i>'.repeat(20_000)],
    ['google_secret', 'x'.repeat(2_001)],
    ['network_id', 1],
    ['sso_id', 'x'],
  ])('%s cannot be %j, and nothing is saved', async (field, value) => {
    const before = await stored();
    await expect(save({ [field]: value })).rejects.toMatchObject({ status: 400 });
    expect(await stored()).toEqual(before);
  });

  test("§5 'Need Help?' email: an invalid address has the text of the email validator", async () => {
    await expect(save({ help_email: 'nobody' })).rejects.toMatchObject({
      message: expect.stringContaining('This field must be a valid email'),
    });
  });

  test('§5 MFA without an option is reported, and nothing is saved', async () => {
    const before = await stored();
    await expect(save({ mfa: 'Enable', mfa_options: '', failed_tries: 3 })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('You have to select at least one mfa option'),
    });
    expect(await stored()).toEqual(before);
  });

  test('path and body must name the same network', async () => {
    const form = await call(getSettings, { params });
    const body = { server: 'southlab', ...form };
    await expect(call(updateSettings, { params, body })).rejects.toMatchObject({ status: 404 });
    await expect(
      call(setFooterType, { params, body: { server: 'southlab', footer_type: 'Custom' } }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test('images and type of the footer may be sent along, and stay unchanged', async () => {
    const saved = await save({ logo: 'of-another-network.png', footer_type: 'Custom' });
    expect(saved).toMatchObject({ logo: '', footer_type: 'Logo' });
  });

  test('a change is audited with its old and new values, without unchanged fields', async () => {
    await save({ failed_tries: 7 });
    expect(await lastAudit()).toMatchObject({
      actor: admin.email,
      action: 'update',
      description: 'update settings of northlab',
      old_data: { failed_tries: 10 },
      new_data: { failed_tries: 7 },
    });
    const before = await lastAudit();
    await save({});
    expect(await lastAudit()).toEqual(before);
  });
});

test('rules and secrets need a fresh sign-in; links and footers do not', async () => {
  const stale = await signInto(testApp.db, testApp.browser(), admin, new Date(Date.now() - 11 * 60_000));
  const late = testApp.as(stale);
  const form = await late(getSettings, { params });
  const put = (changes: object) => late(updateSettings, { params, body: { ...form, server: 'northlab', ...changes } });
  for (const change of [{ failed_tries: 0 }, { mfa: 'Enable', mfa_options: 'email' }, { google_secret: 'mine' }])
    await expect(put(change)).rejects.toMatchObject({ status: 401, code: 'reauth_required' });
  expect(await put({ help_email: 'help@northlab.org', custom_footer: '<p>Hi</p>' })).toMatchObject({
    help_email: 'help@northlab.org',
  });
});

describe('social secrets', () => {
  test.each(SocialProvider.options)('that of %s can be written but not read', async (provider) => {
    const secret = `planted-${provider}-5Yk2`;
    const name = `${provider}_secret` as const;
    const saved = await save({ [`${provider}_key`]: 'a-key', [name]: secret });
    expect(saved).toMatchObject({ [`${provider}_key`]: 'a-key', [name]: secretMask });
    expect(JSON.stringify(await call(getSettings, { params }))).not.toContain(secret);
    const sealed = (await stored())?.[name];
    expect(sealed?.toString('latin1')).not.toContain(secret);
    expect(sealed && testApp.parts.vault.decrypt(sealed).toString()).toBe(secret);
    expect(JSON.stringify(await testApp.db.select().from(auditRecords))).not.toContain(secret);

    await save({ failed_tries: 9 });
    expect((await stored())?.[name]).toEqual(sealed);
    expect(await save({ [name]: '' })).toMatchObject({ [name]: '' });
    expect((await stored())?.[name]).toBeNull();
    expect(await lastAudit()).toMatchObject({ old_data: { [name]: 'a secret' }, new_data: { [name]: 'none' } });
  });
});

describe('§7.8 images of a network', () => {
  test.each([
    ['logo', 'remove_logo'],
    ['footer', 'remove_footer'],
    ['background', 'remove_bg'],
  ] as const)('%s is chosen from its own library and removed again', async (field, kind) => {
    const image = await makeImage(testApp.db);
    const body = { [field]: image.name } as { logo: string };
    expect(await call(updateNetworkImage, { params, body })).toMatchObject({ [field]: image.name });
    expect(await lastAudit()).toMatchObject({ old_data: { [field]: null }, new_data: { [field]: image.name } });
    expect(await call(removeNetworkImage, { params: { ...params, kind } })).toMatchObject({ [field]: '' });
  });

  test('a foreign image, an icon or an unknown image is refused', async () => {
    const foreign = await makeImage(testApp.db, { network: 'southlab' });
    const icon = await makeImage(testApp.db, { kind: 'icon' });
    for (const logo of [foreign.name, icon.name, 'none.png'])
      await expect(call(updateNetworkImage, { params, body: { logo } })).rejects.toMatchObject({
        code: 'image_unknown',
      });
    expect(await stored()).toMatchObject({ logo: null });
  });
});

describe('§2.10 each setting takes effect at the next sign-in', () => {
  test('logo and background, unless the site has its own', async () => {
    const [logo, background, own] = [
      await makeImage(testApp.db),
      await makeImage(testApp.db),
      await makeImage(testApp.db),
    ];
    await call(updateNetworkImage, { params, body: { logo: logo.name } });
    await call(updateNetworkImage, { params, body: { background: background.name } });
    const { page } = await signInPage();
    expect(page.html).toContain(`class="logo" src="/server/sso/sso_images/image/${logo.name}"`);
    expect(page.html).toContain(`class="backdrop" src="/server/sso/sso_images/image/${background.name}"`);
    const { page: dressed } = await signInPage({ logo: own.name, background: own.name });
    expect(dressed.html).toContain(`class="logo" src="/server/sso/sso_images/image/${own.name}"`);
    expect(dressed.html).not.toContain(background.name);
  });

  test("the footer's logo links to its address", async () => {
    const image = await makeImage(testApp.db);
    await call(updateNetworkImage, { params, body: { footer: image.name } });
    await save({ footer_link: 'https://northlab.org/about' });
    const { page } = await signInPage();
    expect(page.html).toMatch(
      new RegExp(`<a href="https://northlab.org/about"><img class="footer-logo" src="[^"]*${image.name}"`),
    );
  });

  test('a custom footer, with exactly the styles and frames that it needs', async () => {
    await save({
      custom_footer:
        '<h2 style="color: #112233">Rules</h2><script>x</script><iframe src="https://vimeo.com/76979871"></iframe>',
    });
    const { page: before } = await signInPage();
    expect(before.html).not.toContain('Rules');
    expect(await call(setFooterType, { params, body: { ...params, footer_type: 'Custom' } })).toEqual({
      message: 'Footer type updated successfully',
    });
    const { page } = await signInPage();
    expect(page.html).toContain('<h2 style="color:#112233">Rules</h2>');
    expect(page.html).not.toContain('<script>x');
    const policy = page.headers['content-security-policy'];
    expect(policy).toContain('frame-src https://www.youtube-nocookie.com https://player.vimeo.com');
    expect(policy).toMatch(/style-src-attr 'unsafe-hashes' 'sha256-[\w+/]+='/);
    expect(policy).not.toContain("'unsafe-inline'");
  });

  test('a footer that bypassed the check is sanitized when it is shown', async () => {
    await testApp.db
      .update(networkSettings)
      .set({ footer_type: 'Custom', custom_footer: '<img src=x onerror=alert(1)><p>Rules</p>' });
    const { page } = await signInPage();
    expect(page.html).toContain('<p>Rules</p>');
    expect(page.html).not.toContain('onerror');
  });

  test('§2.7 legal links: of the network with domain level settings, otherwise of the site', async () => {
    await save({
      terms_of_use: 'https://northlab.org/terms',
      privacy_statement: 'https://northlab.org/privacy',
      help_email: 'help@northlab.org',
    });
    const { page } = await signInPage();
    expect(page.html).toContain('href="https://northlab.org/terms"');
    expect(page.html).toContain('href="https://northlab.org/privacy"');
    expect(page.html).toContain('href="mailto:help@northlab.org"');
    const { page: own } = await signInPage({
      domain_level_settings: false,
      terms_of_use: 'https://reports.northlab.org/terms',
    });
    expect(own.html).toContain('href="https://reports.northlab.org/terms"');
    expect(own.html).not.toContain('northlab.org/privacy');
  });

  test('§2.7 a closed site shows its announcement', async () => {
    const message = { message_title: 'Moving house', message: 'Back on Monday' };
    const { page: open } = await signInPage(message);
    expect(open.html).not.toContain('Back on Monday');
    const { page: closed } = await signInPage({ ...message, site_mode: 'Closed' });
    expect(closed.html).toContain('Moving house');
    expect(closed.html).toContain('Back on Monday');
  });

  test('minimum length and complexity, at the next password', async () => {
    await save({ password_length: 8, password_complexity: 'upperletter,number' });
    const rule = await call(getActivationPolicy, { query: { server: 'northlab' } });
    expect(rule).toMatchObject({
      password_length: 8,
      regex_message: 'The password must have at least 8 characters, with an upper-case letter and a number.',
    });
    expect('abcdefgh').not.toMatch(new RegExp(rule.password_regex));
    expect('Abcdefg1').toMatch(new RegExp(rule.password_regex));
  });

  test('failed attempts: after the limit the right password is refused too', async () => {
    await save({ failed_tries: 2 });
    const { email } = await makeUser(testApp.db);
    for (const given of ['wrong', 'wrong again', password]) expect((await signIn(email, given)).status).toBe(401);
    expect(await reasonOf(email)).toBe('account locked');
    // Unlocking by an owner resets it.
    const [{ id } = { id: 0 }] = await testApp.db.select({ id: users.id }).from(users).where(eq(users.email, email));
    await call(setUserMode, { params: { userId: id, mode: 'Active' } });
    expect((await signIn(email)).status).toBe(200);
  });

  test('lock user: after this many days without a sign-in it is refused, unless never disabled', async () => {
    await save({ user_inactivity: 30 });
    const idle = await makeUser(testApp.db, { last_login_at: daysAgo(31), created_at: daysAgo(400) });
    expect((await signIn(idle.email)).status).toBe(401);
    expect(await reasonOf(idle.email)).toBe('account not used for too long');
    const spared = { last_login_at: daysAgo(31), created_at: daysAgo(400), bypass_inactivity: true };
    for (const draft of [spared, { last_login_at: daysAgo(29) }, { created_at: daysAgo(3), last_login_at: null }])
      expect((await signIn((await makeUser(testApp.db, draft)).email)).status).toBe(200);
    await save({ user_inactivity: 0 });
    expect((await signIn(idle.email)).status).toBe(200);
  });
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

const reasonOf = async (email: string) => {
  const [line] = await testApp.db
    .select()
    .from(loginLog)
    .where(eq(loginLog.email, email))
    .orderBy(desc(loginLog.id))
    .limit(1);
  return line?.reason;
};

describe('unused accounts', () => {
  const idle = { last_login_at: daysAgo(31), created_at: daysAgo(400) };
  const modeOf = async ({ id }: { id: number }) =>
    (await testApp.db.select().from(users).where(eq(users.id, id)))[0]?.user_mode;

  test('are disabled by the sweep, with a record, and reactivated by an owner', async () => {
    await save({ user_inactivity: 30 });
    const [used, unused] = [
      await makeUser(testApp.db, { last_login_at: daysAgo(1) }),
      await makeUser(testApp.db, { ...idle }),
    ];
    const elsewhere = await makeUser(testApp.db, { ...idle, network: 'southlab' });
    await disableInactive(testApp.parts);
    expect(await modeOf(used)).toBe('Active');
    expect(await modeOf(elsewhere)).toBe('Active');
    expect(await modeOf(unused)).toBe('Disable');
    expect(await lastAudit()).toMatchObject({
      actor: 'account policy',
      description: `update user ${unused.email}`,
      new_data: { user_mode: 'Disable', reason: 'inactivity' },
    });
    await call(setUserMode, { params: { userId: unused.id, mode: 'Active' } });
    await disableInactive(testApp.parts);
    expect(await modeOf(unused)).toBe('Active');
    expect((await signIn(unused.email)).status).toBe(200);
  });

  test('but not owners whose network would otherwise have no owner who uses it', async () => {
    await save({ user_inactivity: 30 });
    const [first, second] = [
      await makeUser(testApp.db, { ...idle, owns: ['southlab'] }),
      await makeUser(testApp.db, { ...idle, owns: ['southlab'] }),
    ];
    await disableInactive(testApp.parts);
    expect([await modeOf(first), await modeOf(second)]).toEqual(['Active', 'Active']);
    await makeUser(testApp.db, { owns: ['southlab'], last_login_at: daysAgo(1) });
    await disableInactive(testApp.parts);
    // They belong to southlab too, so the rule of northlab only disables them in northlab.
    expect([await modeOf(first), await modeOf(second)]).toEqual(['Active', 'Active']);
    expect(await membershipModeOf(first)).toEqual({ northlab: 'Disable', southlab: 'Active' });
    expect(await membershipModeOf(second)).toEqual({ northlab: 'Disable', southlab: 'Active' });
  });

  test('an owner whose membership is not active does not count as the last one', async () => {
    await save({ user_inactivity: 30 });
    const listed = await makeUser(testApp.db, { ...idle, owns: ['northlab'] });
    const north = await networkNamed(testApp.db, 'northlab');
    const others = and(eq(owners.network_id, north.id), ne(owners.email, listed.email));
    const removed = await testApp.db.delete(owners).where(others).returning();
    await testApp.db.update(memberships).set({ status: 'NonConfirmed' }).where(eq(memberships.user_id, listed.id));
    await disableInactive(testApp.parts);
    expect(await modeOf(listed)).toBe('Disable');
    await testApp.db.insert(owners).values(removed.map(({ network_id, email }) => ({ network_id, email })));
  });

  test('a listed owner who is not an active member does not count as a second owner', async () => {
    await save({ user_inactivity: 30 });
    const last = await makeUser(testApp.db, { ...idle, owns: ['northlab'] });
    const north = await networkNamed(testApp.db, 'northlab');
    const others = and(eq(owners.network_id, north.id), ne(owners.email, last.email));
    const removed = await testApp.db.delete(owners).where(others).returning();
    const pending = await makeUser(testApp.db, { network: 'southlab', last_login_at: daysAgo(1) });
    await testApp.db.insert(owners).values({ network_id: north.id, email: pending.email });
    await disableInactive(testApp.parts);
    expect(await modeOf(last)).toBe('Active');
    await testApp.db.insert(owners).values(removed.map(({ network_id, email }) => ({ network_id, email })));
  });
});

const membershipModeOf = async (user: { id: number }) => {
  const rows = await testApp.db
    .select({ name: networks.name, mode: memberships.user_mode })
    .from(memberships)
    .innerJoin(networks, eq(networks.id, memberships.network_id))
    .where(eq(memberships.user_id, user.id));
  return Object.fromEntries(rows.map(({ name, mode }) => [name, mode]));
};

test('§2.10 before a policy is saved, the number of affected accounts is shown', async () => {
  const none = await call(getPolicyReach, {
    params,
    query: { password_expiration: 0, user_inactivity: 0, mfa: 'Disable' },
  });
  expect(none).toMatchObject({ old_passwords: 0, without_mfa: 0, locks_out: false, locks_you_out: false, inactive: 0 });
  const asked = { params, query: { password_expiration: 3, user_inactivity: 30, mfa: 'Enable' } } as const;
  const before = await call(getPolicyReach, asked);
  await makeUser(testApp.db, { password_changed_at: daysAgo(100), totp_secret: testApp.parts.vault.encrypt('secret') });
  await makeUser(testApp.db, { password_changed_at: daysAgo(10), last_login_at: daysAgo(31), created_at: daysAgo(99) });
  await makeUser(testApp.db, { password_changed_at: daysAgo(100), network: 'southlab', alsoIn: ['northlab'] });
  expect(await call(getPolicyReach, asked)).toEqual({
    ...before,
    users: before.users + 2,
    old_passwords: before.old_passwords + 1,
    without_mfa: before.without_mfa + 1,
    inactive: before.inactive + 1,
  });
  await makePasskey(testApp.db, await makeUser(testApp.db));
  expect(await call(getPolicyReach, asked)).toMatchObject({
    users: before.users + 3,
    without_mfa: before.without_mfa + 1,
  });
});

test('§2.10 a rule for second factors locks out people without one only while there is no mail server', async () => {
  const query = { password_expiration: 0, user_inactivity: 0, mfa: 'Enable' } as const;
  const reachOf = async (app: TestApp, draft: Parameters<typeof makeUser>[1]) => {
    const user = await makeUser(app.db, { owns: ['northlab'], ...draft });
    const asked = await app.as(await signInto(app.db, app.browser(), user))(getPolicyReach, { params, query });
    return { locks_out: asked.locks_out, locks_you_out: asked.locks_you_out };
  };
  const totp_secret = testApp.parts.vault.encrypt('secret');
  expect(await reachOf(testApp, { totp_secret })).toEqual({ locks_out: true, locks_you_out: false });
  // The rule does not apply at the console to somebody whose home is another network.
  expect(await reachOf(testApp, { network: 'southlab', alsoIn: ['northlab'] })).toEqual({
    locks_out: true,
    locks_you_out: false,
  });
  const mailing = await buildTestApp({ SMTP_URL: 'smtp://127.0.0.1:9' });
  expect(await reachOf(mailing, {})).toEqual({ locks_out: false, locks_you_out: false });
});
