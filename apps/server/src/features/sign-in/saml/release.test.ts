import { deflateRawSync } from 'node:zlib';
import { type Attribute, attributeFrom } from '@opensocial/contract';
import { buildAuthnRequest, nameIdFormats, newSamlId, readPost, readRedirect } from '@opensocial/saml';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildApp } from '../../../app.ts';
import { sites, throttles, type users } from '../../../database/schema.ts';
import { Browser, type Page } from '../../../testing/app/browser.ts';
import { makeGroup, makeSite, makeUser, password } from '../../../testing/app/builders.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';

let testApp: TestApp;
let site: typeof sites.$inferSelect;
let provider: ServiceProvider;
let user: typeof users.$inferSelect;
let browser: Browser;
beforeAll(async () => {
  testApp = await buildTestApp();
});
/** A person with a session at the site, which is therefore cached. */
beforeEach(async () => {
  // All browsers of this file share one address.
  await testApp.db.delete(throttles);
  site = await makeSite(testApp.db);
  // Without a format, so that the request has no NameIDPolicy.
  provider = await ServiceProvider.of(testApp, site, { identifierFormat: null });
  user = await makeUser(testApp.db, { firstname: 'Ana', lastname: 'Núñez & <Co>' });
  browser = testApp.browser();
  await browser.submit(await browser.get(await provider.signInUrl()), { email: user.email, password });
});

const change = (changes: Partial<typeof sites.$inferInsert>) =>
  testApp.db.update(sites).set(changes).where(eq(sites.id, site.id));
const enter = async () => provider.receive(await browser.get(await provider.signInUrl()));

/** The URL of an unsigned request with changes of its XML. */
const requestUrl = (changeXml = (xml: string) => xml, nameIdFormat?: string): string => {
  const location = `${testOrigin}/saml/northlab/sso`;
  const draft = { id: newSamlId(), issuer: site.identity, destination: location, acsUrl: site.acs, nameIdFormat };
  const xml = changeXml(buildAuthnRequest({ ...draft, issueInstant: new Date() }));
  return `${location}?SAMLRequest=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`;
};
const xmlOf = (page: Page): string => readPost(page.form?.fields ?? {}).xml;
const statusOf = (page: Page): string =>
  [...xmlOf(page).matchAll(/StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:(\w+)"/g)]
    .map(([, code]) => code)
    .join(' ');
const statusFor = async (url: string) => statusOf(await browser.get(url));

const constant = (name: string, ...values: string[]): Attribute => ({
  name,
  friendly_name: '',
  name_format: 'basic',
  source: 'constant',
  values,
});

describe('§11 the attributes of a site', () => {
  test('are those of its list, in its order, with their names, formats and values', async () => {
    for (const name of ['aws-admin', 'aws-reader', 'Portal'])
      await makeGroup(testApp.db, { name: `${name} ${user.id}`, users: [user.id], sites: [site.id] });
    const groups = attributeFrom('groups', 'groups', 'unspecified');
    await change({
      attributes: [
        attributeFrom('email', 'urn:oid:0.9.2342.19200300.100.1.3', 'uri', 'mail'),
        attributeFrom('lastname', 'sn', 'unspecified'),
        attributeFrom('fullname', 'cn & <more>', 'basic'),
        attributeFrom('uid', 'id', 'basic'),
        attributeFrom('network', 'tenant', 'basic'),
        attributeFrom('persistent_id', 'pairwise', 'basic'),
        groups,
        { ...attributeFrom('groups', 'roles', 'basic'), source: 'groups', prefix: 'aws-', separator: '' },
        { ...attributeFrom('groups', 'joined', 'basic'), source: 'groups', prefix: 'aws-', separator: ';' },
        { ...attributeFrom('groups', 'none', 'basic'), source: 'groups', prefix: 'gcp-', separator: ';' },
        constant('colour', 'blue "&" <green>', 'red'),
      ],
    });
    const page = await browser.get(await provider.signInUrl());
    const { attributes } = await provider.receive(page);
    const roles = [`aws-admin ${user.id}`, `aws-reader ${user.id}`];
    expect(attributes).toEqual({
      'urn:oid:0.9.2342.19200300.100.1.3': user.email,
      sn: 'Núñez & <Co>',
      'cn & <more>': 'Ana Núñez & <Co>',
      id: user.uid,
      tenant: 'northlab',
      pairwise: testApp.parts.persistentNames(user, site),
      groups: expect.arrayContaining([...roles, `Portal ${user.id}`]),
      roles,
      joined: roles.join(';'),
      colour: ['blue "&" <green>', 'red'],
    });
    const format = 'urn:oasis:names:tc:SAML:2.0:attrname-format';
    expect(xmlOf(page)).toContain(
      `<saml:Attribute FriendlyName="mail" Name="urn:oid:0.9.2342.19200300.100.1.3" NameFormat="${format}:uri">`,
    );
    expect(xmlOf(page)).toContain(`<saml:Attribute Name="sn" NameFormat="${format}:unspecified">`);
    expect(xmlOf(page).indexOf('Name="sn"')).toBeLessThan(xmlOf(page).indexOf('Name="id"'));
    expect(xmlOf(page)).not.toContain('Name="none"');
  });

  test('are the default set without a list, and none with an empty one', async () => {
    expect(await enter()).toMatchObject({ uid: user.uid, email: user.email, network: 'northlab' });
    await change({ attributes: [] });
    const page = await browser.get(await provider.signInUrl());
    expect(await provider.receive(page)).toMatchObject({ nameID: user.email });
    expect(xmlOf(page)).not.toContain('<saml:Attribute');
    await change({ attributes: null });
    expect(await enter()).toMatchObject({ uid: user.uid });
  });

  test('are those of the release at the end of a sign-in that began before a change', async () => {
    const other = testApp.browser();
    const page = await other.get(await provider.signInUrl());
    await change({ attributes: [], name_id_format: 'transient' });
    const entered = await other.submit(page, { email: user.email, password });
    expect(xmlOf(entered)).not.toContain(user.email);
    expect((await provider.receive(entered)).nameIDFormat).toBe(nameIdFormats.transient);
  });

  test('are the new ones at once on another server, which has cached the site', async () => {
    const server = await buildApp(testApp.parts);
    const other = new Browser(server);
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    const enterThere = async () => provider.receive(await other.get(await provider.signInUrl()));
    for (let turn = 0; turn < 2; turn += 1) expect(await enterThere()).toMatchObject({ uid: user.uid });
    await change({ attributes: [constant('only', 'this')] });
    const { attributes } = await enterThere();
    expect(attributes).toEqual({ only: 'this' });
    await server.close();
  });

  test('never include a group to which the site is not assigned, whatever its filter', async () => {
    await makeGroup(testApp.db, { name: `Payroll ${user.id}`, users: [user.id] });
    await change({
      attributes: [{ ...attributeFrom('groups', 'g', 'basic'), source: 'groups', prefix: 'Pay', separator: '' }],
    });
    expect(xmlOf(await browser.get(await provider.signInUrl()))).not.toContain('Payroll');
  });
});

describe('§11 an index of attributes', () => {
  const asking = (index: number) =>
    requestUrl((xml) => xml.replace(' ID=', ` AttributeConsumingServiceIndex="${index}" ID=`));
  const lists = {
    attributes: [constant('list', 'first')],
    attribute_index: 1,
    further_attributes: [{ index: 7, attributes: [constant('list', 'seventh')] }],
  };

  test('selects its list; without one, the first list is sent', async () => {
    await change(lists);
    expect(xmlOf(await browser.get(asking(7)))).toContain('>seventh<');
    expect(xmlOf(await browser.get(asking(1)))).toContain('>first<');
    expect(xmlOf(await browser.get(requestUrl()))).toContain('>first<');
    const other = testApp.browser();
    const entered = await other.submit(await other.get(asking(7)), { email: user.email, password });
    expect(xmlOf(entered)).toContain('>seventh<');
    expect(xmlOf(entered)).not.toContain('>first<');
  });

  test('that is unknown is answered with RequestUnsupported, also if it was removed during the sign-in', async () => {
    await change(lists);
    expect(await statusFor(asking(2))).toBe('Requester RequestUnsupported');
    const other = testApp.browser();
    const page = await other.get(asking(7));
    await change({ further_attributes: [] });
    expect(statusOf(await other.submit(page, { email: user.email, password }))).toBe('Requester RequestUnsupported');
  });

  test('is of no interest at a site without indexes', async () => {
    await change({ attributes: lists.attributes });
    expect(xmlOf(await browser.get(asking(3)))).toContain('>first<');
  });
});

describe('§11 the NameID of a site', () => {
  test.each([
    ['emailAddress', 'email', () => user.email],
    ['emailAddress', 'uid', () => user.uid],
    ['unspecified', 'email', () => user.email],
    ['unspecified', 'uid', () => user.uid],
    ['persistent', 'email', () => testApp.parts.persistentNames(user, site)],
    ['transient', 'email', () => expect.stringMatching(/^_[0-9a-f]{32}$/)],
  ] as const)('is always %s from %s, and the logout has the same', async (name_id_format, name_id_source, value) => {
    await change({ name_id_format, name_id_source });
    const profile = await enter();
    expect(profile).toMatchObject({ nameID: value(), nameIDFormat: nameIdFormats[name_id_format] });

    const frames = await browser.get('/server/saml/logout', { 'sec-fetch-site': 'same-origin' });
    const page = await browser.submit(frames);
    expect(page.url.startsWith(String(site.sls))).toBe(true);
    const { profile: loggedOut } = await provider.receiveLogout(page.url);
    expect(loggedOut).toMatchObject({ nameID: profile.nameID, nameIDFormat: profile.nameIDFormat });
    const isQualified = name_id_format === 'persistent' || name_id_format === 'transient';
    expect(readRedirect(new URL(page.url).search).xml.includes('NameQualifier')).toBe(isQualified);
  });

  test('is the fixed one from a tile too, and the logout of the site ends the session by it', async () => {
    await change({ name_id_format: 'unspecified', name_id_source: 'uid' });
    const profile = await provider.receive(await browser.get(`/saml/northlab/start/${site.id}`));
    expect(profile.nameID).toBe(user.uid);
    await browser.get(await provider.signOutUrl(profile));
    expect((await browser.get(await provider.signInUrl())).html).toContain('name="password"');
  });

  test('in another format than the fixed one is refused with InvalidNameIDPolicy', async () => {
    const { emailAddress, persistent, transient, unspecified } = nameIdFormats;
    const statuses = async (...formats: string[]) =>
      Promise.all(formats.map((format) => statusFor(requestUrl(undefined, format))));
    await change({ name_id_format: 'persistent' });
    expect(await statuses(persistent, unspecified)).toEqual(['Success', 'Success']);
    expect(
      await statusFor(requestUrl((xml) => xml.replace(/<samlp:NameIDPolicy[^>]*><\/samlp:NameIDPolicy>/, ''))),
    ).toBe('Success');
    const refused = 'Requester InvalidNameIDPolicy';
    expect(await statuses(emailAddress, transient)).toEqual([refused, refused]);
    await change({ name_id_format: 'unspecified' });
    expect(await statuses(unspecified, emailAddress, persistent)).toEqual(['Success', refused, refused]);
    await change({ name_id_format: 'requested' });
    expect(await statuses(emailAddress, persistent, transient)).toEqual(['Success', 'Success', 'Success']);
  });

  test('is the only name by which the site can ask for a person', async () => {
    const asking = (name: string, format: string) =>
      requestUrl((xml) =>
        xml.replace(
          '<samlp:NameIDPolicy',
          `<saml:Subject xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><saml:NameID Format="${format}">${name}</saml:NameID></saml:Subject><samlp:NameIDPolicy`,
        ),
      );
    const { emailAddress, persistent, transient, unspecified } = nameIdFormats;
    const unknown = 'Responder UnknownPrincipal';
    await change({ name_id_format: 'unspecified', name_id_source: 'uid' });
    expect(await statusFor(asking(user.uid, unspecified))).toBe('Success');
    expect(await statusFor(asking(user.uid.toUpperCase(), unspecified))).toBe(unknown);
    expect(await statusFor(asking(user.email, emailAddress))).toBe(unknown);
    expect(await statusFor(asking(user.email, unspecified))).toBe(unknown);
    await change({ name_id_format: 'persistent', name_id_source: 'email' });
    const name = testApp.parts.persistentNames(user, site);
    expect(await statusFor(asking(name, persistent))).toBe('Success');
    expect(await statusFor(asking(name, unspecified))).toBe('Success');
    expect(await statusFor(asking(user.email, emailAddress))).toBe(unknown);
    await change({ name_id_format: 'transient' });
    expect(await statusFor(asking('_1', transient))).toBe(unknown);
    expect(await statusFor(asking(user.email, unspecified))).toBe(unknown);
    await change({ name_id_format: 'requested' });
    expect(await statusFor(asking(user.email.toUpperCase(), unspecified))).toBe('Success');
    expect(await statusFor(asking(user.email, 'urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName'))).toBe(
      unknown,
    );
  });

  test('differs between people, even if they give themselves the same names', async () => {
    const twin = await makeUser(testApp.db, { firstname: user.firstname, lastname: user.lastname });
    const other = testApp.browser();
    await other.submit(await other.get(await provider.signInUrl()), { email: twin.email, password });
    for (const changes of [
      { name_id_format: 'emailAddress', name_id_source: 'email' },
      { name_id_format: 'unspecified', name_id_source: 'uid' },
      { name_id_format: 'persistent', name_id_source: 'email' },
    ] as const) {
      await change(changes);
      const theirs = await provider.receive(await other.get(await provider.signInUrl()));
      expect(theirs.nameID.toLowerCase()).not.toBe((await enter()).nameID.toLowerCase());
    }
  });
});
