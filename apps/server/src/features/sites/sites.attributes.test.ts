import {
  type Attribute,
  attributeFrom,
  createSite,
  getSiteAttributes,
  previewSiteAttributes,
  readSiteMetadata,
  type SiteRelease,
  updateSiteAttributes,
} from '@opensocial/contract';
import { nameIdFormats, readPost } from '@opensocial/saml';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditRecords, sites, type users } from '../../database/schema.ts';
import { makeGroup, makeSite, makeUser, networkNamed, password, signInto } from '../../testing/app/builders.ts';
import { ServiceProvider } from '../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
let call: ReturnType<TestApp['as']>;
let foreign: ReturnType<TestApp['as']>;
let site: typeof sites.$inferSelect;
const as = async (user: typeof users.$inferSelect, authenticatedAt = new Date()) =>
  testApp.as(await signInto(testApp.db, testApp.browser(), user, authenticatedAt));
beforeAll(async () => {
  testApp = await buildTestApp();
  call = await as(await makeUser(testApp.db, { owns: ['northlab'] }));
  foreign = await as(await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] }));
});
beforeEach(async () => {
  site = await makeSite(testApp.db);
});

const constant = (name: string, ...values: string[]): Attribute => ({
  name,
  friendly_name: '',
  name_format: 'basic',
  source: 'constant',
  values,
});
const release: SiteRelease = {
  name_id_format: 'unspecified',
  name_id_source: 'uid',
  attributes: [attributeFrom('email', 'mail', 'uri', 'mail'), constant('role', 'reader', 'writer')],
  attribute_index: 0,
  further_attributes: [{ index: 4, attributes: [attributeFrom('fullname', 'cn', 'basic')] }],
};
const at = (id: number) => ({ params: { site_id: id } });

describe('§7.4 the release of a site', () => {
  test('is the default one at first, and answered as it was saved', async () => {
    expect(await call(getSiteAttributes, at(site.id))).toEqual({
      name_id_format: 'requested',
      name_id_source: 'email',
      attributes: null,
      attribute_index: null,
      further_attributes: [],
      version: expect.any(Number),
    });
    const saved = await call(updateSiteAttributes, { ...at(site.id), body: release });
    expect(saved).toEqual({ ...release, version: expect.any(Number) });
    expect(await call(getSiteAttributes, at(site.id))).toEqual(saved);
  });

  test('is audited with the former and the new values', async () => {
    await call(updateSiteAttributes, { ...at(site.id), body: release });
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({
      description: `update site ${site.domain}`,
      old_data: { name_id_format: 'requested', attributes: null },
      new_data: { name_id_format: 'unspecified', attributes: release.attributes },
    });
  });

  test('is changed only with a fresh sign-in; an unchanged one is saved without', async () => {
    const old = new Date(Date.now() - 11 * 60_000);
    const stale = await as(await makeUser(testApp.db, { owns: ['northlab'] }), old);
    await expect(stale(updateSiteAttributes, { ...at(site.id), body: release })).rejects.toMatchObject({
      code: 'reauth_required',
    });
    await call(updateSiteAttributes, { ...at(site.id), body: release });
    expect(await stale(updateSiteAttributes, { ...at(site.id), body: release })).toMatchObject(release);
  });

  test('of two people who edit it at the same time is a conflict', async () => {
    const { version } = await call(getSiteAttributes, at(site.id));
    await call(updateSiteAttributes, { ...at(site.id), body: { ...release, based_on: version } });
    const mine = { ...release, attributes: [], based_on: version };
    await expect(call(updateSiteAttributes, { ...at(site.id), body: mine })).rejects.toMatchObject({
      code: 'changed_meanwhile',
    });
  });

  test('of the console and of a site of another network does not exist', async () => {
    const [console] = await testApp.db.select().from(sites).where(eq(sites.kind, 'console'));
    const mainOwner = await as(await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] }));
    const user = await makeUser(testApp.db, { network: 'opensocial' });
    for (const [caller, id] of [
      [mainOwner, console?.id ?? 0],
      [foreign, site.id],
    ] as const) {
      const preview = { ...release, user_id: user.id, index: null };
      await expect(caller(getSiteAttributes, at(id))).rejects.toMatchObject({ code: 'not_found' });
      const saving = caller(updateSiteAttributes, { ...at(id), body: release });
      await expect(saving).rejects.toMatchObject({ code: 'not_found' });
      const previewing = caller(previewSiteAttributes, { ...at(id), body: preview });
      await expect(previewing).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(
      testApp.db.update(sites).set({ attributes: [] }).where(eq(sites.kind, 'console')),
    ).rejects.toBeDefined();
  });

  test('of a new site may be given with it', async () => {
    const { id } = await networkNamed(testApp.db, 'northlab');
    const domain = `new-${site.id}.northlab.org`;
    const addresses = { identity: `https://${domain}/sp`, acs: `https://${domain}/acs`, sls: '', domain };
    const params = { server_id: id, server_name: 'northlab' };
    const made = await call(createSite, { params, body: { ...addresses, release } });
    expect(await call(getSiteAttributes, at(made.id))).toMatchObject(release);
  });
});

describe('§7.4 the preview of an assertion', () => {
  const preview = (
    user: { id: number },
    changes: Partial<SiteRelease> & { index?: number | null } = {},
    caller = call,
  ) =>
    caller(previewSiteAttributes, {
      ...at(site.id),
      body: { ...release, index: null, ...changes, user_id: user.id },
    });

  test.each([
    ['the default release', { name_id_format: 'requested', name_id_source: 'email', attributes: null }],
    ['a list', { name_id_format: 'persistent', name_id_source: 'email' }],
    ['no attributes', { name_id_format: 'emailAddress', name_id_source: 'uid', attributes: [] }],
  ] as const)('equals what a sign-on sends, except ids and times: %s', async (_, changes) => {
    const body = { ...release, ...changes } as SiteRelease;
    const user = await makeUser(testApp.db, { lastname: 'Núñez & <Co>' });
    await makeGroup(testApp.db, { users: [user.id], sites: [site.id] });
    const shown = await preview(user, body);
    expect((await call(getSiteAttributes, at(site.id))).attributes).toBeNull();
    await call(updateSiteAttributes, { ...at(site.id), body });
    const provider = await ServiceProvider.of(testApp, site, { identifierFormat: null });
    const browser = testApp.browser();
    const page = await browser.submit(await browser.get(`/saml/northlab/start/${site.id}`), {
      email: user.email,
      password,
    });
    const profile = await provider.receive(page);
    expect(shown).toMatchObject({
      refusal: null,
      assertion: { name_id: { value: profile.nameID, format: profile.nameIDFormat } },
    });
    const sent = /<saml:Assertion.*<\/saml:Assertion>/s.exec(readPost(page.form?.fields ?? {}).xml)?.[0] ?? '';
    const comparable = (xml: string) =>
      xml
        .replace(/<ds:Signature .*<\/ds:Signature>/s, '')
        .replace(/ xmlns:\w+="[^"]*"/g, '')
        .replace(/ (?:ID|SessionIndex)="[^"]*"/g, '')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'instant');
    expect(comparable(shown.assertion?.xml ?? '')).toBe(comparable(sent));
  });

  test('is no assertion: it has no signature, and has expired', async () => {
    const { assertion } = await preview(await makeUser(testApp.db));
    const xml = assertion?.xml ?? '';
    expect(xml).not.toContain('Signature');
    for (const [, instant = ''] of xml.matchAll(/(?:IssueInstant|NotOnOrAfter|NotBefore|AuthnInstant)="([^"]*)"/g))
      expect(Date.parse(instant)).toBeLessThan(Date.parse('1970-02-01'));
    const provider = await ServiceProvider.of(testApp, site);
    const response = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" Version="2.0" IssueInstant="${new Date().toISOString()}"><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${xml}</samlp:Response>`;
    const SAMLResponse = Buffer.from(response).toString('base64');
    await expect(provider.saml.validatePostResponseAsync({ SAMLResponse })).rejects.toThrow();
  });

  test('shows a list by its index, and a transient NameID as an example', async () => {
    const user = await makeUser(testApp.db);
    const { assertion } = await preview(user, { index: 4, name_id_format: 'transient', name_id_source: 'email' });
    expect(assertion?.attributes).toEqual([
      { name: 'cn', friendly_name: '', name_format: 'basic', values: ['Ana Moreno'] },
    ]);
    expect(assertion?.name_id).toEqual({ value: expect.stringMatching(/^_/), format: nameIdFormats.transient });
    expect((await preview(user, { index: 9 })).refusal).toContain('no list of attributes');
  });

  test('says why a person could not sign in', async () => {
    const disabled = await makeUser(testApp.db, { user_mode: 'Disable' });
    expect(await preview(disabled)).toEqual({ refusal: 'account disabled', assertion: null });
    await makeGroup(testApp.db, { sites: [site.id] });
    expect(await preview(await makeUser(testApp.db))).toEqual({
      refusal: 'not in a group of the site',
      assertion: null,
    });
  });

  test('is not made of people of other networks, nor for their owners', async () => {
    const stranger = await makeUser(testApp.db, { network: 'southlab' });
    await expect(preview(stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(preview(stranger, {}, foreign)).rejects.toMatchObject({ code: 'not_found' });
    await expect(preview({ id: 2_000_000_000 })).rejects.toMatchObject({ code: 'not_found' });
    const member = await as(await makeUser(testApp.db));
    await expect(preview(await makeUser(testApp.db), {}, member)).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('of values that could not be saved is refused', async () => {
    const user = await makeUser(testApp.db);
    await expect(preview(user, { attributes: [constant('mail', 'root@northlab.org')] })).rejects.toMatchObject({
      status: 400,
    });
  });
});

describe('§7.4 metadata that asks for attributes', () => {
  const service = (index: number, attributes: string) =>
    `<AttributeConsumingService index="${index}"><ServiceName xml:lang="en">x</ServiceName>${attributes}</AttributeConsumingService>`;
  const requested = (name: string, rest = '') => `<RequestedAttribute Name="${name}" ${rest}/>`;
  const uri = 'NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri"';
  const read = async (services: string) => {
    const xml = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://a.org/sp"><SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://a.org/acs" index="0"/>${services}</SPSSODescriptor></EntityDescriptor>`;
    const answer = await call(readSiteMetadata, { params: { server_name: 'northlab' }, body: { xml } });
    if (!('release' in answer)) throw new Error('There are several service providers.');
    return answer;
  };

  test('proposes what we have, by list, and warns of required ones that we lack', async () => {
    const { release: proposed, warnings } = await read(
      service(
        1,
        requested('urn:oid:0.9.2342.19200300.100.1.3', `FriendlyName="mail" isRequired="true" ${uri}`) +
          requested(
            'urn:oid:1.3.6.1.4.1.5923.1.1.1.9',
            `FriendlyName="eduPersonScopedAffiliation" isRequired="true" ${uri}`,
          ) +
          requested('urn:oid:1.3.6.1.4.1.5923.1.1.1.7', `FriendlyName="eduPersonEntitlement" ${uri}`),
      ) + service(2, requested('firstName') + requested('firstName')),
    );
    expect(proposed).toEqual({
      name_id_format: 'requested',
      name_id_source: 'email',
      attributes: [attributeFrom('email', 'urn:oid:0.9.2342.19200300.100.1.3', 'uri', 'mail')],
      attribute_index: 1,
      further_attributes: [{ index: 2, attributes: [attributeFrom('firstname', 'firstName', 'unspecified')] }],
    });
    expect(warnings).toEqual([expect.stringContaining('not known here: eduPersonScopedAffiliation.')]);
  });

  test('proposes nothing if it asks for nothing that we have, or for too much', async () => {
    expect(await read('')).toMatchObject({ release: null, warnings: [] });
    expect(await read(service(1, requested('department')))).toMatchObject({ release: null, warnings: [] });
    const many = Array.from({ length: 11 }, (_, index) => service(index, requested('mail'))).join('');
    expect(await read(many)).toMatchObject({ release: null, warnings: [expect.stringContaining('more attributes')] });
    expect((await read(service(1, requested('mail')) + service(1, requested('sn')))).release).toMatchObject({
      further_attributes: [],
    });
  });
});
