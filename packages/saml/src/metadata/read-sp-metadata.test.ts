import { describe, expect, test } from 'vitest';
import { parseCertificates } from '../signature/keys.ts';
import { foreignKey, testKey } from '../testing/keys.ts';
import { bindings } from '../xml/names.ts';
import { buildSpMetadata } from './build-metadata.ts';
import { readSpMetadata } from './read-sp-metadata.ts';

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

describe("a service provider's metadata", () => {
  test('is read as we write it', () => {
    const written = {
      entityId,
      acsUrl: 'https://reports.northlab.org/acs',
      slsUrl: 'https://reports.northlab.org/sls',
      certificates: [testKey.certificate],
    };
    expect(readSpMetadata(buildSpMetadata(written))).toEqual({ ...written, signsRequests: true });
  });

  test('may have an XML declaration, a byte order mark, comments and any prefixes', () => {
    const xml = `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!-- made <by> hand -->\n${entity(`<!-- the one -->${one}`)}`;
    expect(readSpMetadata(xml)).toMatchObject({ entityId, acsUrl: 'https://reports.northlab.org/acs' });
  });

  test('with several assertion consumer services gives the default one with the POST binding', () => {
    const artifact = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact';
    const several = [
      acs('https://a.org/artifact', 'index="0" isDefault="true"', artifact),
      acs('https://a.org/third', 'index="3"'),
      acs('https://a.org/second', 'index="2"'),
    ];
    expect(readSpMetadata(entity(several.join(''))).acsUrl).toBe('https://a.org/second');
    const marked = [...several, acs('https://a.org/ninth', 'index="9" isDefault="true"')];
    expect(readSpMetadata(entity(marked.join(''))).acsUrl).toBe('https://a.org/ninth');
  });

  test('with several keys gives the signing keys that we accept', () => {
    const keys = [
      key(testKey.certificate),
      key(foreignKey.certificate, 'use="signing"'),
      key(testKey.certificate, 'use="encryption"'),
      key('bm90IGEgY2VydGlmaWNhdGU=', 'use="signing"'),
    ];
    expect(readSpMetadata(entity(keys.join('') + one)).certificates).toEqual([
      testKey.certificate,
      foreignKey.certificate,
    ]);
  });

  test('may omit the logout service, and prefers the redirect binding', () => {
    expect(readSpMetadata(entity(one)).slsUrl).toBeUndefined();
    const sls = (binding: string, location: string) =>
      `<m:SingleLogoutService Binding="${binding}" Location="${location}"/>`;
    const both = sls(bindings.post, 'https://a.org/post') + sls(bindings.redirect, 'https://a.org/redirect');
    expect(readSpMetadata(entity(both + one)).slsUrl).toBe('https://a.org/redirect');
  });

  test('may be part of a list of entities with one service provider', () => {
    const list = (inner: string) =>
      `<m:EntitiesDescriptor xmlns:m="urn:oasis:names:tc:SAML:2.0:metadata">${inner}</m:EntitiesDescriptor>`;
    const idp = '<m:EntityDescriptor entityID="https://idp.org"><m:IDPSSODescriptor/></m:EntityDescriptor>';
    expect(readSpMetadata(list(idp + entity(one))).entityId).toBe(entityId);
    expect(() => readSpMetadata(list(entity(one) + entity(one)))).toThrow(/several service providers/);
    expect(() => readSpMetadata(list(idp))).toThrow(/no service provider/);
  });

  test.each([
    ['a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${entity(one)}`],
    ['an outer entity', `<!DOCTYPE x SYSTEM "file:///etc/passwd">${entity(one)}`],
    ['a processing instruction', entity(`<?php echo 1 ?>${one}`)],
    ['a CDATA section', entity(`<![CDATA[x]]>${one}`)],
    ['an open comment', entity(`<!-- ${one}`)],
    ['nesting without end', entity('<a>'.repeat(5_000) + one + '</a>'.repeat(5_000))],
    ['more than a quarter of a megabyte', entity(`${' '.repeat(300_000)}${one}`)],
    ['no address for answers', entity('')],
    ['something else', '<html><body>Not here</body></html>'],
    ['no XML', 'entityID: reports'],
  ])('with %s is refused', (_what, xml) => {
    expect(() => readSpMetadata(xml)).toThrow();
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
