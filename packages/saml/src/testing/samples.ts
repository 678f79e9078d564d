import type { ResponseExpectations } from '../messages/expectations.ts';
import type { ResponseDraft } from '../messages/response.ts';
import { newSamlId } from '../xml/ids.ts';
import { nameIdFormats } from '../xml/names.ts';
import { testKey } from './keys.ts';

export const idp = 'https://sso.example.com/saml/main/metadata';
export const sp = 'https://wiki.example.org/saml/metadata';
export const acsUrl = 'https://wiki.example.org/saml/acs?tenant=1&lang=en';
export const requestId = '_request0123456789';

export const responseDraft = (changes: Partial<ResponseDraft> = {}): ResponseDraft => ({
  id: newSamlId(),
  assertionId: newSamlId(),
  issuer: idp,
  destination: acsUrl,
  audience: sp,
  inResponseTo: requestId,
  issueInstant: new Date(),
  authnInstant: new Date(),
  sessionIndex: '_session1',
  nameId: { value: 'anna@example.com', format: nameIdFormats.emailAddress },
  attributes: [
    { name: 'email', values: ['anna@example.com'] },
    { name: 'groups', values: ['Editors', 'R&D <Berlin>'] },
  ],
  ...changes,
});

export const responseExpectations = (changes: Partial<ResponseExpectations> = {}): ResponseExpectations => ({
  certificates: [testKey.certificate],
  issuer: idp,
  destination: acsUrl,
  audience: sp,
  inResponseTo: requestId,
  now: new Date(),
  ...changes,
});
