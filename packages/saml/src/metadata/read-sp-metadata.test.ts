import { describe, expect, test } from 'vitest';
import { SamlError } from '../errors.ts';
import { parseCertificates } from '../signature/keys.ts';
import { ecKey, foreignKey, makeKey, testKey } from '../testing/keys.ts';
import { bindings } from '../xml/names.ts';
import { buildSpMetadata } from './build-metadata.ts';
import { readSpMetadata, readSpMetadataOf, type SpDescription } from './read-sp-metadata.ts';

const entityId = 'https://reports.northlab.org/metadata';
const key = (certificate: string, use = '') =>
  `<m:KeyDescriptor ${use}><d:KeyInfo xmlns:d="http://www.w3.org/2000/09/xmldsig#"><d:X509Data><d:X509Certificate>
    ${certificate.replaceAll(/(.{64})/g, '$1\n    ')}
  </d:X509Certificate></d:X509Data></d:KeyInfo></m:KeyDescriptor>`;
const acs = (location: string, rest: string, binding: string = bindings.post) =>
  `<m:AssertionConsumerService Binding="${binding}" Location="${location}" ${rest}/>`;
const entity = (inner: string, attributes = '') =>
  `<m:EntityDescriptor xmlns:m="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
    <m:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" ${attributes}>${inner}</m:SPSSODescriptor>
  </m:EntityDescriptor>`;
const one = acs('https://reports.northlab.org/acs', 'index="0"');

const bytes = (xml: string): Buffer => Buffer.from(xml);

/** The description of the only service provider of a document. */
const read = async (xml: string | Uint8Array, chosen?: string): Promise<SpDescription> => {
  const found = await readSpMetadata(typeof xml === 'string' ? bytes(xml) : xml, chosen);
  if (Array.isArray(found)) throw new Error(`There are ${found.length} service providers.`);
  return found;
};
const acsOf = async (...endpoints: string[]) => (await read(entity(endpoints.join('')))).acs.map(({ url }) => url);

describe("a service provider's metadata", () => {
  test('has the earliest end of its elements', async () => {
    const until = (time: string) => `validUntil="${time}T00:00:00Z"`;
    const xml = entity(one, until('2998-01-01')).replace('entityID', `${until('2999-01-01')} entityID`);
    expect((await read(xml)).validUntil).toEqual(new Date('2998-01-01'));
    expect((await read(entity(one))).validUntil).toBeUndefined();
  });

  test('is read for several service providers at once', async () => {
    const of = (name: string, inner: string) => entity(inner).replaceAll('reports', name);
    const inner = [of('a', one), of('a', acs('https://second.org', '')), of('b', ''), of('c', one)].join('');
    const document = `<m:EntitiesDescriptor xmlns:m="urn:oasis:names:tc:SAML:2.0:metadata" validUntil="2999-01-01T00:00:00Z">${inner}</m:EntitiesDescriptor>`;
    const [a, b, d] = ['a', 'b', 'd'].map((name) => entityId.replace('reports', name)) as [string, string, string];
    const found = await readSpMetadataOf(bytes(document), [a, b, d]);
    expect(found.get(a)).toMatchObject({
      acs: [{ url: 'https://a.northlab.org/acs' }],
      validUntil: new Date('2999-01-01'),
    });
    expect(found.get(b)).toMatchObject({ detail: expect.stringContaining('no assertion consumer service') });
    expect(found.get(d)).toMatchObject({ detail: expect.stringContaining('does not describe') });
    expect(found.size).toBe(3);
    await expect(readSpMetadataOf(bytes('<!DOCTYPE a><a/>'), [a])).rejects.toThrow(SamlError);
  });

  test('is read as we write it', async () => {
    const written = {
      entityId,
      acsUrl: 'https://reports.northlab.org/acs',
      slsUrl: 'https://reports.northlab.org/sls',
      certificates: [testKey.certificate],
    };
    expect(await read(buildSpMetadata(written))).toEqual({
      entityId,
      acs: [{ index: 0, url: written.acsUrl }],
      logout: [
        { binding: 'redirect', url: written.slsUrl, responseUrl: undefined },
        { binding: 'post', url: written.slsUrl, responseUrl: undefined },
      ],
      certificates: [testKey.certificate],
      encryptionCertificates: [],
      signsRequests: true,
      wantsAssertionsSigned: true,
      verifiesEcdsa: false,
      nameIdFormats: ['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'],
      attributeServices: [],
      validUntil: undefined,
      warnings: [],
    });
  });

  test('may have an XML declaration, a byte order mark, comments, a stylesheet, CDATA and any prefixes', async () => {
    const xml =
      '\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<?xml-stylesheet href="a.xsl"?>\n<!-- made <by> hand -->\n' +
      entity(`<!-- the one --><m:NameIDFormat><![CDATA[urn:a&b]]></m:NameIDFormat>${one}`);
    expect(await read(xml)).toMatchObject({ entityId, nameIdFormats: ['urn:a&b'] });
  });

  test.each([
    ['UTF-16, little endian', (xml: string) => Buffer.from(`\uFEFF${xml}`, 'utf16le')],
    ['UTF-16, big endian', (xml: string) => Buffer.from(`\uFEFF${xml}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', (xml: string) => Buffer.from(xml, 'utf16le')],
    ['ISO-8859-1', (xml: string) => Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${xml}`, 'latin1')],
    ['US-ASCII', (xml: string) => bytes(`<?xml version='1.0' encoding='us-ascii'?>${xml.replace('ü', '&#252;')}`)],
  ])('may be encoded as %s', async (_, encode) => {
    const { nameIdFormats } = await read(encode(entity(`<m:NameIDFormat>urn:ü</m:NameIDFormat>${one}`)));
    expect(nameIdFormats).toEqual(['urn:ü']);
  });

  test.each([
    ['in its extensions', (list: string) => entity(one).replace(/(<m:EntityDescriptor[^>]*>)/, `$1${list}`), true],
    ['in those of the service provider', (list: string) => entity(`${list}${one}`), true],
    ['elsewhere', (list: string) => entity(`<m:Organization>${list}</m:Organization>${one}`), false],
  ])('lists ECDSA %s', async (_, place, verifiesEcdsa) => {
    const listOf = (algorithm: string) =>
      `<m:Extensions><a:SigningMethod xmlns:a="urn:oasis:names:tc:SAML:metadata:algsupport" Algorithm="http://www.w3.org/2001/04/xmldsig-more#${algorithm}"/></m:Extensions>`;
    expect(await read(place(listOf('ecdsa-sha256')))).toMatchObject({ verifiesEcdsa });
    expect(await read(place(listOf('ecdsa-sha512')))).toMatchObject({ verifiesEcdsa: false });
    expect(await read(place(listOf('rsa-sha256')))).toMatchObject({ verifiesEcdsa: false });
  });

  test('in another encoding says what to do', async () => {
    const xml = `<?xml version="1.0" encoding="EBCDIC"?>${entity(one)}`;
    await expect(read(xml)).rejects.toThrow('Its encoding ebcdic is not supported. Save it as UTF-8 and try again.');
  });

  test('names its default assertion consumer service by isDefault, otherwise by document order', async () => {
    const artifact = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact';
    const third = acs('https://a.org/third', 'index="3"');
    const second = acs('https://a.org/second', 'index="2"');
    const never = acs('https://a.org/never', 'index="1" isDefault="false"');
    const marked = acs('https://a.org/ninth', 'index="9" isDefault="true"');
    const other = acs('https://a.org/artifact', 'index="0" isDefault="true"', artifact);
    expect((await acsOf(other, third, second))[0]).toBe('https://a.org/third');
    expect((await acsOf(never, third, second))[0]).toBe('https://a.org/third');
    expect(await acsOf(never)).toEqual(['https://a.org/never']);
    expect(await acsOf(never, third, marked, second)).toEqual([
      'https://a.org/ninth',
      'https://a.org/never',
      'https://a.org/third',
      'https://a.org/second',
    ]);
    expect((await read(entity(third + marked))).acs).toEqual([
      { index: 9, url: 'https://a.org/ninth' },
      { index: 3, url: 'https://a.org/third' },
    ]);
  });

  test('gives the signing and the encryption keys that we accept, and says which were left out', async () => {
    const keys = [
      key(testKey.certificate),
      key(foreignKey.certificate, 'use="signing"'),
      key(ecKey.certificate, 'use="signing"'),
      key(foreignKey.certificate, 'use="encryption"'),
      key(ecKey.certificate, 'use="encryption"'),
      key(makeKey('short', ['rsa:1024']).certificate, 'use="signing"'),
    ];
    const { certificates, encryptionCertificates, warnings } = await read(entity(keys.join('') + one));
    expect(certificates).toEqual([testKey.certificate, foreignKey.certificate, ecKey.certificate]);
    expect(encryptionCertificates).toEqual([testKey.certificate, foreignKey.certificate]);
    expect(warnings).toEqual([
      expect.stringMatching(/^A signing certificate was left out. The key must be RSA of at least 2048 bits/),
      expect.stringMatching(/^A certificate for encryption was left out. .* must have an RSA key\.$/),
    ]);
  });

  test('that signs requests without a usable certificate is refused with the reason', async () => {
    const signs = 'AuthnRequestsSigned="true"';
    await expect(read(entity(one, signs))).rejects.toThrow('has no signing certificate');
    const short = key(makeKey('short', ['rsa:1024']).certificate, 'use="signing"');
    await expect(read(entity(short + one, signs))).rejects.toThrow(/cannot be used. The key must be RSA/);
    expect((await read(entity(key(ecKey.certificate) + one, signs))).certificates).toEqual([ecKey.certificate]);
  });

  test('may omit the logout service, or have one for each binding with another address for responses', async () => {
    expect((await read(entity(one))).logout).toEqual([]);
    const sls = (binding: string, location: string, rest = '') =>
      `<m:SingleLogoutService Binding="${binding}" Location="${location}" ${rest}/>`;
    const all = [
      sls(bindings.soap, 'https://a.org/soap'),
      sls(bindings.post, 'https://a.org/post', 'ResponseLocation="https://a.org/done"'),
      sls(bindings.redirect, 'https://a.org/redirect'),
      sls(bindings.redirect, 'https://a.org/another'),
    ];
    expect((await read(entity(all.join('') + one))).logout).toEqual([
      { binding: 'redirect', url: 'https://a.org/redirect', responseUrl: undefined },
      { binding: 'post', url: 'https://a.org/post', responseUrl: 'https://a.org/done' },
      { binding: 'soap', url: 'https://a.org/soap', responseUrl: undefined },
    ]);
  });

  test('says which attributes the service provider wants', async () => {
    const service = (index: number, rest: string, attributes: string) =>
      `<m:AttributeConsumingService index="${index}" ${rest}><m:ServiceName xml:lang="en">x</m:ServiceName>${attributes}</m:AttributeConsumingService>`;
    const mail =
      '<m:RequestedAttribute Name="urn:oid:0.9.2342.19200300.100.1.3" FriendlyName="mail" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri" isRequired="true"/>';
    const xml = entity(
      one + service(1, '', '<m:RequestedAttribute Name="uid"/>') + service(2, 'isDefault="true"', mail),
    );
    expect((await read(xml)).attributeServices).toEqual([
      {
        index: 2,
        attributes: [
          { name: 'urn:oid:0.9.2342.19200300.100.1.3', nameFormat: 'uri', friendlyName: 'mail', isRequired: true },
        ],
      },
      {
        index: 1,
        attributes: [{ name: 'uid', nameFormat: 'unspecified', friendlyName: undefined, isRequired: false }],
      },
    ]);
  });

  test('uses the descriptor for SAML 2.0 and skips the one for SAML 1.1', async () => {
    const saml1 =
      '<m:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:1.1:protocol"><m:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://a.org/saml1" index="0"/></m:SPSSODescriptor>';
    expect((await read(entity(one).replace('<m:SPSSODescriptor', `${saml1}<m:SPSSODescriptor`))).acs[0].url).toBe(
      'https://reports.northlab.org/acs',
    );
    const only = entity('').replace(/<m:SPSSODescriptor.*<\/m:SPSSODescriptor>/s, saml1);
    await expect(read(only)).rejects.toThrow('does not support SAML 2.0');
  });

  test('warns that it has expired', async () => {
    const xml = entity(one).replace(' entityID', ' validUntil="2020-01-31T00:00:00Z" entityID');
    expect((await read(xml)).warnings).toEqual([expect.stringContaining('expired on 2020-01-31')]);
    expect((await read(xml.replace('2020', '2999'))).warnings).toEqual([]);
  });

  test('of a megabyte is read', async () => {
    const { acs: found } = await read(entity(`${' '.repeat(1_000_000)}${one}`));
    expect(found).toHaveLength(1);
  });

  test.each([
    ['a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${entity(one)}`],
    ['an outer entity', `<!DOCTYPE x SYSTEM "file:///etc/passwd">${entity(one)}`],
    ['an open comment', entity(`<!-- ${one}`)],
    ['an open CDATA section', entity(`<![CDATA[ ${one}`)],
    ['nesting without end', entity('<a>'.repeat(5_000) + one + '</a>'.repeat(5_000))],
    ['more than a megabyte', entity(`${' '.repeat(1_100_000)}${one}`)],
    ['no address for answers', entity('')],
    ['something else', '<html><body>Not here</body></html>'],
    ['no XML', 'entityID: reports'],
    ['an entity of another namespace', entity(one).replace('SAML:2.0:metadata', 'SAML:9:metadata')],
    ['an entity that is not closed', entity(one).replace('</m:EntityDescriptor>', '')],
  ])('with %s is refused', async (_what, xml) => {
    await expect(read(xml)).rejects.toBeInstanceOf(SamlError);
  });
});

describe('a list of entities', () => {
  const list = (inner: string, attributes = '') =>
    `<m:EntitiesDescriptor xmlns:m="urn:oasis:names:tc:SAML:2.0:metadata" ${attributes}>${inner}</m:EntitiesDescriptor>`;
  const idp = '<m:EntityDescriptor entityID="https://idp.org"><m:IDPSSODescriptor/></m:EntityDescriptor>';
  const numbered = (n: number) =>
    `<m:EntityDescriptor entityID="https://sp${n}.org/?a=1&amp;b=2"><m:SPSSODescriptor><m:Extensions><ui:DisplayName xml:lang="de">Dienst ${n}</ui:DisplayName><ui:DisplayName xml:lang="en">R&amp;D ${n}</ui:DisplayName></m:Extensions>${acs(`https://sp${n}.org/acs`, 'index="0"')}</m:SPSSODescriptor></m:EntityDescriptor>`;
  const ui = 'xmlns:ui="urn:oasis:names:tc:SAML:metadata:ui"';

  test('with one service provider is read as that one', async () => {
    expect((await read(list(idp + entity(one)))).entityId).toBe(entityId);
    await expect(read(list(idp))).rejects.toThrow('metadata of an identity provider');
    await expect(read(list(''))).rejects.toThrow('no EntityDescriptor');
  });

  test('with 10,000 service providers is listed, and one of them is read with what it inherits', async () => {
    const many = Array.from({ length: 10_000 }, (_, n) => numbered(n)).join('');
    const xml = bytes(list(`${list(many)}${idp}`, `${ui} validUntil="2020-01-31T00:00:00Z"`));
    const found = await readSpMetadata(xml);
    expect(found).toHaveLength(10_000);
    expect(Array.isArray(found) && found[7]).toEqual({ entityId: 'https://sp7.org/?a=1&b=2', name: 'R&D 7' });
    const chosen = await read(xml, 'https://sp9999.org/?a=1&b=2');
    expect(chosen.acs).toEqual([{ index: 0, url: 'https://sp9999.org/acs' }]);
    expect(chosen.warnings).toEqual([expect.stringContaining('expired')]);
    await expect(read(xml, 'https://sp10000.org/?a=1&b=2')).rejects.toThrow('no longer describes');
    await expect(read(xml, 'https://idp.org')).rejects.toThrow('no longer describes');
  });
});

describe('pasted certificates', () => {
  const armour = (certificate: string) => `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`;

  test('are accepted as PEM or bare base64, one or several', () => {
    const both = [testKey.certificate, foreignKey.certificate];
    expect(parseCertificates(both.map(armour).join(''))).toEqual(both);
    expect(parseCertificates(both.join('\n'))).toEqual(both);
    expect(parseCertificates(` ${testKey.certificate.replaceAll(/(.{64})/g, '$1\n')} `)).toEqual([testKey.certificate]);
    expect(parseCertificates('')).toEqual([]);
  });

  test('that cannot be read are refused', () => {
    expect(() => parseCertificates(armour('bm90IGEgY2VydGlmaWNhdGU='))).toThrow();
    expect(() => parseCertificates('hello')).toThrow();
  });
});
