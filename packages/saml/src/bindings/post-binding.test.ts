import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildAuthnRequest } from '../messages/authn-request.ts';
import { codeOf } from '../testing/errors.ts';
import { foreignKey, testKey } from '../testing/keys.ts';
import { acsUrl, sp } from '../testing/samples.ts';
import { ssoUrl } from '../testing/service-provider.ts';
import { postForm, readPost } from './post-binding.ts';
import { verifyMessage } from './verify-message.ts';

const draft = { id: '_1', issuer: sp, destination: ssoUrl, acsUrl, issueInstant: new Date() };
const xml = buildAuthnRequest(draft, testKey);
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a posted form', () => {
  test('round-trips message and relay state byte for byte', () => {
    const property = fc.property(fc.option(fc.string({ unit: 'binary' }), { nil: undefined }), (relayState) => {
      const { action, fields } = postForm({ location: ssoUrl, kind: 'SAMLRequest', xml, relayState });
      expect(action).toBe(ssoUrl);
      expect(readPost(fields)).toMatchObject({ binding: 'post', kind: 'SAMLRequest', xml, relayState });
    });
    fc.assert(property, { numRuns: 100 });
  });

  test('has its signature inside the XML', () => {
    const message = readPost(postForm({ location: ssoUrl, kind: 'SAMLRequest', xml }).fields);
    expect(verifyMessage(message, [testKey.certificate])).toContain('<samlp:AuthnRequest');
    expect(codeOf(() => verifyMessage(message, [foreignKey.certificate]))).toBe('signature_invalid');
  });

  test('may be compressed, as if for the redirect binding', () => {
    const compressed = deflateRawSync(xml).toString('base64');
    expect(readPost({ SAMLRequest: compressed })).toMatchObject({ kind: 'SAMLRequest', xml });
    const bomb = deflateRawSync(Buffer.alloc(10_000_000, '<')).toString('base64');
    expect(codeOf(() => readPost({ SAMLRequest: bomb }))).toBe('message_too_large');
    expect(codeOf(() => readPost({ SAMLRequest: base64('neither XML nor compressed') }))).toBe('message_undecodable');
  });

  test('may wrap its base64', () => {
    const wrapped = base64(xml).replace(/(.{76})/g, '$1\r\n');
    expect(readPost({ SAMLResponse: wrapped })).toMatchObject({ kind: 'SAMLResponse', xml, relayState: undefined });
  });

  test('refuses a javascript: location', () => {
    const send = () => postForm({ location: 'javascript:alert(1)', kind: 'SAMLResponse', xml });
    expect(codeOf(send)).toBe('location_refused');
  });

  test.each([
    ['no message', {}, 'message_missing'],
    ['two messages', { SAMLRequest: base64(xml), SAMLResponse: base64(xml) }, 'parameter_repeated'],
    ['something other than base64', { SAMLRequest: xml }, 'message_undecodable'],
    ['URL-safe base64', { SAMLRequest: '-_-_' }, 'message_undecodable'],
    ['10 MB', { SAMLRequest: 'A'.repeat(10_000_000) }, 'message_too_large'],
    ['a document type', { SAMLRequest: base64('<!DOCTYPE a><a/>') }, 'markup_forbidden'],
  ])('is refused with %s', (_, fields, code) => {
    expect(codeOf(() => readPost(fields))).toBe(code);
  });
});
