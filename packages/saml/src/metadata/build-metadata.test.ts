import { describe, expect, test } from 'vitest';
import { signatureAlgorithms } from '../signature/algorithms.ts';
import { foreignKey, testKey } from '../testing/keys.ts';
import { acsUrl, idp, sp } from '../testing/samples.ts';
import { sloUrl, ssoUrl } from '../testing/service-provider.ts';
import { isSamlId, newSamlId } from '../xml/ids.ts';
import { bindings, nameIdFormats } from '../xml/names.ts';
import { childElements, descendants, parseXml } from '../xml/xml-reader.ts';
import { buildIdpMetadata, buildSpMetadata } from './build-metadata.ts';

const certificates = [testKey.certificate, foreignKey.certificate];
const namesOf = (xml: string) =>
  childElements(parseXml(xml))
    .flatMap(childElements)
    .map(({ localName }) => localName);
const locationsOf = (xml: string) =>
  descendants(parseXml(xml))
    .filter((element) => element.getAttribute('Location'))
    .map((element) => [element.localName, element.getAttribute('Binding'), element.getAttribute('Location')]);
const certificatesOf = (xml: string) =>
  descendants(parseXml(xml)).flatMap((element) =>
    element.localName === 'X509Certificate' ? [element.textContent] : [],
  );

describe('metadata', () => {
  test('of the identity provider names both keys and all bindings, in the order of the schema', () => {
    const formats = [nameIdFormats.emailAddress, nameIdFormats.transient];
    const validUntil = new Date('2028-02-29T12:30:00Z');
    const lifetime = { validUntil, cacheDuration: 'PT6H' };
    const addresses = { ssoUrl, sloUrl, soapUrl: `${sloUrl}/soap` };
    const xml = buildIdpMetadata({ entityId: idp, ...addresses, certificates, nameIdFormats: formats, ...lifetime });
    expect(parseXml(xml).getAttribute('entityID')).toBe(idp);
    expect(parseXml(xml).getAttribute('validUntil')).toBe('2028-02-29T12:30:00.000Z');
    expect(parseXml(xml).getAttribute('cacheDuration')).toBe('PT6H');
    expect(certificatesOf(xml)).toEqual(certificates);
    expect(namesOf(xml)).toEqual([
      'Extensions',
      ...Array(2).fill('KeyDescriptor'),
      ...Array(3).fill('SingleLogoutService'),
      ...Array(2).fill('NameIDFormat'),
      ...Array(2).fill('SingleSignOnService'),
    ]);
    expect(locationsOf(xml)).toEqual([
      ['SingleLogoutService', bindings.redirect, sloUrl],
      ['SingleLogoutService', bindings.post, sloUrl],
      ['SingleLogoutService', bindings.soap, `${sloUrl}/soap`],
      ['SingleSignOnService', bindings.redirect, ssoUrl],
      ['SingleSignOnService', bindings.post, ssoUrl],
    ]);
    expect(xml).toContain('WantAuthnRequestsSigned="false"');
    const methods = descendants(parseXml(xml)).filter(({ localName }) => localName === 'SigningMethod');
    expect(methods.map((method) => method.getAttribute('Algorithm'))).toEqual([...signatureAlgorithms.keys()]);
    expect(xml).not.toContain('#rsa-sha1');
  });

  test('of a service provider names its assertion consumer service', () => {
    const xml = buildSpMetadata({ entityId: sp, acsUrl, slsUrl: sloUrl, certificates });
    expect(certificatesOf(xml)).toEqual(certificates);
    expect(locationsOf(xml)).toContainEqual(['AssertionConsumerService', bindings.post, acsUrl]);
    expect(namesOf(xml).at(-1)).toBe('AssertionConsumerService');
  });
});

describe('an id', () => {
  test('is an xs:ID of 160 random bits', () => {
    expect(newSamlId()).toMatch(/^_[0-9a-f]{40}$/);
    const ids = Array.from({ length: 200 }, newSamlId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(isSamlId(newSamlId())).toBe(true);
  });

  test.each(['', '1a', '-a', 'a b', 'a:b', "a'b", 'a<b', `_${'x'.repeat(300)}`])('is never %j', (id) => {
    expect(isSamlId(id)).toBe(false);
  });
});
