import { createOidcSite, createSite, getSite, getSiteOverview } from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { groupSites, loginLog, signingKeys, sites } from '../../database/schema.ts';
import { describeCertificate, makeSigningKey } from '../../secrets/signing-keys.ts';
import {
  makeGroup,
  makeOidcSite,
  makeSite,
  makeUser,
  networkNamed,
  oidcParameters,
  signInto,
} from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
let call: ReturnType<TestApp['as']>;
let network: { id: number; name: string };
beforeAll(async () => {
  testApp = await buildTestApp();
  const owner = await makeUser(testApp.db, { owns: ['northlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  network = await networkNamed(testApp.db, 'northlab');
});

const overview = (id: number) => call(getSiteOverview, { params: { site_id: id } });

const logLine = (site: { id: number; domain: string }, line: { at: Date; ok: boolean; reason?: string }) =>
  testApp.db.insert(loginLog).values({
    network_id: network.id,
    site_id: site.id,
    site: site.domain,
    login_status: line.ok ? 'Success' : 'Failed',
    reason: line.reason ?? '',
    ip_address: '192.0.2.1',
    login_time: line.at,
  });

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describe('§2.7 single sign-on', () => {
  test('a new site is not on the desktop, has no group, and nobody has signed in', async () => {
    const { id } = await makeSite(testApp.db, { certificate: null, desktop_position: null });
    expect(await overview(id)).toMatchObject({
      id,
      protocol: 'saml',
      on_desktop: false,
      groups: 0,
      last_success: null,
      last_failure: null,
    });
  });

  test('the last success and the last failure are those of this site', async () => {
    const site = await makeSite(testApp.db, { desktop_position: 3 });
    const other = await makeSite(testApp.db);
    const group = await makeGroup(testApp.db);
    await testApp.db.insert(groupSites).values({ group_id: group.id, site_id: site.id });
    const [first, success, failure] = [minutesAgo(30), minutesAgo(20), minutesAgo(10)];
    await logLine(site, { at: first, ok: true });
    await logLine(site, { at: success, ok: true });
    await logLine(site, { at: failure, ok: false, reason: 'not in a group of the site' });
    await logLine(other, { at: minutesAgo(1), ok: false, reason: 'wrong password' });
    expect(await overview(site.id)).toMatchObject({
      on_desktop: true,
      groups: 1,
      last_success: { at: success.toISOString() },
      last_failure: { at: failure.toISOString(), reason: 'not in a group of the site' },
    });
  });

  test('the certificates are those of the site and of the key that signs for it', async () => {
    const own = await makeSigningKey('site');
    const site = await makeSite(testApp.db, { certificate: own.certificate, encryption_certificate: own.certificate });
    const [current] = await testApp.db.select().from(signingKeys).where(eq(signingKeys.network_id, network.id));
    const answer = await overview(site.id);
    expect(answer.certificates.map(({ use }) => use)).toEqual(['identity_provider', 'signing', 'encryption']);
    expect(answer.certificates[0]?.fingerprint).toBe(describeCertificate(current?.certificate ?? '').fingerprint);
    expect(answer.certificates[1]).toEqual({
      use: 'signing',
      fingerprint: describeCertificate(own.certificate).fingerprint,
      not_after: describeCertificate(own.certificate).notAfter.toISOString(),
    });
    expect(answer.certificate).toMatch(/^-----BEGIN CERTIFICATE-----/);
    const next = await makeSigningKey('next');
    const [key] = await testApp.db
      .insert(signingKeys)
      .values({
        network_id: network.id,
        state: 'next',
        algorithm: 'rsa-2048',
        certificate: next.certificate,
        private_key: testApp.parts.vault.encrypt(next.privateKey),
        not_after: describeCertificate(next.certificate).notAfter,
      })
      .returning();
    await testApp.db
      .update(sites)
      .set({ signing_key_id: key?.id ?? null })
      .where(eq(sites.id, site.id));
    const [signing] = (await overview(site.id)).certificates;
    expect(signing?.fingerprint).toBe(describeCertificate(next.certificate).fingerprint);
  });

  test('a site that uses OpenID Connect has no certificates', async () => {
    const { id } = await makeOidcSite(testApp.db);
    expect(await overview(id)).toMatchObject({ protocol: 'oidc', certificates: [], certificate: '' });
  });
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 4h16v16H4z"/></svg>';
const tile = { site_name: 'Field notes 📓', icon: svg, login_url: 'https://notes.northlab.org/login' };
const samlDraft = (domain: string) => ({
  identity: `https://${domain}/metadata`,
  acs: `https://${domain}/acs`,
  sls: '',
  domain,
});

describe('§2.6 a new site', () => {
  const addSaml = (domain: string, more: Partial<typeof tile> = {}) =>
    call(createSite, {
      params: { server_id: network.id, server_name: 'northlab' },
      body: { ...samlDraft(domain), ...more },
    });

  test('may have its name, icon and login URL from the beginning', async () => {
    const { id } = await addSaml('tile-saml.northlab.org', tile);
    expect(await call(getSite, { params: { site_id: id } })).toMatchObject(tile);
    const client = await call(createOidcSite, {
      params: { server_name: 'northlab' },
      body: { ...oidcParameters(), domain: 'tile-oidc.northlab.org', ...tile },
    });
    expect(await call(getSite, { params: { site_id: client.id } })).toMatchObject(tile);
  });

  test('is called by its domain without a name', async () => {
    const { id } = await addSaml('no-tile.northlab.org');
    expect(await call(getSite, { params: { site_id: id } })).toMatchObject({
      site_name: 'no-tile.northlab.org',
      icon: '',
      login_url: '',
    });
  });

  test('scripts of the icon are removed, and other addresses than web addresses are refused', async () => {
    const icon = svg.replace('<path', '<script>alert(1)</script><path onload="alert(1)"');
    const { id } = await addSaml('icon-script.northlab.org', { icon });
    expect((await call(getSite, { params: { site_id: id } })).icon).not.toMatch(/script|onload/);
    const refused = addSaml('login-script.northlab.org', { login_url: 'javascript:alert(1)' });
    await expect(refused).rejects.toMatchObject({ status: 400 });
  });
});
