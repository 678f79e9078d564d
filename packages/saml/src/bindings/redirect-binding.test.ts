import { sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildAuthnRequest } from '../messages/authn-request.ts';
import { codeOf } from '../testing/errors.ts';
import { ecKey, foreignKey, testKey } from '../testing/keys.ts';
import { acsUrl, sp } from '../testing/samples.ts';
import { ssoUrl } from '../testing/service-provider.ts';
import { readRedirect, redirectUrl, verifyRedirectSignature } from './redirect-binding.ts';

const xml = buildAuthnRequest({ id: '_1', issuer: sp, destination: ssoUrl, acsUrl, issueInstant: new Date() });
const outgoing = { location: ssoUrl, kind: 'SAMLRequest', xml, relayState: 'a b+c/ü&=', key: testKey } as const;
const queryOf = (url: string) => url.slice(url.indexOf('?') + 1);
const signedQuery = queryOf(redirectUrl(outgoing));
const plainQuery = queryOf(redirectUrl({ ...outgoing, relayState: undefined, key: undefined }));

const deflated = (text: string | Buffer) => encodeURIComponent(deflateRawSync(text).toString('base64'));
const verified = (query: string) => verifyRedirectSignature(readRedirect(query), [testKey.certificate]);

/** Signs a query as encoded by another implementation. */
const signQuery = (query: string, hash = 'sha256') =>
  `${query}&Signature=${encodeURIComponent(sign(hash, Buffer.from(query), testKey.privateKey).toString('base64'))}`;
const algorithm = (name: string) => encodeURIComponent(`http://www.w3.org/2001/04/xmldsig-more#${name}`);

describe('a redirect', () => {
  test('contains message, relay state and signature, which are read back unchanged', () => {
    const message = readRedirect(signedQuery);
    expect(message).toMatchObject({ binding: 'redirect', kind: 'SAMLRequest', xml, relayState: 'a b+c/ü&=' });
    expect(codeOf(() => verifyRedirectSignature(message, [foreignKey.certificate, testKey.certificate]))).toBe(
      'accepted',
    );
  });

  test('is verified with an ECDSA key, in the encoding of XML signatures and in DER', () => {
    const query = queryOf(redirectUrl({ ...outgoing, key: ecKey }));
    const check = (given: string) => verifyRedirectSignature(readRedirect(given), [ecKey.certificate]);
    expect(codeOf(() => check(query))).toBe('accepted');
    const signedPart = query.replace(/&Signature=.*/, '');
    const der = sign('sha256', Buffer.from(signedPart), ecKey.privateKey).toString('base64');
    expect(codeOf(() => check(`${signedPart}&Signature=${encodeURIComponent(der)}`))).toBe('accepted');
    const changed = query.replace('RelayState=a', 'RelayState=b');
    expect(codeOf(() => check(changed))).toBe('signature_invalid');
    expect(codeOf(() => check(signedQuery))).toBe('signature_invalid');
    expect(codeOf(() => verified(query))).toBe('signature_invalid');
  });

  test('can have a location that already has a query', () => {
    const url = redirectUrl({ ...outgoing, location: 'https://a.example/slo?tenant=1' });
    expect(url).toMatch(/^https:\/\/a\.example\/slo\?tenant=1&SAMLRequest=/);
    expect(codeOf(() => verified(new URL(url).search))).toBe('accepted');
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', '/relative', ''])('refuses the location %j', (location) => {
    expect(codeOf(() => redirectUrl({ ...outgoing, location }))).toBe('location_refused');
  });

  test('keeps any relay state byte for byte', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (relayState) => {
      const message = readRedirect(queryOf(redirectUrl({ ...outgoing, relayState })));
      expect(message.relayState).toBe(relayState);
      verifyRedirectSignature(message, [testKey.certificate]);
    });
    fc.assert(property, { numRuns: 100 });
  });

  test('distinguishes an empty relay state from a missing one', () => {
    expect(readRedirect(`${plainQuery}&RelayState=`).relayState).toBe('');
    expect(readRedirect(plainQuery).relayState).toBeUndefined();
  });
});

describe('the signature of a redirect', () => {
  const lowerCase = (query: string) => query.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
  const request = `SAMLRequest=${deflated(xml)}`;

  test.each([
    ['lower-case escapes', signQuery(lowerCase(`${request}&RelayState=%C3%BC%2F&SigAlg=${algorithm('rsa-sha256')}`))],
    ['spaces as plus signs', signQuery(`${request}&RelayState=a+b&SigAlg=${algorithm('rsa-sha256')}`)],
    ['needless escapes', signQuery(`${request}&RelayState=%61%2e&SigAlg=${algorithm('rsa-sha256')}`)],
    [
      'bare base64',
      signQuery(`SAMLRequest=${deflateRawSync(xml).toString('base64')}&SigAlg=${algorithm('rsa-sha256')}`),
    ],
    ['no relay state', signQuery(`${request}&SigAlg=${algorithm('rsa-sha256')}`)],
    ['SHA-384', signQuery(`${request}&SigAlg=${algorithm('rsa-sha384')}`, 'sha384')],
    ['SHA-512', signQuery(`${request}&SigAlg=${algorithm('rsa-sha512')}`, 'sha512')],
    ['parameters in another order', signedQuery.split('&').toReversed().join('&')],
    ['other parameters between', signedQuery.replaceAll('&', '&lang=de&')],
  ])('is valid with %s', (_, query) => {
    expect(codeOf(() => verified(query))).toBe('accepted');
  });

  const sha1 = encodeURIComponent('http://www.w3.org/2000/09/xmldsig#rsa-sha1');

  test.each([
    ['no signature', plainQuery, 'signature_missing'],
    ['a changed relay state', signedQuery.replace('RelayState=a', 'RelayState=b'), 'signature_invalid'],
    [
      'an encoding that was changed on the way',
      signedQuery.replace('RelayState=a', 'RelayState=%61'),
      'signature_invalid',
    ],
    [
      'a relay state that was added',
      signQuery(`${request}&SigAlg=${algorithm('rsa-sha256')}`).concat('&RelayState=x'),
      'signature_invalid',
    ],
    ['a relay state that was removed', signedQuery.replace(/&RelayState=[^&]*/, ''), 'signature_invalid'],
    [
      'another message',
      signedQuery.replace(/SAMLRequest=[^&]*/, `SAMLRequest=${deflated(`${xml} `)}`),
      'signature_invalid',
    ],
    ['another kind of message', signedQuery.replace('SAMLRequest', 'SAMLResponse'), 'signature_invalid'],
    ['SHA-1', signQuery(`${request}&SigAlg=${sha1}`, 'sha1'), 'algorithm_refused'],
    ['another algorithm', signedQuery.replace('rsa-sha256', 'rsa-sha512'), 'signature_invalid'],
    ['a signature that is no base64', signedQuery.replace(/Signature=.*/, 'Signature=%00'), 'message_undecodable'],
    ['a repeated message', `${signedQuery}&SAMLRequest=${deflated('<a/>')}`, 'parameter_repeated'],
    [
      'a repeated message under an escaped name',
      `${signedQuery}&SAML%52equest=${deflated('<a/>')}`,
      'parameter_repeated',
    ],
    ['a repeated relay state', `${signedQuery}&RelayState=`, 'parameter_repeated'],
    ['a repeated signature', `${signedQuery}&Signature=x`, 'parameter_repeated'],
    ['a request and a response', `${signedQuery}&SAMLResponse=${deflated('<a/>')}`, 'parameter_repeated'],
  ])('is refused with %s', (_, query, code) => {
    expect(codeOf(() => verified(query))).toBe(code);
  });

  test('is refused with a foreign certificate, or without certificates', () => {
    const message = readRedirect(signedQuery);
    expect(codeOf(() => verifyRedirectSignature(message, [foreignKey.certificate]))).toBe('signature_invalid');
    expect(codeOf(() => verifyRedirectSignature(message, []))).toBe('signature_invalid');
    expect(codeOf(() => verifyRedirectSignature(message, ['bm8=']))).toBe('certificate_unreadable');
  });
});

describe('a redirect is refused', () => {
  test.each([
    ['10 MB deflated', deflated(Buffer.alloc(10_000_000, 'a'))],
    ['200 MB deflated', deflated(Buffer.alloc(200_000_000, 'a'))],
    ['10 MB as it is', 'A'.repeat(10_000_000)],
    ['one byte too many', deflated('x'.repeat(256 * 1024 + 1))],
  ])('with %s', (_, encoded) => {
    expect(codeOf(() => readRedirect(`SAMLRequest=${encoded}`))).toBe('message_too_large');
  });

  test.each([
    ['no message', 'RelayState=x', 'message_missing'],
    ['an empty message', 'SAMLRequest=', 'message_undecodable'],
    ['a broken escape', 'SAMLRequest=%E0%A4%A', 'message_undecodable'],
    [
      'something that is not deflated',
      `SAMLRequest=${encodeURIComponent(Buffer.from(xml).toString('base64'))}`,
      'message_undecodable',
    ],
    [
      'half a message',
      `SAMLRequest=${encodeURIComponent(deflateRawSync(xml).subarray(0, 100).toString('base64'))}`,
      'message_undecodable',
    ],
    ['another encoding', `${plainQuery}&SAMLEncoding=urn:x`, 'message_undecodable'],
    ['bytes that are not UTF-8', `SAMLRequest=${deflated(Buffer.from([0x3c, 0xff]))}`, 'message_undecodable'],
    ['a document type', `SAMLRequest=${deflated('<!DOCTYPE a><a/>')}`, 'markup_forbidden'],
  ])('with %s', (_, query, code) => {
    expect(codeOf(() => readRedirect(query))).toBe(code);
  });
});
