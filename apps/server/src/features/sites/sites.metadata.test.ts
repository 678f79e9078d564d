import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SAML } from '@node-saml/node-saml';
import { readSiteMetadata, readSiteMetadataFile } from '@opensocial/contract';
import { buildSpMetadata } from '@opensocial/saml';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeUser, signInto } from '../../testing/app/builders.ts';
import { makeProviderKey } from '../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

/** A server with metadata. The path `/hops/2` redirects twice. */
let status = 200;
let answer = '';
const listener = createServer((request, response) => {
  const hops = Number(/^\/hops\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
  if (hops > 0) response.writeHead(302, { location: `/hops/${hops - 1}` }).end();
  else if (request.url === '/inside') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
  else response.writeHead(status).end(answer);
});
const listenerUrl = () => `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;

let testApp: TestApp;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp({ OUTBOUND_PRIVATE: 'allow' });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), await makeUser(testApp.db, { owns: ['northlab'] })));
  await new Promise<void>((ready) => void listener.listen(0, '127.0.0.1', ready));
});
afterAll(() => void listener.close());
beforeEach(() => {
  status = 200;
  answer = '';
});

describe("a service provider's metadata", () => {
  const read = (body: object) => call(readSiteMetadata, { params: { server_name: 'northlab' }, body });
  const readFile = (content: string | Buffer, entity_id?: string) =>
    call(readSiteMetadataFile, {
      params: { server_name: 'northlab' },
      body: entity_id === undefined ? {} : { entity_id },
      file: new File([new Uint8Array(Buffer.from(content))], 'metadata.xml'),
    });
  const of = (name: string) =>
    buildSpMetadata({
      entityId: `https://${name}.org/metadata`,
      acsUrl: `https://${name}.org/acs`,
      slsUrl: `https://${name}.org/sls`,
      certificates: [],
    }).replace(' AuthnRequestsSigned="true"', '');
  const xml = of('a');

  test('fills the parameters, pasted or by its URL', async () => {
    const wanted = {
      identity: 'https://a.org/metadata',
      acs: 'https://a.org/acs',
      sls: 'https://a.org/sls',
      sls_binding: 'redirect',
      sls_response: '',
      sls_soap: '',
      domain: 'a.org',
      certificate: '',
      signed_requests: 'No',
      acs_index: null,
      further_acs: [],
      signs: 'both',
      wants_assertions_signed: true,
      encrypts: 'No',
      encryption_certificate: '',
      release: null,
      warnings: [],
    };
    expect(await read({ xml })).toEqual(wanted);
    expect(await readFile(xml)).toEqual(wanted);
    expect(await readFile(Buffer.from(`\uFEFF${xml}`, 'utf16le'))).toEqual(wanted);
    answer = xml;
    expect(await read({ url: `${listenerUrl()}/metadata` })).toEqual(wanted);
    expect(await read({ url: `${listenerUrl()}/hops/3` })).toEqual(wanted);
  });

  test.each([
    ['https://a.org/mellon/postResponse', 'assertion'],
    ['https://a.org/reports/Shibboleth.sso/SAML2/POST', 'assertion'],
    ['https://a.org/simplesaml/module.php/saml/sp/saml2-acs.php/default-sp', 'assertion'],
    ['https://a.org/mellon/postResponse/', 'both'],
    ['https://a.org/saml2/acs/', 'both'],
  ])('with the ACS URL %s proposes to sign: %s', async (acsUrl, signs) => {
    const metadata = buildSpMetadata({ entityId: 'https://a.org', acsUrl, slsUrl: '', certificates: [] });
    const unsigned = metadata.replace(' AuthnRequestsSigned="true"', '');
    expect(await read({ xml: unsigned })).toMatchObject({ acs: acsUrl, signs });
    // One address that is not recognised is enough to keep both.
    const other =
      '<md:AssertionConsumerService index="7" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://a.org/acs"/>';
    const two = unsigned.replace('</md:SPSSODescriptor>', `${other}</md:SPSSODescriptor>`);
    expect(await read({ xml: two })).toMatchObject({ signs: 'both' });
  });

  /** With its default settings, node-saml asks for a signed assertion, and refuses responses without a signature of their own. */
  test('of node-saml proposes both signatures, although it asks for one', async () => {
    const { certificate: idpCert } = await makeProviderKey();
    const provider = new SAML({ issuer: 'https://a.org', callbackUrl: 'https://a.org/acs', idpCert });
    expect(provider.options).toMatchObject({ wantAssertionsSigned: true, wantAuthnResponseSigned: true });
    expect(await read({ xml: provider.generateServiceProviderMetadata(null) })).toMatchObject({
      wants_assertions_signed: true,
      signs: 'both',
    });
  });

  test.each(['WantAssertionsSigned="false"', 'WantResponseSigned="true"', 'WantAssertionsSigned="0" signs="response"'])(
    'cannot ask for an unsigned assertion with %s',
    async (attributes) => {
      const hostile = xml.replace('WantAssertionsSigned="true"', attributes);
      expect(hostile).toContain(attributes);
      expect(await read({ xml: hostile })).toMatchObject({ signs: 'both', wants_assertions_signed: false });
    },
  );

  test('of several service providers is a list to choose from', async () => {
    const list = `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${of('a')}${of('b')}</md:EntitiesDescriptor>`;
    answer = list;
    const url = listenerUrl();
    const entities = [
      { entity_id: 'https://a.org/metadata', name: '' },
      { entity_id: 'https://b.org/metadata', name: '' },
    ];
    for (const answered of [await read({ xml: list }), await read({ url }), await readFile(list)])
      expect(answered).toEqual({ entities });
    const entity_id = 'https://b.org/metadata';
    for (const chosen of [await read({ xml: list, entity_id }), await readFile(list, entity_id)])
      expect(chosen).toMatchObject({ identity: entity_id, acs: 'https://b.org/acs' });
    await expect(read({ url, entity_id: 'https://c.org' })).rejects.toMatchObject({ code: 'metadata_unreadable' });
  });

  test('with several assertion consumer services gives all of them with their indexes', async () => {
    const acs = (index: number, rest = '') =>
      `<md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://a.org/acs${index}" index="${index}" ${rest}/>`;
    const several = xml.replace(
      /<md:AssertionConsumerService.*<\/md:AssertionConsumerService>/,
      acs(4) + acs(7, 'isDefault="true"'),
    );
    expect(several).not.toBe(xml);
    expect(await read({ xml: several })).toMatchObject({
      acs: 'https://a.org/acs7',
      acs_index: 7,
      further_acs: [{ index: 4, url: 'https://a.org/acs4' }],
    });
  });

  test.each([
    [
      'redirect and SOAP',
      [
        ['SOAP', '/soap'],
        ['HTTP-POST', '/post'],
        ['HTTP-Redirect', '/redirect', '/response'],
      ],
      ['redirect', '/redirect', '/response', '/soap'],
    ],
    ['POST only', [['HTTP-POST', '/post']], ['post', '/post', '', '']],
    ['SOAP only', [['SOAP', '/soap', '/never']], ['soap', '/soap', '', '']],
    ['an unknown binding', [['HTTP-Artifact', '/artifact']], ['auto', '', '', '']],
  ] as const)('with %s for logouts gives the binding and the addresses', async (_, services, wanted) => {
    const at = (path: string) => (path === '' ? '' : `https://a.org${path}`);
    const elements = services.map(
      ([binding, location, response]) =>
        `<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${at(location)}"${response === undefined ? '' : ` ResponseLocation="${at(response)}"`}/>`,
    );
    const without = xml.replaceAll(/<md:SingleLogoutService[^>]*>(<\/md:SingleLogoutService>)?/g, '');
    const given = without.replace('<md:NameIDFormat', `${elements.join('')}<md:NameIDFormat`);
    const [sls_binding, sls, sls_response, sls_soap] = wanted;
    expect(await read({ xml: given })).toMatchObject({
      sls_binding,
      sls: at(sls),
      sls_response: at(sls_response),
      sls_soap: at(sls_soap),
    });
  });

  test('follows at most three redirects, only to web addresses', async () => {
    answer = xml;
    const refused = { code: 'address_unreachable', status: 400 };
    await expect(read({ url: `${listenerUrl()}/hops/4` })).rejects.toMatchObject({
      ...refused,
      message: 'The address redirects too often.',
    });
    await expect(read({ url: `${listenerUrl()}/inside` })).rejects.toMatchObject(refused);
  });

  test('of a service provider whose requests could not be verified is refused with the reason', async () => {
    const signs = xml.replace('<md:SPSSODescriptor', '<md:SPSSODescriptor AuthnRequestsSigned="true"');
    await expect(read({ xml: signs })).rejects.toMatchObject({
      code: 'metadata_unreadable',
      message: expect.stringMatching(/^This service provider signs its requests.*no signing certificate/),
    });
  });

  test.each([
    [{}, 'invalid_input'],
    [{ xml, url: 'https://a.org' }, 'invalid_input'],
    [{ xml: '<html/>' }, 'metadata_unreadable'],
    [{ xml: `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml}` }, 'metadata_unreadable'],
    [{ url: 'http://127.0.0.1:9/' }, 'address_unreachable'],
  ])('that is invalid is refused: %j', async (body, code) => {
    await expect(read(body)).rejects.toMatchObject({ status: 400, code });
  });

  const idp = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.org"><IDPSSODescriptor
    protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"/></EntityDescriptor>`;
  test.each([
    [{ xml: idp }, /metadata of an identity provider.*service provider/s],
    [{ xml: '' }, /^Enter the metadata URL/],
    [{ xml: ' \n ' }, /^Enter the metadata URL/],
    [{}, /^Enter the metadata URL/],
    [{ url: '', xml: '' }, /^Enter the metadata URL/],
    [{ xml, url: 'https://a.org' }, /^Enter either the address or the XML/],
    [{ xml: '<note>hello</note>' }, /^This XML is not SAML metadata/],
    [{ xml: '<!doctype html><html><p>Sign in</p></html>' }, /^This is a web page/],
    [{ xml: '<html><body/></html>' }, /^This is a web page/],
    [{ xml: 'entityID: https://a.org' }, /^This is not XML/],
    [{ xml: xml.slice(0, -30) }, /^This XML is incomplete or damaged/],
    [{ xml: '{"entity":"https://a.org"}' }, /^This is not XML/],
    [
      { xml: xml.replaceAll('HTTP-POST', 'HTTP-Artifact') },
      /has no assertion consumer service with the HTTP-POST binding/,
    ],
    [{ url: 'ftp://a.org/metadata' }, /https:\/\//],
  ])('§2.6 explains the problem: %j', async (body, sentence) => {
    const refused = await read(body).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 400, message: expect.stringMatching(sentence) as unknown });
    expect((refused as Error).message).not.toContain('SAML message');
  });

  test('at a URL that answers with an error, or with too much, is refused', async () => {
    status = 404;
    await expect(read({ url: listenerUrl() })).rejects.toMatchObject({ message: 'The address answered 404.' });
    status = 200;
    answer = xml.replace('</md:SPSSO', `${' '.repeat(1_100_000)}</md:SPSSO`);
    await expect(read({ url: listenerUrl() })).rejects.toMatchObject({
      message: expect.stringMatching(/^This metadata is too large/),
    });
    answer = 'x'.repeat(64 * 1024 * 1024 + 1);
    await expect(read({ url: listenerUrl() })).rejects.toMatchObject({ code: 'address_unreachable' });
  });
});
