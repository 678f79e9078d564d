import { buildLogoutResponse } from '../messages/logout-response.ts';
import { buildStatusResponse } from '../messages/response.ts';
import { testKey } from './keys.ts';
import { idp, requestId } from './samples.ts';
import { type Attack, bothSigned, draft, genuine, otherDraft, unsigned } from './victim.ts';

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000);

export const markup: Attack[] = [
  ['a comment in the name', 'markup_forbidden', genuine.replace('anna@', 'anna@<!---->')],
  ['a processing instruction in the name', 'markup_forbidden', genuine.replace('anna@', 'anna@<?x?>')],
  ['CDATA in the name', 'markup_forbidden', genuine.replace('anna@', '<![CDATA[anna@]]>')],
  [
    'an element in the name',
    'message_unexpected',
    bothSigned(unsigned.replace('>anna@example.com</saml:NameID', '>anna<x/>@example.com</saml:NameID')),
  ],
  ['a document type', 'markup_forbidden', `<!DOCTYPE Response>${genuine}`],
  [
    'an entity',
    'markup_forbidden',
    `<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>${genuine.replace('anna@', '&a;')}`,
  ],
  ['an undeclared entity', 'xml_malformed', genuine.replace('anna@', '&anna;')],
  ['a style sheet', 'markup_forbidden', `<?xml-stylesheet href="x"?>${genuine}`],
  ['a reference to a control character', 'markup_forbidden', genuine.replace('anna@', 'anna@&#0;')],
  ['text after the end', 'xml_malformed', `${genuine}x`],
  ['a second root', 'xml_malformed', genuine + genuine],
  [
    'another message',
    'message_unexpected',
    buildLogoutResponse({ ...draft, inResponseTo: requestId, status: 'Success' }, testKey),
  ],
];

export const contents: Attack[] = [
  ['another issuer', 'issuer_mismatch', otherDraft({ issuer: 'https://evil.example.com' })],
  [
    'another issuer of the assertion only',
    'issuer_mismatch',
    bothSigned(unsigned.replace(/(<saml:Assertion.*?)metadata</s, '$1other<')),
  ],
  [
    'another issuer of the response only',
    'issuer_mismatch',
    bothSigned(unsigned.replace(`${idp}<`, 'https://evil.example.com<')),
  ],
  [
    'another destination and recipient',
    'destination_mismatch',
    otherDraft({ destination: 'https://evil.example.com/acs' }),
  ],
  ['no destination', 'destination_mismatch', bothSigned(unsigned.replace(/ Destination="[^"]*"/, ''))],
  [
    'another recipient',
    'recipient_mismatch',
    bothSigned(unsigned.replace('Recipient="https://wiki', 'Recipient="https://evil')),
  ],
  ['no recipient', 'recipient_mismatch', bothSigned(unsigned.replace(/ Recipient="[^"]*"/, ''))],
  ['another audience', 'audience_mismatch', otherDraft({ audience: 'https://evil.example.com' })],
  [
    'two audiences',
    'audience_mismatch',
    bothSigned(
      unsigned.replace('<saml:Audience>', '<saml:Audience>https://evil.example.com</saml:Audience><saml:Audience>'),
    ),
  ],
  [
    'a second audience after ours',
    'audience_mismatch',
    bothSigned(
      unsigned.replace('</saml:Audience>', '</saml:Audience><saml:Audience>https://evil.example.com</saml:Audience>'),
    ),
  ],
  [
    'no audience',
    'audience_mismatch',
    bothSigned(unsigned.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '')),
  ],
  ['an answer to another request', 'in_response_to_mismatch', otherDraft({ inResponseTo: '_other' })],
  ['an unsolicited answer', 'in_response_to_mismatch', otherDraft({ inResponseTo: undefined })],
  [
    'a response that answers another request than its assertion',
    'in_response_to_mismatch',
    bothSigned(unsigned.replace(`InResponseTo="${requestId}"`, 'InResponseTo="_other"')),
  ],
  [
    'an assertion that answers another request',
    'in_response_to_mismatch',
    bothSigned(unsigned.replace(`ionData InResponseTo="${requestId}"`, 'ionData InResponseTo="_other"')),
  ],
  ['an assertion that expired', 'expired', otherDraft({ issueInstant: minutesFromNow(-6) })],
  ['a confirmation that expired', 'expired', bothSigned(unsigned.replace(/(ionData .*?NotOnOrAfter="20)../, '$101'))],
  [
    'no end of the confirmation',
    'message_unexpected',
    bothSigned(unsigned.replace(/(ionData .*?) NotOnOrAfter="[^"]*"/, '$1')),
  ],
  ['an assertion that is not yet valid', 'not_yet_valid', otherDraft({ issueInstant: minutesFromNow(5) })],
  ['a session that is over', 'expired', otherDraft({ sessionNotOnOrAfter: minutesFromNow(-5) })],
  [
    'a failure with a valid assertion',
    'status_failure',
    bothSigned(unsigned.replace('status:Success', 'status:Responder')),
  ],
  [
    'a failure',
    'status_failure',
    buildStatusResponse({ ...draft, status: { code: 'Responder', subcode: 'AuthnFailed' } }, testKey),
  ],
  [
    'a subject that is not its bearer',
    'message_unexpected',
    bothSigned(unsigned.replace('cm:bearer', 'cm:sender-vouches')),
  ],
  ['two names', 'message_unexpected', bothSigned(unsigned.replace(/(<saml:NameID.*<\/saml:NameID>)/, '$1$1'))],
  [
    'an attribute given twice',
    'message_unexpected',
    bothSigned(unsigned.replace(/(<saml:Attribute Name="email".*?<\/saml:Attribute>)/, '$1$1')),
  ],
  ['an ID that is no xs:ID', 'message_unexpected', otherDraft({ id: '0' })],
  ['another version', 'message_unexpected', bothSigned(unsigned.replace('Version="2.0"', 'Version="1.1"'))],
];
