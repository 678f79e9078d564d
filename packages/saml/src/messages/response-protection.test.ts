import { describe, expect, test } from 'vitest';
import { codeOf } from '../testing/errors.ts';
import { ecKey, foreignKey, makeKey, testKey } from '../testing/keys.ts';
import { responseDraft } from '../testing/samples.ts';
import { receive, serviceProvider } from '../testing/service-provider.ts';
import { acceptedByXmlsec, decryptedByXmlsec } from '../testing/xmlsec.ts';
import { buildResponse, type ResponseProtection } from './response.ts';

const draft = responseDraft({ attributes: [{ name: 'fullname', values: ['R&D <Berlin> \u2028 👩‍🚀'] }] });

/** The service provider of the tests decrypts with the key with which it signs its requests. */
const encryptFor = foreignKey.certificate;

describe('a signature of', () => {
  test.each([
    ['the assertion only', 'assertion', false, true],
    ['the response only', 'response', true, false],
    ['both', 'both', true, true],
  ] as const)('%s is accepted by xmlsec1, with an RSA and with an ECDSA key', (_, signs, ofResponse, ofAssertion) => {
    for (const key of [testKey, ecKey]) {
      const xml = buildResponse(draft, key, { signs });
      expect(acceptedByXmlsec(xml, key.certificatePem, '/Response')).toBe(ofResponse);
      expect(acceptedByXmlsec(xml, key.certificatePem, '/Response/Assertion')).toBe(ofAssertion);
      expect(xml.split('<ds:Signature ')).toHaveLength(1 + Number(ofResponse) + Number(ofAssertion));
      const changed = xml.replaceAll('anna@', 'root@');
      expect(acceptedByXmlsec(changed, key.certificatePem, '/Response')).toBe(false);
      expect(acceptedByXmlsec(changed, key.certificatePem, '/Response/Assertion')).toBe(false);
    }
  });

  test.each([
    ['assertion', { wantAuthnResponseSigned: false }],
    ['response', { wantAssertionsSigned: false }],
    ['both', {}],
  ] as const)('%s is accepted by node-saml', async (signs, wants) => {
    const profile = await receive(serviceProvider(wants), buildResponse(draft, testKey, { signs }));
    expect(profile?.nameID).toBe('anna@example.com');
  });
});

describe('an encrypted assertion', () => {
  const decryptionPvk = foreignKey.privateKeyPem;

  test.each(['assertion', 'response', 'both'] as const)('is decrypted and verified by xmlsec1, signed: %s', (signs) => {
    const xml = buildResponse(draft, testKey, { signs, encryptFor });
    expect(xml).not.toContain('anna@');
    expect(acceptedByXmlsec(xml, testKey.certificatePem, '/Response')).toBe(signs !== 'assertion');
    const decrypted = decryptedByXmlsec(xml, foreignKey.privateKeyPem);
    expect(decrypted).toContain('anna@example.com');
    const path = '/Response/EncryptedAssertion/Assertion';
    expect(acceptedByXmlsec(decrypted, testKey.certificatePem, path)).toBe(signs !== 'response');
    expect(acceptedByXmlsec(decrypted.replaceAll('anna@', 'root@'), testKey.certificatePem, path)).toBe(false);
  });

  test.each([
    ['assertion', { wantAuthnResponseSigned: false }],
    ['both', {}],
  ] as const)('is read by node-saml, signed: %s', async (signs, wants) => {
    const xml = buildResponse(draft, testKey, { signs, encryptFor });
    const profile = await receive(serviceProvider({ ...wants, decryptionPvk }), xml);
    expect(profile).toMatchObject({ nameID: 'anna@example.com', sessionIndex: '_session1' });
  });

  test('cannot be decrypted with another key, and uses a new key each time', () => {
    const protection: ResponseProtection = { signs: 'both', encryptFor };
    const [one, other] = [buildResponse(draft, testKey, protection), buildResponse(draft, testKey, protection)];
    expect(() => decryptedByXmlsec(one, testKey.privateKeyPem)).toThrow('did not decrypt');
    const values = [...`${one}${other}`.matchAll(/<xenc:CipherValue>([^<]+)/g)].map(([, value]) => value);
    expect(new Set(values).size).toBe(4);
  });

  test('needs a certificate with an RSA key', () => {
    const weak = makeKey('too short', ['rsa:1024']);
    for (const { certificate } of [ecKey, weak])
      expect(codeOf(() => buildResponse(draft, testKey, { signs: 'both', encryptFor: certificate }))).toBe(
        'algorithm_refused',
      );
  });
});

test('a response states how the person was authenticated, and names attributes by URI', () => {
  const xml = buildResponse(
    responseDraft({
      authnContext: 'https://refeds.org/profile/mfa',
      attributes: [{ name: 'urn:oid:2.5.4.42', nameFormat: 'uri', friendlyName: 'givenName', values: ['Anna'] }],
    }),
    testKey,
  );
  expect(xml).toContain('<saml:AuthnContextClassRef>https://refeds.org/profile/mfa</saml:AuthnContextClassRef>');
  expect(xml).toContain(
    '<saml:Attribute FriendlyName="givenName" Name="urn:oid:2.5.4.42" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri">',
  );
  expect(acceptedByXmlsec(xml, testKey.certificatePem, '/Response/Assertion')).toBe(true);
});
