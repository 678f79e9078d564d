import { execFileSync } from 'node:child_process';
import {
  createSite,
  getSite,
  getSubscriber,
  listSites,
  removeImage,
  removeSite,
  removeSiteImage,
  type SiteChanges,
  setSiteMode,
  updateSite,
  updateSiteImage,
  updateSubscriber,
} from '@opensocial/contract';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, groupSites, images, sites, type users } from '../../database/schema.ts';
import { makeGroup, makeSite, makeUser, networkNamed, password, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { makeProviderKey, ServiceProvider } from '../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

/** A certificate with an ECDSA key on P-256. */
const ecCertificate = execFileSync(
  'openssl',
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=site -keyout /dev/null'.split(' '),
  { encoding: 'utf8', stdio: 'pipe' },
).replace(/-----[^-]+-----|\s/g, '');

let testApp: TestApp;
let north: { id: number };
let south: { id: number };
let admin: typeof users.$inferSelect;
let call: ReturnType<TestApp['as']>;
let foreign: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
  south = await networkNamed(testApp.db, 'southlab');
  admin = await makeUser(testApp.db, { owns: ['northlab'] });
  call = await as(admin);
  foreign = await as(await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] }));
});

const as = async (user: typeof users.$inferSelect) => testApp.as(await signInto(testApp.db, testApp.browser(), user));
const inNorth = () => ({ server_id: north.id, server_name: 'northlab' });
const draft = (domain: string, changes = {}) => ({
  identity: `https://${domain}/metadata`,
  acs: `https://${domain}/acs`,
  sls: `https://${domain}/sls`,
  domain,
  ...changes,
});
const stored = async (id: number) => (await testApp.db.select().from(sites).where(eq(sites.id, id)))[0];
const lastAudit = async () => (await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1))[0];
/** A site as the form would send it back. */
const formOf = async (id: number): Promise<SiteChanges> => ({
  ...(await call(getSite, { params: { site_id: id } })),
  with_out_group: 'yes',
});
const makeImage = async (network: { id: number }, kind: 'image' | 'icon', name: string) => {
  await testApp.db
    .insert(images)
    .values({ network_id: network.id, kind, name, media_type: 'image/png', size: 1, width: 1, height: 1 });
  return name;
};

describe('§7.4 the sites of a network', () => {
  const list = (changes: Record<string, unknown> = {}) =>
    call(listSites, { params: { server_id: north.id, sso_server: 'northlab', lastid: 0, ...changes } });
  const domains = async (changes: Record<string, unknown> = {}) =>
    (await list(changes)).sites.map(({ domain }) => domain);
  beforeAll(async () => {
    for (const [domain, rest] of Object.entries({
      'a.list.org': { site_name: 'Alpha 100%' },
      'b.list.org': { site_mode: 'Closed', auth_options: ['google', 'github'] },
      'c.list.org': { status: 'Disable' },
      'd.list.org': { status: 'Disable', site_mode: 'Closed' },
      'e.list.org': {},
      'f.list.org': {},
      'g.list.org': {},
    } as const))
      await makeSite(testApp.db, { domain, ...rest } as object);
    await makeSite(testApp.db, { domain: 'x.list.org', network: 'southlab' });
  });

  test('are paged by domain, with the total and the mode of the network', async () => {
    const first = await list({ keyword: 'list.org' });
    expect(first.sites.map(({ domain }) => domain[0])).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(first).toMatchObject({ all_sites: 7, network_mode: 'AdminManaged' });
    expect(first.sites[1]).toMatchObject({ site_mode: 'Closed', status: 'Active', auth_options: 'google,github' });
    const second = await list({ keyword: 'list.org', lastid: first.sites.at(-1)?.id });
    expect(second.sites.map(({ domain }) => domain[0])).toEqual(['f', 'g']);
    expect(second.all_sites).toBe(7);
  });

  test('are filtered by status and mode, searched by domain and name, all at once', async () => {
    expect(await domains({ filter: 'Disable', keyword: 'list.org' })).toEqual(['c.list.org', 'd.list.org']);
    expect(await domains({ site_mode: 'Closed', keyword: 'list.org' })).toEqual(['b.list.org', 'd.list.org']);
    expect(await domains({ filter: 'Disable', site_mode: 'Closed', keyword: 'list' })).toEqual(['d.list.org']);
    expect(await domains({ keyword: 'ALPHA' })).toEqual(['a.list.org']);
    expect(await domains({ keyword: '0%' })).toEqual(['a.list.org']);
    expect(await domains({ keyword: 'a_list' })).toEqual([]);
  });

  test('answer a deleted or foreign cursor with 410', async () => {
    const site = await makeSite(testApp.db, { network: 'southlab' });
    await expect(list({ lastid: site.id })).rejects.toMatchObject({ status: 410 });
    await expect(list({ lastid: 999_999 })).rejects.toMatchObject({ status: 410 });
  });

  test('need an id and a name of the same network', async () => {
    await expect(list({ server_id: south.id })).rejects.toMatchObject({ status: 404 });
    await expect(list({ sso_server: 'southlab' })).rejects.toMatchObject({ status: 404 });
  });
});

describe('§7.4 a new site', () => {
  test('is registered, has its domain as name, and is audited', async () => {
    const made = await call(createSite, {
      params: inNorth(),
      body: draft('new.northlab.org', { update_url: 'https://new.northlab.org/mode' }),
    });
    expect(made).toMatchObject({ domain: 'new.northlab.org', sso_server: 'northlab', certificate: '' });
    expect(await stored(made.id)).toMatchObject({
      network_id: north.id,
      site_name: 'new.northlab.org',
      site_mode: 'Open',
      status: 'Active',
    });
    expect(await lastAudit()).toMatchObject({
      action: 'create',
      description: 'create site new.northlab.org',
      old_data: null,
      new_data: { acs: 'https://new.northlab.org/acs' },
    });
  });

  test('may be sent under the key data', async () => {
    const body = { data: draft('wrapped.northlab.org') } as never;
    expect(await call(createSite, { params: inNorth(), body })).toMatchObject({ domain: 'wrapped.northlab.org' });
  });

  test('signs its users in at once, and gets no further assertions after its removal', async () => {
    const { id } = await call(createSite, { params: inNorth(), body: draft('at-once.northlab.org') });
    const site = await stored(id);
    if (!site) throw new Error('The site was not found.');
    const provider = await ServiceProvider.of(testApp, site);
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await browser.get(await provider.signInUrl());
    expect(await provider.receive(await browser.submit(page, { email: user.email, password }))).toMatchObject({
      nameID: user.email,
    });
    await call(setSiteMode, { params: { site_id: id, mode: 'Closed' } });
    expect((await browser.get(await provider.signInUrl())).html).toContain('is closed');
    await call(setSiteMode, { params: { site_id: id, mode: 'Open' } });
    const begun = await testApp.browser().get(await provider.signInUrl());
    await call(removeSite, { params: { site_id: id, sso_server: 'northlab' } });
    const refused = await browser.get(await provider.signInUrl());
    expect(refused.form?.action).not.toBe(site.acs);
    expect(refused.html).toContain('This application is not registered');
    const late = await testApp.browser().submit(begun, { email: user.email, password });
    expect(late.form?.action).not.toBe(site.acs);
  });

  test.each([
    'https://taken.northlab.org/metadata',
    'https://taken.northlab.org/metadata/',
    'https://taken.northlab.org/metadata//',
    'HTTPS://TAKEN.northlab.org/Metadata',
    'https://taken.northlab.org:443/metadata',
    ' https://taken.northlab.org/metadata ',
  ])('with an identity that another network uses, spelled %j, is the same site', async (identity) => {
    await testApp.db
      .insert(sites)
      .values({
        ...draft('taken.northlab.org'),
        site_name: 'Taken',
        network_id: south.id,
      })
      .onConflictDoNothing();
    await expect(
      call(createSite, { params: inNorth(), body: draft('mine.northlab.org', { identity }) }),
    ).rejects.toMatchObject({ status: 409, code: 'site_exists', message: 'Same Site already exists' });
    await expect(
      call(createSite, {
        params: inNorth(),
        body: draft('mine.northlab.org', { acs: identity.trim().replace(/metadata/i, 'acs') }),
      }),
    ).rejects.toMatchObject({ code: 'site_exists' });
  });

  test('§7.4 a duplicate answers with `msg` too', async () => {
    const taken = await makeSite(testApp.db);
    const browser = await signInto(testApp.db, testApp.browser(), admin);
    const answer = await browser.fetch(`/server/sso/sites/new/${north.id}/northlab`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ data: draft('mine.northlab.org', { identity: taken.identity }) }),
    });
    const text = 'Same Site already exists';
    expect(answer.status).toBe(409);
    expect(await answer.json()).toEqual({ msg: text, message: text, error: text, code: 'site_exists' });
  });

  test('requested twenty times at once is created once', async () => {
    const body = draft('race.northlab.org');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => call(createSite, { params: inNorth(), body })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test.each([
    ['acs', 'javascript:alert(1)'],
    ['acs', 'http://plain.northlab.org/acs'],
    ['acs', 'https://user:secret@a.northlab.org/acs'],
    ['acs', 'https://a.northlab.org/acs#fragment'],
    ['acs', '//a.northlab.org/acs'],
    ['acs', 'data:text/html,x'],
    ['acs', 'https://*.northlab.org/acs'],
    ['acs', ''],
    ['sls', 'ftp://a.northlab.org/sls'],
    ['update_url', 'file:///etc/passwd'],
    ['metadata_url', 'file:///etc/passwd'],
    ['metadata_url', 'https://user@a.org/metadata'],
    ['update_url', 'http://169.254.169.254/latest'],
    ['identity', ''],
    ['identity', 'has a space'],
    ['domain', ''],
    ['domain', 'https://a.northlab.org'],
    ['domain', 'a.northlab.org/path'],
    ['certificate', 'not a certificate'],
    ['network_id', 7],
    ['kind', 'console'],
  ])('with %s %j is refused', async (field, value) => {
    const body = draft('refused.northlab.org', { [field]: value }) as never;
    await expect(call(createSite, { params: inNorth(), body })).rejects.toMatchObject({ status: 400 });
    expect(await testApp.db.$count(sites, eq(sites.domain, 'refused.northlab.org'))).toBe(0);
  });

  test('may use http on a loopback address', async () => {
    const acs = 'http://127.0.0.1:9000/acs';
    expect(await call(createSite, { params: inNorth(), body: draft('local.northlab.org', { acs }) })).toMatchObject({
      acs,
    });
  });
});

describe('§7.4 SSO parameters', () => {
  test('a new ACS URL is reported to the other owners by mail, with the old one; other changes are not', async () => {
    const other = await makeUser(testApp.db, { owns: ['northlab'] });
    const site = await makeSite(testApp.db, {
      domain: 'told.org',
      identity: 'https://told.org/m',
      acs: 'https://told.org/acs',
    });
    const save = (acs: string, sls: string) =>
      call(updateSubscriber, {
        params: { server_name: 'northlab' },
        body: { ...draft('told.org'), identity: 'https://told.org/m', id: site.id, sso_server: 'northlab', acs, sls },
      });
    expect(await mailsQueuedBy(testApp, () => save('https://told.org/acs', 'https://told.org/other-sls'))).toEqual([]);
    const mails = await mailsQueuedBy(testApp, () => save('https://told.org/?a=1&b=2', 'https://told.org/sls'));
    expect(mails.map(({ to }) => to)).toEqual([other.email]);
    expect(mails[0]).toMatchObject({ subject: 'The SSO ACS URL of told.org was changed' });
    expect(mails[0]?.text).toContain('are now sent to https://told.org/?a=1&b=2, no longer to https://told.org/acs.');
    expect(mails[0]?.html).toContain('https://told.org/?a=1&amp;b=2');
    expect(mails[0]?.text).toContain('http://localhost:8080/sso-servers/northlab/sites?search=told.org');
  });

  test('security parameters are changed only with a fresh sign-in', async () => {
    const { certificate } = await makeProviderKey();
    const further_acs = [{ index: 3, url: 'https://third.northlab.org/acs' }];
    const site = await makeSite(testApp.db, { certificate, signed_requests: true, further_acs });
    const owner = await makeUser(testApp.db, { owns: ['northlab'] });
    const before = new Date(Date.now() - 11 * 60_000);
    const late = testApp.as(await signInto(testApp.db, testApp.browser(), owner, before));
    const params = { server_name: 'northlab' };
    const read = await late(getSubscriber, { params: { site_id: site.id, ...params } });
    for (const change of [
      { acs: 'https://elsewhere.northlab.org/acs' },
      { sls: 'https://elsewhere.northlab.org/sls' },
      { update_url: 'https://elsewhere.northlab.org/mode' },
      { metadata_url: 'https://elsewhere.northlab.org/metadata' },
      { certificate: '', signed_requests: 'No' as const },
      { signed_requests: 'No' as const },
      { further_acs: [{ index: 1, url: 'https://elsewhere.northlab.org/acs' }] },
      { sls_binding: 'post' as const },
      { sls_response: 'https://elsewhere.northlab.org/sls' },
      { sls_soap: 'https://elsewhere.northlab.org/soap' },
      { signs: 'response' as const },
      { encrypts: 'Yes' as const, encryption_certificate: certificate },
    ])
      await expect(
        late(updateSubscriber, { params, body: { ...read, ...change } }),
        Object.keys(change).join(),
      ).rejects.toMatchObject({ status: 401, code: 'reauth_required' });
    expect(await stored(site.id)).toEqual(site);
    await late(updateSubscriber, { params, body: read });
    const { signs: _signs, encrypts: _encrypts, encryption_certificate: _certificate, ...older } = read;
    await late(updateSubscriber, { params, body: older });
  });

  test('further ACS URLs have indexes of their own, and owners are told of them', async () => {
    const site = await makeSite(testApp.db);
    const params = { server_name: 'northlab' };
    const read = await call(getSubscriber, { params: { site_id: site.id, ...params } });
    const further = { index: 1, url: 'https://second.northlab.org/acs' };
    const save = (change: object) => call(updateSubscriber, { params, body: { ...read, ...change } });
    await expect(save({ acs_index: 1, further_acs: [further] })).rejects.toMatchObject({ code: 'acs_index_repeated' });
    await expect(save({ further_acs: [{ index: 1, url: 'javascript:alert(1)' }] })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    const mails = await mailsQueuedBy(testApp, () => save({ acs_index: 0, further_acs: [further] }));
    expect(mails[0]?.text).toContain(further.url);
    expect(await stored(site.id)).toMatchObject({ acs_index: 0, further_acs: [further] });
  });

  test('the addresses of logout messages are stored, and stay if a client does not know them', async () => {
    const params = { server_name: 'northlab' };
    const logout = {
      sls_binding: 'post' as const,
      sls_response: 'https://out.northlab.org/response',
      sls_soap: 'https://out.northlab.org/soap',
    };
    const { id } = await call(createSite, { params: inNorth(), body: draft('out.northlab.org', logout) });
    const read = await call(getSubscriber, { params: { site_id: id, ...params } });
    expect(read).toMatchObject(logout);
    const { sls_binding: _binding, sls_response: _response, sls_soap: _soap, ...older } = read;
    await call(updateSubscriber, { params, body: older });
    expect(await stored(id)).toMatchObject(logout);
    const save = async (change: object) => {
      const { version: _version, ...current } = await call(getSubscriber, { params: { site_id: id, ...params } });
      await call(updateSubscriber, { params, body: { ...current, ...change } });
      return stored(id);
    };
    expect(await save({ sls_response: '', sls_soap: '' })).toMatchObject({ sls_response: null, sls_soap: null });
    expect(await save({ ...logout, sls_binding: 'soap' })).toMatchObject({ sls_response: null, sls_soap: null });
    expect(await save({ ...logout, sls: '' })).toMatchObject({
      sls: null,
      sls_binding: 'auto',
      sls_response: null,
      sls_soap: null,
    });
    for (const wrong of [{ sls_binding: 'artifact' }, { sls_response: 'javascript:alert(1)' }, { sls_soap: 'x' }])
      await expect(save(wrong)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test.each([
    { sls_soap: 'https://10.1.2.3/soap' },
    { sls_soap: 'http://localhost:9/soap' },
    { sls_binding: 'soap' as const, sls: 'https://127.0.0.1/soap' },
    { sls_binding: 'soap' as const, sls: 'http://127.0.0.1:9/soap' },
  ])('the server sends no logout messages into a private network: %j', async (change) => {
    const refused = { status: 400, code: 'back_channel_refused' };
    const adding = call(createSite, { params: inNorth(), body: draft('inside.northlab.org', change) });
    await expect(adding).rejects.toMatchObject(refused);
    const { id } = await makeSite(testApp.db);
    const params = { server_name: 'northlab' };
    const read = await call(getSubscriber, { params: { site_id: id, ...params } });
    await expect(call(updateSubscriber, { params, body: { ...read, ...change } })).rejects.toMatchObject(refused);
  });

  test('a site whose SLS URL was only for browsers needs a public one for SOAP', async () => {
    const { id } = await makeSite(testApp.db, { sls: 'https://10.1.2.3/sls' });
    const params = { server_name: 'northlab' };
    const read = await call(getSubscriber, { params: { site_id: id, ...params } });
    await call(updateSubscriber, { params, body: { ...read, sls_binding: 'redirect' } });
    const { version: _version, ...held } = read;
    await expect(call(updateSubscriber, { params, body: { ...held, sls_binding: 'soap' } })).rejects.toMatchObject({
      code: 'back_channel_refused',
    });
  });

  test('a site without single logout has no SLS URL', async () => {
    const { id } = await call(createSite, { params: inNorth(), body: draft('silent.northlab.org', { sls: '' }) });
    expect(await stored(id)).toMatchObject({ sls: null });
    const read = await call(getSubscriber, { params: { site_id: id, server_name: 'northlab' } });
    expect(read.sls).toBe('');
  });

  test('signed requests and encrypted assertions need a certificate that can be used', async () => {
    const site = await makeSite(testApp.db);
    const { certificate } = await makeProviderKey();
    const params = { server_name: 'northlab' };
    const { signed_requests: _signed, ...read } = await call(getSubscriber, {
      params: { site_id: site.id, ...params },
    });
    const save = (change: object) => call(updateSubscriber, { params, body: { ...read, ...change } });
    await expect(save({ signed_requests: 'Yes' })).rejects.toMatchObject({
      status: 400,
      code: 'signature_unverifiable',
    });
    for (const encryption_certificate of ['', ecCertificate, `${certificate}\n\n${certificate.slice(0, -4)}AAAA`])
      await expect(save({ encrypts: 'Yes', encryption_certificate })).rejects.toMatchObject({
        status: 400,
        code: 'encryption_impossible',
      });
    expect(await stored(site.id)).toEqual(site);
    expect(await save({ certificate: ecCertificate })).toMatchObject({
      certificate: ecCertificate,
      signed_requests: 'Yes',
    });
    expect(await save({ signs: 'assertion', encrypts: 'Yes', encryption_certificate: certificate })).toMatchObject({
      certificate: '',
      signed_requests: 'No',
      signs: 'assertion',
      encrypts: 'Yes',
      encryption_certificate: certificate,
    });
    expect(await save({ encrypts: undefined, signs: undefined })).toMatchObject({
      signs: 'assertion',
      encrypts: 'Yes',
    });
  });

  test('are read and changed; identity and domain stay the same', async () => {
    const site = await makeSite(testApp.db);
    const read = await call(getSubscriber, { params: { site_id: site.id, server_name: 'northlab' } });
    expect(read).toMatchObject({ id: site.id, identity: site.identity, acs: site.acs, sso_server: 'northlab' });
    const body = { ...read, sls: 'https://elsewhere.northlab.org/sls' };
    expect(await call(updateSubscriber, { params: { server_name: 'northlab' }, body })).toMatchObject({
      sls: 'https://elsewhere.northlab.org/sls',
    });
    expect(await lastAudit()).toMatchObject({
      action: 'update',
      old_data: { sls: site.sls },
      new_data: { sls: 'https://elsewhere.northlab.org/sls' },
    });
    for (const change of [{ identity: 'https://other.org' }, { domain: 'other.org' }]) {
      await expect(
        call(updateSubscriber, { params: { server_name: 'northlab' }, body: { ...body, ...change } }),
      ).rejects.toMatchObject({ status: 400, code: 'site_fixed' });
    }
    const other = await makeSite(testApp.db);
    await expect(
      call(updateSubscriber, { params: { server_name: 'northlab' }, body: { ...body, acs: other.acs } }),
    ).rejects.toMatchObject({ code: 'site_exists' });
  });
});

describe('§2.6 Mode Update URL', () => {
  test.each([
    'https://127.0.0.1/mode',
    'https://10.1.2.3/mode',
    'https://192.168.1.5:8443/mode',
    'https://[::1]/mode',
    'https://[fd00::1]/mode',
    'https://2130706433/mode',
    'https://169.254.169.254/latest',
    'https://localhost/mode',
    'http://localhost:8080/mode',
    'http://127.0.0.1/mode',
  ])('%s is refused as delivery would refuse it, for a new site and for one that is changed', async (update_url) => {
    const refused = { status: 400, code: 'update_url_refused', message: expect.stringMatching(/^Mode Update URL: /) };
    await expect(
      call(createSite, { params: inNorth(), body: draft('told.northlab.org', { update_url }) }),
    ).rejects.toMatchObject(refused);
    const { id } = await makeSite(testApp.db);
    const held = await call(getSubscriber, { params: { site_id: id, server_name: 'northlab' } });
    await expect(
      call(updateSubscriber, { params: { server_name: 'northlab' }, body: { ...held, update_url } }),
    ).rejects.toMatchObject(refused);
    expect(await stored(id)).toMatchObject({ update_url: null });
  });

  test('an address of the metadata is stored in its normal form, kept by clients without it, and cleared', async () => {
    const body = draft('read.northlab.org', { metadata_url: 'HTTPS://Read.northlab.invalid:443/a b' });
    const made = await call(createSite, { params: inNorth(), body });
    expect(made.metadata_url).toBe('https://read.northlab.invalid/a%20b');
    const save = (changes: object) =>
      call(updateSubscriber, {
        params: { server_name: 'northlab' },
        body: { ...draft('read.northlab.org'), id: made.id, ...changes },
      });
    expect((await save({})).metadata_url).toBe('https://read.northlab.invalid/a%20b');
    const refused = {
      status: 400,
      code: 'metadata_url_refused',
      message: expect.stringMatching(/^Metadata URL: /),
    };
    await expect(save({ metadata_url: 'https://10.1.2.3/metadata' })).rejects.toMatchObject(refused);
    expect((await save({ metadata_url: '' })).metadata_url).toBe('');
    expect(await stored(made.id)).toMatchObject({ metadata_url: null });
  });

  test('a URL that was allowed when it was saved does not block other changes', async () => {
    const { id } = await makeSite(testApp.db, { update_url: 'https://10.1.2.3/mode' });
    const held = await call(getSubscriber, { params: { site_id: id, server_name: 'northlab' } });
    const sls = 'https://reports.northlab.org/out';
    await call(updateSubscriber, { params: { server_name: 'northlab' }, body: { ...held, sls } });
    expect(await stored(id)).toMatchObject({ sls, update_url: 'https://10.1.2.3/mode' });
  });

  test('an unknown host name may be saved: the site may not exist yet', async () => {
    const update_url = 'https://not-there-yet.invalid/mode';
    const made = await call(createSite, { params: inNorth(), body: draft('later.northlab.org', { update_url }) });
    expect(made).toMatchObject({ update_url });
  });
});

describe('§7.4 site details', () => {
  test('are changed as a whole; the groups stay unchanged', async () => {
    const group = await makeGroup(testApp.db);
    const site = await makeSite(testApp.db, { groups: [group.id] });
    const form = await formOf(site.id);
    const changed = await call(updateSite, {
      params: { siteId: site.id },
      body: {
        ...form,
        site_name: 'Reports & more',
        login_url: 'https://reports.northlab.org/login',
        domain_level_settings: 'no',
        terms_of_use: 'https://northlab.org/terms',
        privacy_statement: 'https://northlab.org/privacy',
        help_email: 'Help@NorthLab.org',
        auth_options: ['google', 'azure'],
        custom_auth_options: 'keycloak , okta',
        email_login: false,
        icon_color: '#0F766E',
        groups: [],
      },
    });
    expect(changed).toMatchObject({
      name: 'Reports & more',
      help_email: 'help@northlab.org',
      auth_options: ['google', 'azure'],
      custom_auth_options: 'keycloak, okta',
      email_login: false,
      icon_color: '#0F766E',
    });
    expect(await call(getSite, { params: { site_id: site.id } })).toEqual(changed);
    const { rows } = await testApp.db.execute(`select * from group_sites where site_id = ${site.id}`);
    expect(rows).toHaveLength(1);
  });

  test.each([
    ['site_name', '  ', 'Site name is required'],
    ['terms_of_use', '', 'This filed is required'],
    ['privacy_statement', '', 'This filed is required'],
    ['help_email', '', 'This field is required'],
    ['login_url', 'javascript:alert(1)', 'https'],
    ['terms_of_use', 'javascript:alert(1)', 'https'],
    ['help_email', 'nobody', 'This field must be a valid email'],
    ['icon_color', 'red;background:url(//evil)', '#rrggbb'],
    ['auth_options', ['facebook', 'myspace'], ''],
    ['custom_auth_options', '<script>', 'commas'],
    ['icon', '<img src=x onerror=alert(1)>', 'SVG'],
    ['site_mode', 'Ajar', ''],
    ['sso_server', 'southlab', ''],
    ['network_id', 9, ''],
    ['identity', 'https://other.org', 'cannot be changed'],
    ['domain', 'other.org', 'cannot be changed'],
    ['id', 999_999, 'cannot be changed'],
    ['with_out_group', 'no', ''],
    ['logo', 'https://evil.example/x.png', 'image'],
    ['background', '../../etc/passwd', 'image'],
  ])('§5 refuse %s %j', async (field, value, said) => {
    const site = await makeSite(testApp.db);
    const form = { ...(await formOf(site.id)), ...filled, [field]: value } as never;
    await expect(call(updateSite, { params: { siteId: site.id }, body: form })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(said) as unknown,
    });
    expect(await stored(site.id)).toEqual(site);
  });
  const filled = {
    domain_level_settings: 'no',
    terms_of_use: 'https://northlab.org/terms',
    privacy_statement: 'https://northlab.org/privacy',
    help_email: 'help@northlab.org',
  } as const;

  test('§2.7 may be sent whole, with id, domain, identity and groups; another identity is refused', async () => {
    const groups = [await makeGroup(testApp.db), await makeGroup(testApp.db)];
    const site = await makeSite(testApp.db, { groups: groups.map(({ id }) => id) });
    const { id, domain, identity } = site;
    const body = { ...(await formOf(id)), id, domain, identity };
    // One group was removed, and sending it along does not restore it: other calls change groups.
    await testApp.db.delete(groupSites).where(eq(groupSites.group_id, groups[0]?.id ?? 0));
    const sent = groups.map(({ id: group, name }) => ({ id: group, name }));
    await call(updateSite, { params: { siteId: id }, body: { ...body, groups: sent } });
    expect(await testApp.db.select().from(groupSites).where(eq(groupSites.site_id, id))).toMatchObject([
      { group_id: groups[1]?.id },
    ]);
    for (const change of [
      { identity: 'https://other.example/metadata' },
      { domain: 'other.example' },
      { id: id + 1 },
      { protocol: 'oidc' as const },
    ])
      await expect(call(updateSite, { params: { siteId: id }, body: { ...body, ...change } })).rejects.toMatchObject({
        code: 'site_fixed',
      });
  });

  test('refuse a foreign group as if it did not exist', async () => {
    const site = await makeSite(testApp.db);
    const group = await makeGroup(testApp.db, { network: 'southlab' });
    const body = { ...(await formOf(site.id)), groups: [{ id: group.id }] };
    await expect(call(updateSite, { params: { siteId: site.id }, body })).rejects.toMatchObject({ status: 404 });
  });
});

describe("§7.4 a site's look", () => {
  test('accepts pictures of its own network and of the right library', async () => {
    const site = await makeSite(testApp.db);
    const logo = await makeImage(north, 'image', 'north-logo.png');
    const picture = await makeImage(north, 'icon', 'north-icon.png');
    const strange = await makeImage(south, 'image', 'south-logo.png');
    expect(await call(updateSiteImage, { body: { id: site.id, logo } })).toMatchObject({ logo });
    expect(await call(updateSiteImage, { body: { id: site.id, background: logo } })).toMatchObject({
      logo,
      background: logo,
    });
    expect(await call(updateSiteImage, { body: { id: site.id, icon_bg: picture } })).toMatchObject({
      icon_bg: picture,
    });
    for (const body of [
      { id: site.id, logo: strange },
      { id: site.id, logo: picture },
      { id: site.id, icon_bg: logo },
      { id: site.id, background: 'https://evil.example/x.png' },
    ]) {
      await expect(call(updateSiteImage, { body })).rejects.toMatchObject({
        status: 400,
        code: 'image_unknown',
      });
    }
  });

  test('never names a deleted image, however often one is deleted at the same moment', async () => {
    const race = async (round: number) => {
      const logo = await makeImage(north, 'image', `raced-${round}.png`);
      // Every other site already shows it, and is saved unchanged.
      const site = await makeSite(testApp.db, round % 2 ? { logo } : {});
      const [saved, removed] = await Promise.allSettled([
        round % 2
          ? call(updateSite, { params: { siteId: site.id }, body: await formOf(site.id) })
          : call(updateSiteImage, { body: { id: site.id, logo } }),
        call(removeImage, { params: { name: logo }, query: { force: 'true' } }),
      ]);
      expect(removed).toMatchObject({ status: 'fulfilled' });
      expect(['image_unknown', undefined]).toContain(saved.status === 'rejected' ? saved.reason.code : undefined);
      expect(await stored(site.id)).toMatchObject({ logo: null });
    };
    for (let round = 0; round < 200; round += 10)
      await Promise.all(Array.from({ length: 10 }, (_, place) => race(round + place)));
  });

  test('accepts an icon only as plain SVG', async () => {
    const site = await makeSite(testApp.db);
    const icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4" onload="alert(1)"><path d="M0 0h4"/></svg>';
    const { icon: kept } = await call(updateSiteImage, { body: { id: site.id, icon } });
    expect(kept).toContain('M0 0h4');
    expect(kept).not.toContain('onload');
    await expect(call(updateSiteImage, { body: { id: site.id, icon: '<p>hello</p>' } })).rejects.toMatchObject({
      code: 'icon_refused',
    });
  });

  test.each([
    ['remove_icon', 'icon'],
    ['remove_logo', 'logo'],
    ['remove_icon_bg', 'icon_bg'],
    ['remove_bg', 'background'],
  ] as const)('%s clears %s, only in same-origin requests', async (kind, field) => {
    const site = await makeSite(testApp.db, { icon: '<svg/>', logo: 'a', icon_bg: 'b', background: 'c' });
    const owner = await signInto(testApp.db, testApp.browser(), await makeUser(testApp.db, { owns: ['northlab'] }));
    const path = `/server/sso/remove_site_logo_bg/${site.id}/${kind}`;
    const strange = await owner.fetch(path, {}, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' });
    expect(strange.status).toBe(403);
    expect(await stored(site.id)).toEqual(site);
    expect(await call(removeSiteImage, { params: { siteId: site.id, kind } })).toMatchObject({ [field]: '' });
    expect(await stored(site.id)).toEqual({ ...site, version: site.version + 1, [field]: null });
  });
});

describe("another network's owner", () => {
  test('finds and changes nothing, by id, in a path or in a body', async () => {
    const site = await makeSite(testApp.db);
    const own = await makeSite(testApp.db, { network: 'southlab' });
    const body = await formOf(site.id);
    const parameters = { ...draft(site.domain), id: site.id };
    const southlab = { server_name: 'southlab' };
    const unknown = await foreign(getSite, { params: { site_id: 999_999 } }).catch((error: unknown) => error);
    const tries = [
      () => foreign(getSite, { params: { site_id: site.id } }),
      () => foreign(updateSite, { params: { siteId: site.id }, body }),
      () => foreign(getSubscriber, { params: { site_id: site.id, server_name: 'southlab' } }),
      () => foreign(getSubscriber, { params: { site_id: site.id, server_name: 'northlab' } }),
      () => foreign(updateSubscriber, { params: southlab, body: parameters }),
      () => foreign(updateSubscriber, { params: southlab, body: { ...parameters, sso_server: 'northlab' } }),
      () =>
        foreign(updateSubscriber, {
          params: southlab,
          body: { ...draft(own.domain), id: own.id, sso_server: 'northlab' },
        }),
      () => foreign(setSiteMode, { params: { site_id: site.id, mode: 'Closed' } }),
      () => foreign(removeSite, { params: { site_id: site.id, sso_server: 'southlab' } }),
      () => foreign(removeSite, { params: { site_id: site.id, sso_server: 'northlab' } }),
      () => foreign(removeSite, { params: { site_id: own.id, sso_server: 'northlab' } }),
      () => foreign(updateSiteImage, { body: { id: site.id, logo: 'x' } }),
      () => foreign(removeSiteImage, { params: { siteId: site.id, kind: 'remove_logo' } }),
      () => foreign(createSite, { params: { server_id: north.id, server_name: 'southlab' }, body: draft('x.org') }),
      () => foreign(createSite, { params: { server_id: south.id, server_name: 'northlab' }, body: draft('x.org') }),
      () =>
        foreign(createSite, {
          params: { server_id: south.id, server_name: 'southlab' },
          body: draft('x.org', { sso_server: 'northlab' }),
        }),
    ];
    for (const attempt of tries) {
      const refused = await attempt().catch((error: unknown) => error);
      expect(refused).toMatchObject({ status: 404, message: (unknown as Error).message });
    }
    expect(await stored(site.id)).toEqual(site);
    expect(await stored(own.id)).toEqual(own);
    expect(await testApp.db.$count(sites, eq(sites.domain, 'x.org'))).toBe(0);
  });

  test('nobody administers the console as a site', async () => {
    const main = await as(await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] }));
    const [console] = await testApp.db.select().from(sites).where(eq(sites.kind, 'console'));
    const id = console?.id ?? 0;
    await expect(main(getSite, { params: { site_id: id } })).rejects.toMatchObject({ status: 404 });
    await expect(main(removeSite, { params: { site_id: id, sso_server: 'opensocial' } })).rejects.toMatchObject({
      status: 404,
    });
  });
});
