import { expect, test } from 'vitest';
import { buildLogoutResponse, parseLogoutResponse } from '../messages/logout-response.ts';
import { verifyPostSignature } from '../signature/verify-signature.ts';
import { codeOf } from '../testing/errors.ts';
import { testKey } from '../testing/keys.ts';
import { sp } from '../testing/samples.ts';
import { sloUrl } from '../testing/service-provider.ts';
import { readSoap, soapEnvelope } from './soap-binding.ts';

const draft = { id: '_1', issuer: sp, destination: sloUrl, issueInstant: new Date(), inResponseTo: '_2' };
const xml = buildLogoutResponse({ ...draft, status: 'Success' }, testKey);

test('a message in a SOAP envelope keeps its signature', () => {
  const message = verifyPostSignature(readSoap(soapEnvelope(xml)), [testKey.certificate]);
  expect(parseLogoutResponse(message)).toMatchObject({ success: true, inResponseTo: '_2' });
});

test('an envelope of another sender may declare namespaces outside of the message', () => {
  const spread = xml.replace(' xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"', '');
  const envelope = `<?xml version="1.0"?><S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/" xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"><S:Header/><S:Body>\n${spread}\n</S:Body></S:Envelope>`;
  expect(parseLogoutResponse(readSoap(envelope)).success).toBe(true);
});

test.each([
  ['no envelope', xml, 'message_unexpected'],
  ['an empty body', soapEnvelope(''), 'message_unexpected'],
  ['two messages', soapEnvelope(`${xml}${xml}`), 'message_unexpected'],
  ['a fault', soapEnvelope('<soap:Fault><faultstring>No such session</faultstring></soap:Fault>'), 'status_failure'],
  ['a document type', `<!DOCTYPE a>${soapEnvelope(xml)}`, 'markup_forbidden'],
])('%s is refused', (_, envelope, code) => {
  expect(codeOf(() => readSoap(envelope))).toBe(code);
});
