import { describe, expect, test } from 'vitest';
import { buildLogoutRequest, parseLogoutRequest } from '../messages/logout-request.ts';
import { codeOf } from '../testing/errors.ts';
import { type SignOptions, signBy } from '../testing/forgery.ts';
import { ecKey, foreignKey, makeKey, testKey } from '../testing/keys.ts';
import { sp } from '../testing/samples.ts';
import { sloUrl } from '../testing/service-provider.ts';
import { signedByXmlsec } from '../testing/xmlsec.ts';
import { nameIdFormats } from '../xml/names.ts';
import { verifyPostSignature } from './verify-signature.ts';

const nameId = { value: 'anna@example.com', format: nameIdFormats.emailAddress };
const draft = { id: '_out', issuer: sp, destination: sloUrl, issueInstant: new Date(), nameId, sessionIndex: '_1' };
const unsigned = buildLogoutRequest(draft);
const genuine = buildLogoutRequest(draft, testKey);
const [signature = ''] = /<ds:Signature .*<\/ds:Signature>/s.exec(genuine) ?? [];

const verify = (xml: string, certificate = testKey.certificate) => verifyPostSignature(xml, [certificate]);
const signed = (options: SignOptions) => signBy(unsigned, 'LogoutRequest', options);
const algorithm = (name: string) => `http://www.w3.org/2001/04/${name}`;

const outline = (
  signatureMethod: string,
  digestMethod: string,
  inclusive = '',
) => `<?xml version="1.0" encoding="UTF-8"?>
<p:LogoutRequest xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns="urn:oasis:names:tc:SAML:2.0:assertion" ID="_out" Version="2.0" IssueInstant="2030-01-01T00:00:00Z">
  <Issuer>${sp}</Issuer>
  <Signature xmlns="http://www.w3.org/2000/09/xmldsig#">
    <SignedInfo>
      <CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>
      <SignatureMethod Algorithm="${algorithm(signatureMethod)}"/>
      <Reference URI="#_out">
        <Transforms>
          <Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>
          <Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#">${inclusive}</Transform>
        </Transforms>
        <DigestMethod Algorithm="${algorithm(digestMethod)}"/>
        <DigestValue/>
      </Reference>
    </SignedInfo>
    <SignatureValue/>
  </Signature>
  <NameID>anna&#13;&#x2028;\u2029 &amp; Ünal</NameID>
</p:LogoutRequest>`;

const inclusive = '<InclusiveNamespaces xmlns="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="xs p"/>';

describe('a message signed by xmlsec1', () => {
  test.each([
    ['SHA-256', outline('xmldsig-more#rsa-sha256', 'xmlenc#sha256')],
    ['SHA-384', outline('xmldsig-more#rsa-sha384', 'xmldsig-more#sha384')],
    ['SHA-512', outline('xmldsig-more#rsa-sha512', 'xmlenc#sha512')],
    ['inclusive prefixes', outline('xmldsig-more#rsa-sha256', 'xmlenc#sha256', inclusive)],
    ['Windows line ends', outline('xmldsig-more#rsa-sha256', 'xmlenc#sha256').replaceAll('\n', '\r\n')],
  ])('is accepted with %s', (_, template) => {
    const bytes = verify(signedByXmlsec(template, testKey.privateKeyPem));
    expect(parseLogoutRequest(bytes).nameId).toBe('anna\r\u2028\u2029 & Ünal');
  });

  test.each([
    ['P-256 and SHA-256', 'P-256', 'xmldsig-more#ecdsa-sha256'],
    ['P-384 and SHA-384', 'P-384', 'xmldsig-more#ecdsa-sha384'],
    ['P-521 and SHA-512', 'P-521', 'xmldsig-more#ecdsa-sha512'],
  ])('is accepted with an ECDSA key, %s', (_, curve, method) => {
    const key = makeKey('curve', ['ec', '-pkeyopt', `ec_paramgen_curve:${curve}`]);
    const xml = signedByXmlsec(outline(method, 'xmlenc#sha256'), key.privateKeyPem);
    expect(parseLogoutRequest(verify(xml, key.certificate)).issuer).toBe(sp);
    expect(codeOf(() => verify(xml.replace('anna', 'root'), key.certificate))).toBe('signature_invalid');
  });
});

describe('the signature of a posted message', () => {
  test('returns the signed bytes without the signature', () => {
    expect(verify(genuine)).toBe(unsigned);
    expect(verify(`<?xml version="1.0"?>\n${genuine.replace('<saml:NameID ', '<saml:NameID\n')}`)).toBe(unsigned);
  });

  test.each([
    ['no signature', 'signature_missing', unsigned],
    ['a changed name', 'signature_invalid', genuine.replace('anna@', 'root@')],
    ['a changed ID', 'signature_invalid', genuine.replaceAll('_out', '_other')],
    ['a foreign key', 'signature_invalid', buildLogoutRequest(draft, foreignKey)],
    ['SHA-1', 'algorithm_refused', signed({ signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' })],
    ['a SHA-1 digest', 'algorithm_refused', signed({ digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1' })],
    [
      'RSA-PSS',
      'algorithm_refused',
      signed({ signatureAlgorithm: 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1' }),
    ],
    ['a signature over something else', 'signature_invalid', signed({ isEmptyUri: true })],
    ['two signatures', 'signature_invalid', genuine.replace(signature, signature + signature)],
    [
      'a signature that is not directly within',
      'signature_invalid',
      unsigned.replace('<saml:NameID', `<samlp:Extensions>${signature}</samlp:Extensions><saml:NameID`),
    ],
    ['an ID that is there twice', 'id_repeated', genuine.replace('<saml:NameID', '<saml:NameID ID="_out"')],
    ['a comment', 'markup_forbidden', genuine.replace('anna', 'anna<!---->')],
  ])('is refused with %s', (_, code, xml) => {
    expect(codeOf(() => verify(xml))).toBe(code);
  });

  test.each([
    ['too short', makeKey('short', ['rsa:1024']), 'algorithm_refused'],
    ['of another curve', makeKey('curve', ['ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1']), 'algorithm_refused'],
    ['of another kind', makeKey('edwards', ['ed25519']), 'algorithm_refused'],
  ])('is refused with a key that is %s', (_, key, code) => {
    expect(codeOf(() => verify(genuine, key.certificate))).toBe(code);
  });

  test('is refused with a key of another type than its algorithm, in both directions', () => {
    expect(codeOf(() => verify(genuine, ecKey.certificate))).toBe('signature_invalid');
    expect(codeOf(() => verify(buildLogoutRequest(draft, ecKey), testKey.certificate))).toBe('signature_invalid');
    const renamed = genuine.replace('#rsa-sha256', '#ecdsa-sha256');
    expect(codeOf(() => verify(renamed, ecKey.certificate))).toBe('signature_invalid');
    expect(codeOf(() => verify(renamed))).toBe('signature_invalid');
  });

  test('is refused when the registered certificate cannot be read', () => {
    expect(codeOf(() => verify(genuine, 'nonsense'))).toBe('certificate_unreadable');
  });

  test('is refused on a message of thousands of elements', () => {
    const junk = `<samlp:Extensions>${'<x a=""/>'.repeat(2_900)}</samlp:Extensions><saml:NameID`;
    expect(codeOf(() => verify(genuine.replace('<saml:NameID', junk)))).toBe('signature_invalid');
  });
});
