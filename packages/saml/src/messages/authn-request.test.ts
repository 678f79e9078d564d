import { describe, expect, test } from 'vitest';
import { readPost } from '../bindings/post-binding.ts';
import { readRedirect } from '../bindings/redirect-binding.ts';
import { verifyMessage } from '../bindings/verify-message.ts';
import { codeOf } from '../testing/errors.ts';
import { foreignKey, testKey } from '../testing/keys.ts';
import { acsUrl, sp } from '../testing/samples.ts';
import { serviceProvider, ssoUrl } from '../testing/service-provider.ts';
import { acceptedByXmlsec } from '../testing/xmlsec.ts';
import { bindings, nameIdFormats } from '../xml/names.ts';
import { buildAuthnRequest, parseAuthnRequest } from './authn-request.ts';
import { assertMessage } from './expectations.ts';

const issueInstant = new Date('2030-01-01T12:00:00Z');
const draft = { id: '_1', issuer: sp, destination: ssoUrl, acsUrl, issueInstant };
const xml = buildAuthnRequest(draft);

describe('a request to sign in', () => {
  test('is read as it was built', () => {
    const { emailAddress } = nameIdFormats;
    const built = buildAuthnRequest({ ...draft, forceAuthn: true, isPassive: true, nameIdFormat: emailAddress });
    expect(parseAuthnRequest(built)).toEqual({
      ...draft,
      acsIndex: undefined,
      attributeServiceIndex: undefined,
      protocolBinding: bindings.post,
      forceAuthn: true,
      isPassive: true,
      subject: undefined,
      nameIdFormat: emailAddress,
      spNameQualifier: undefined,
      allowCreate: true,
      requestedAuthnContext: undefined,
    });
    expect(parseAuthnRequest(xml)).toMatchObject({ forceAuthn: false, isPassive: false, nameIdFormat: undefined });
  });

  test('says which person, address, name and authentication it asks for', () => {
    const parsed = parseAuthnRequest(
      xml
        .replace(
          ' AssertionConsumerServiceURL',
          ' AssertionConsumerServiceIndex="3" AttributeConsumingServiceIndex="7" X',
        )
        .replace(
          /<samlp:NameIDPolicy.*<\/samlp:NameIDPolicy>/,
          '<saml:Subject xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><saml:NameID Format="urn:x">ana</saml:NameID></saml:Subject>' +
            '<samlp:NameIDPolicy SPNameQualifier="urn:group" AllowCreate="0"/>' +
            '<samlp:RequestedAuthnContext Comparison="minimum"><saml:AuthnContextClassRef xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"> urn:one </saml:AuthnContextClassRef></samlp:RequestedAuthnContext>',
        ),
    );
    expect(parsed).toMatchObject({
      acsIndex: 3,
      attributeServiceIndex: 7,
      subject: { nameId: 'ana', nameIdFormat: 'urn:x' },
      spNameQualifier: 'urn:group',
      allowCreate: false,
      requestedAuthnContext: { comparison: 'minimum', classes: ['urn:one'] },
    });
  });

  test('names nobody whom we know if its subject is not a name', () => {
    const subject =
      '<saml:Subject xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><saml:EncryptedID/></saml:Subject><samlp:NameIDPolicy';
    expect(parseAuthnRequest(xml.replace('<samlp:NameIDPolicy', subject)).subject).toEqual({ nameId: '' });
  });

  test('is accepted by xmlsec1 when signed for the POST binding', () => {
    const signed = buildAuthnRequest(draft, testKey);
    expect(acceptedByXmlsec(signed, testKey.certificatePem, '/AuthnRequest')).toBe(true);
    expect(acceptedByXmlsec(signed.replace('wiki', 'evil'), testKey.certificatePem, '/AuthnRequest')).toBe(false);
  });

  test('is read from node-saml over a signed redirect', async () => {
    const url = await serviceProvider({ forceAuthn: true }).getAuthorizeUrlAsync('state/1', undefined, {});
    const message = readRedirect(new URL(url).search);
    expect(message.relayState).toBe('state/1');
    expect(parseAuthnRequest(verifyMessage(message, [foreignKey.certificate]))).toMatchObject({
      issuer: sp,
      destination: ssoUrl,
      acsUrl,
      forceAuthn: true,
      nameIdFormat: nameIdFormats.emailAddress,
      requestedAuthnContext: {
        comparison: 'exact',
        classes: ['urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'],
      },
    });
  });

  test('is read from node-saml over a signed post', async () => {
    const provider = serviceProvider({ skipRequestCompression: true, authnRequestBinding: 'HTTP-POST' });
    const message = readPost(await provider.getAuthorizeMessageAsync('', undefined, {}));
    expect(parseAuthnRequest(verifyMessage(message, [foreignKey.certificate])).issuer).toBe(sp);
    const changed = { ...message, xml: message.xml.replaceAll('wiki', 'evil') };
    expect(codeOf(() => verifyMessage(changed, [foreignKey.certificate]))).toBe('signature_invalid');
  });

  test.each([
    ['another element', xml.replaceAll('AuthnRequest', 'LogoutRequest')],
    ['another namespace', xml.replaceAll('SAML:2.0:protocol', 'SAML:1.1:protocol')],
    ['an ID that begins with a digit', xml.replace('ID="_1"', 'ID="1"')],
    ['an ID with a quote', xml.replace('ID="_1"', 'ID="_1&apos;"')],
    ['no ID', xml.replace('ID="_1"', '')],
    ['another version', xml.replace('Version="2.0"', 'Version="1.1"')],
    ['no issuer', xml.replace(/<saml:Issuer.*<\/saml:Issuer>/, '')],
    ['two issuers', xml.replace(/(<saml:Issuer.*<\/saml:Issuer>)/, '$1$1')],
    ['an element in the issuer', xml.replace('>https://wiki', '><b/>https://wiki')],
    ['no time', xml.replace(/ IssueInstant="[^"]*"/, '')],
    ['a time that is none', xml.replace(/ IssueInstant="[^"]*"/, ' IssueInstant="tomorrow"')],
    ['a flag that is none', xml.replace('ID=', 'ForceAuthn="perhaps" ID=')],
    ['an index that is none', xml.replace('ID=', 'AssertionConsumerServiceIndex="-1" ID=')],
  ])('is refused with %s', (_, changed) => {
    expect(codeOf(() => parseAuthnRequest(changed))).toBe('message_unexpected');
  });

  test.each([
    ['2030-01-01T12:00:00', '2030-01-01T12:00:00.000Z'],
    ['2030-01-01T12:00:00.123456Z', '2030-01-01T12:00:00.123Z'],
    ['2030-01-01T12:00:00+02:00', '2030-01-01T10:00:00.000Z'],
  ])('may give its time as %s', (written, read) => {
    const changed = xml.replace(/ IssueInstant="[^"]*"/, ` IssueInstant="${written}"`);
    expect(parseAuthnRequest(changed).issueInstant.toISOString()).toBe(read);
  });

  test.each([
    ['at the same moment', {}, 'accepted'],
    ['for another address', { destination: 'https://other.example' }, 'destination_mismatch'],
    ['from another issuer', { issuer: 'https://other.example' }, 'issuer_mismatch'],
    ['a little before it was sent', { now: new Date('2030-01-01T11:59:45Z') }, 'accepted'],
    ['long before it was sent', { now: new Date('2030-01-01T11:55:00Z') }, 'not_yet_valid'],
    ['long after it was sent', { now: new Date('2030-01-01T12:06:00Z') }, 'expired'],
  ])('is checked when received %s', (_, changes, code) => {
    const expectations = { destination: ssoUrl, issuer: sp, now: issueInstant, ...changes };
    expect(codeOf(() => assertMessage(parseAuthnRequest(xml), expectations))).toBe(code);
  });
});
