import { expect, test } from 'vitest';
import { buildLogoutResponse, parseLogoutResponse } from '../messages/logout-response.ts';
import { codeOf } from '../testing/errors.ts';
import { testKey } from '../testing/keys.ts';
import { sp } from '../testing/samples.ts';
import { sloUrl } from '../testing/service-provider.ts';
import { readSoap, soapEnvelope, soapFault } from './soap-binding.ts';
import { verifyMessage } from './verify-message.ts';

const draft = { id: '_1', issuer: sp, destination: sloUrl, issueInstant: new Date(), inResponseTo: '_2' };
const read = (envelope: string) => readSoap('SAMLResponse', Buffer.from(envelope));
const xml = buildLogoutResponse({ ...draft, status: 'Success' }, testKey);

test('a message in a SOAP envelope keeps its signature', () => {
  const message = verifyMessage(read(soapEnvelope(xml)), [testKey.certificate]);
  expect(parseLogoutResponse(message)).toMatchObject({ success: true, inResponseTo: '_2' });
});

test('an envelope of another sender may declare namespaces outside of the message', () => {
  const spread = xml.replace(' xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"', '');
  const envelope = `<?xml version="1.0"?><S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/" xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"><S:Header/><S:Body>\n${spread}\n</S:Body></S:Envelope>`;
  expect(parseLogoutResponse(read(envelope).xml).success).toBe(true);
});

test.each([
  ['no envelope', xml, 'message_unexpected'],
  ['an empty body', soapEnvelope(''), 'message_unexpected'],
  ['two messages', soapEnvelope(`${xml}${xml}`), 'message_unexpected'],
  ['a fault', soapFault('Server', 'No such <session> & more'), 'status_failure'],
  ['a message that is too long', soapEnvelope(`<a>${'x'.repeat(300_000)}</a>`), 'message_too_large'],
  ['a document type', `<!DOCTYPE a>${soapEnvelope(xml)}`, 'markup_forbidden'],
])('%s is refused', (_, envelope, code) => {
  expect(codeOf(() => read(envelope))).toBe(code);
});
