import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testKey } from '../testing/keys.ts';
import { acsUrl, idp, requestId, responseDraft, responseExpectations } from '../testing/samples.ts';
import { receive, serviceProvider } from '../testing/service-provider.ts';
import { acceptedByXmlsec } from '../testing/xmlsec.ts';
import { buildResponse, buildStatusResponse } from './response.ts';
import { readSignedResponse } from './signed-response.ts';

const awkward = [
  '</saml:AttributeValue><saml:Attribute Name="role">',
  '<!-- --> & ]]> "quoted" \'single\'',
  'tab\there, line\nbreak, carriage\rreturn',
  'next line \u0085, line separator \u2028, paragraph separator \u2029',
  'emoji 👩‍🚀, Ελληνικά, 日本語, e\u0301',
];

const namesOnly = (...names: string[]) => responseDraft({ attributes: [{ name: 'fullname', values: names }] });

/** Puts ten names into each response, because signing and verifying takes most of the time, whatever is signed. */
const tenOf = (names: fc.Arbitrary<string>) => fc.array(names, { minLength: 10, maxLength: 10 });

/**
 * How node-saml returns a name: its parser treats these characters as line ends, although the signature covers them.
 */
const asNodeSamlReads = (name: string) => name.replace(/[\u0085\u2028]/g, '\n');

const asXmlCarries = (name: string) => {
  const isCarried = (character: string) =>
    character < ' ' ? '\t\n\r'.includes(character) : !['\ufffe', '\uffff'].includes(character);
  return Array.from(name, (character) => (isCarried(character) ? character : '\ufffd')).join('');
};

describe('xmlsec1', () => {
  const xml = buildResponse(responseDraft(), testKey);

  test.each(['/Response', '/Response/Assertion'])('accepts the signature of %s', (path) => {
    expect(acceptedByXmlsec(xml, testKey.certificatePem, path)).toBe(true);
  });

  test.each(['/Response', '/Response/Assertion'])('refuses a changed name under the signature of %s', (path) => {
    expect(acceptedByXmlsec(xml.replaceAll('anna@', 'root@'), testKey.certificatePem, path)).toBe(false);
  });

  test.each(awkward)('accepts both signatures over %j', (name) => {
    const signed = buildResponse(namesOnly(name), testKey);
    expect(acceptedByXmlsec(signed, testKey.certificatePem, '/Response')).toBe(true);
    expect(acceptedByXmlsec(signed, testKey.certificatePem, '/Response/Assertion')).toBe(true);
  });

  test('accepts an unsolicited response without attributes', () => {
    const signed = buildResponse(responseDraft({ attributes: [], inResponseTo: undefined }), testKey);
    expect(signed).not.toContain('InResponseTo');
    expect(signed).not.toContain('AttributeStatement');
    expect(acceptedByXmlsec(signed, testKey.certificatePem, '/Response')).toBe(true);
    expect(acceptedByXmlsec(signed, testKey.certificatePem, '/Response/Assertion')).toBe(true);
  });

  test('accepts the signature of a failure', () => {
    const status = { code: 'Responder', subcode: 'NoPassive', message: 'Nobody is signed in <here>.' } as const;
    const signed = buildStatusResponse({ ...responseDraft(), status }, testKey);
    expect(acceptedByXmlsec(signed, testKey.certificatePem, '/Response')).toBe(true);
  });
});

describe('node-saml as service provider', () => {
  test('accepts the response and reads every value', async () => {
    const draft = responseDraft();
    const profile = await receive(serviceProvider(), buildResponse(draft, testKey));
    expect(profile).toMatchObject({
      issuer: idp,
      nameID: 'anna@example.com',
      nameIDFormat: draft.nameId.format,
      sessionIndex: '_session1',
      inResponseTo: requestId,
      attributes: { email: 'anna@example.com', groups: ['Editors', 'R&D <Berlin>'] },
    });
  });

  test.each([
    ['the name', 'anna@example.com', 'root@example.com'],
    ['an attribute', 'Editors', 'Owners'],
    ['the audience', '<saml:Audience>https://wiki', '<saml:Audience>https://blog'],
    ['the destination', 'Destination="https://wiki', 'Destination="https://blog'],
  ])('refuses a response in which %s was changed', async (_, before, after) => {
    const xml = buildResponse(responseDraft(), testKey);
    expect(xml).toContain(before);
    await expect(receive(serviceProvider(), xml.replaceAll(before, after))).rejects.toThrow('signature');
  });

  test('reports a failure with its code', async () => {
    const draft = { ...responseDraft(), status: { code: 'Requester', subcode: 'InvalidNameIDPolicy' } as const };
    await expect(receive(serviceProvider(), buildStatusResponse(draft, testKey))).rejects.toThrow(
      'InvalidNameIDPolicy',
    );
  });

  test('reads markup in a name as text, and sees no further attribute', async () => {
    const name = '</saml:AttributeValue><saml:Attribute Name="role">';
    const profile = await receive(serviceProvider(), buildResponse(namesOnly(name), testKey));
    expect(profile?.attributes).toEqual({ fullname: name });
  });

  test('reads 300 random names as they were written', async () => {
    const provider = serviceProvider();
    const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((name) => name.trim() !== '');
    const property = fc.asyncProperty(tenOf(names), async (ten) => {
      const profile = await receive(provider, buildResponse(namesOnly(...ten), testKey));
      expect(profile?.attributes).toEqual({ fullname: ten.map(asNodeSamlReads) });
    });
    await fc.assert(property, { numRuns: 30 });
  });
});

describe('our own reader', () => {
  test('returns 300 random names, with characters that XML does not allow replaced', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
      const carried = asXmlCarries(name);
      const draft = { ...namesOnly(name), nameId: { value: name, format: 'urn:x' } };
      const { attributes, nameId } = readSignedResponse(buildResponse(draft, testKey), responseExpectations());
      expect({ attributes, nameId }).toEqual({ attributes: { fullname: [carried] }, nameId: carried });
    });
    fc.assert(property, { numRuns: 300 });
  });

  test('finds the values that real service providers ask for', () => {
    const xml = buildResponse(responseDraft({ issueInstant: new Date('2030-01-01T12:00:00Z') }), testKey);
    const escaped = acsUrl.replace('&', '&amp;');
    expect(xml).toMatch(/^<samlp:Response xmlns:samlp="[^"]+" Destination="[^"]+" ID="_[0-9a-f]{40}" InResponseTo="/);
    expect(xml).toContain(`NotOnOrAfter="2030-01-01T12:05:00.000Z" Recipient="${escaped}"></saml:SubjectConf`);
    expect(xml).toContain(
      '<saml:Conditions NotBefore="2030-01-01T11:59:30.000Z" NotOnOrAfter="2030-01-01T12:05:00.000Z">',
    );
    expect(xml).toContain('ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef>');
    expect(xml).toContain('NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic"');
    expect(xml).toContain(' xsi:type="xs:string">Editors<');
    expect(xml.split(`${idp}</saml:Issuer><ds:Signature`)).toHaveLength(3);
    expect(xml.split(`<ds:X509Certificate>${testKey.certificate}</`)).toHaveLength(3);
  });
});
