import { describe, expect, test } from 'vitest';
import { readRedirect, redirectUrl } from '../bindings/redirect-binding.ts';
import { verifyMessage } from '../bindings/verify-message.ts';
import { verifyPostSignature } from '../signature/verify-signature.ts';
import { codeOf } from '../testing/errors.ts';
import { foreignKey, testKey } from '../testing/keys.ts';
import { idp, sp } from '../testing/samples.ts';
import { serviceProvider, sloUrl } from '../testing/service-provider.ts';
import { acceptedByXmlsec } from '../testing/xmlsec.ts';
import { nameIdFormats } from '../xml/names.ts';
import { buildLogoutRequest, parseLogoutRequest } from './logout-request.ts';
import { buildLogoutResponse, parseLogoutResponse } from './logout-response.ts';

const slsUrl = 'https://wiki.example.org/saml/sls';
const nameId = { value: 'anna & <co>@example.com', format: nameIdFormats.emailAddress };
const header = { id: '_out', issuer: idp, destination: slsUrl, issueInstant: new Date() };
const notOnOrAfter = new Date(Date.now() + 300_000);
const requestDraft = { ...header, nameId, sessionIndex: '_session1', notOnOrAfter };
const responseDraft = { ...header, inResponseTo: '_asked', status: 'Success' } as const;

const queryOf = (url: string) => url.slice(url.indexOf('?') + 1);
const overRedirect = (kind: 'SAMLRequest' | 'SAMLResponse', xml: string) =>
  queryOf(redirectUrl({ location: slsUrl, kind, xml, relayState: 'next', key: testKey }));
const nodeSamlReadsRedirect = (query: string) =>
  serviceProvider().validateRedirectAsync(Object.fromEntries(new URLSearchParams(query)), query);
const base64 = (xml: string) => Buffer.from(xml).toString('base64');

describe('a request to sign out', () => {
  test('is read as it was built', () => {
    const expected = { nameId: nameId.value, nameIdFormat: nameId.format, sessionIndexes: ['_session1'], notOnOrAfter };
    expect(parseLogoutRequest(buildLogoutRequest(requestDraft))).toEqual({ ...header, ...expected });
  });

  test('is accepted by node-saml over redirect, and refused when changed', async () => {
    const query = overRedirect('SAMLRequest', buildLogoutRequest(requestDraft));
    const { profile, loggedOut } = await nodeSamlReadsRedirect(query);
    expect(loggedOut).toBe(true);
    expect(profile).toMatchObject({ ID: '_out', issuer: idp, nameID: nameId.value, sessionIndex: '_session1' });
    await expect(nodeSamlReadsRedirect(query.replace('RelayState=n', 'RelayState=m'))).rejects.toThrow('signature');
  });

  test('is accepted by node-saml and xmlsec1 over post, and refused when changed', async () => {
    const xml = buildLogoutRequest(requestDraft, testKey);
    const { profile } = await serviceProvider().validatePostRequestAsync({ SAMLRequest: base64(xml) });
    expect(profile).toMatchObject({ nameID: nameId.value, sessionIndex: '_session1' });
    expect(acceptedByXmlsec(xml, testKey.certificatePem, '/LogoutRequest')).toBe(true);

    const changed = xml.replace('anna', 'root');
    await expect(serviceProvider().validatePostRequestAsync({ SAMLRequest: base64(changed) })).rejects.toThrow(
      'signature',
    );
    expect(acceptedByXmlsec(changed, testKey.certificatePem, '/LogoutRequest')).toBe(false);
    expect(codeOf(() => verifyPostSignature(changed, [testKey.certificate]))).toBe('signature_invalid');
    expect(parseLogoutRequest(verifyPostSignature(xml, [testKey.certificate])).nameId).toBe(nameId.value);
  });

  test('is read from node-saml', async () => {
    const user = { nameID: nameId.value, nameIDFormat: nameId.format, sessionIndex: '_session1', issuer: idp };
    const url = await serviceProvider().getLogoutUrlAsync(user, 'state', {});
    const message = readRedirect(queryOf(url));
    const request = parseLogoutRequest(verifyMessage(message, [foreignKey.certificate]));
    expect(request).toMatchObject({
      issuer: sp,
      nameId: nameId.value,
      sessionIndexes: ['_session1'],
      destination: sloUrl,
    });
  });

  test('is refused unsigned, wrapped, or without a name', () => {
    const xml = buildLogoutRequest(requestDraft, testKey);
    const verify = (changed: string) => codeOf(() => verifyPostSignature(changed, [testKey.certificate]));
    const evilOpen = '<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_evil">';
    expect(verify(buildLogoutRequest(requestDraft))).toBe('signature_missing');
    expect(verify(`${evilOpen}${xml}</samlp:LogoutRequest>`)).toBe('signature_invalid');
    expect(verify(`${evilOpen}<samlp:Extensions>${xml}</samlp:Extensions></samlp:LogoutRequest>`)).toBe(
      'signature_invalid',
    );
    const nameless = buildLogoutRequest(requestDraft).replace(/<saml:NameID.*<\/saml:NameID>/, '');
    expect(codeOf(() => parseLogoutRequest(nameless))).toBe('message_unexpected');
  });
});

describe('a response to a request to sign out', () => {
  test.each([
    ['Success', { success: true, partial: false }],
    ['PartialLogout', { success: true, partial: true }],
    ['Requester', { success: false, partial: false }],
    ['Responder', { success: false, partial: false }],
    ['UnknownPrincipal', { success: false, partial: false }],
  ] as const)('is read as it was built with %s', (status, expected) => {
    const read = parseLogoutResponse(buildLogoutResponse({ ...responseDraft, status }));
    expect(read).toMatchObject({ ...header, inResponseTo: '_asked', ...expected });
  });

  test('is accepted by node-saml over redirect, and refused when changed', async () => {
    const query = overRedirect('SAMLResponse', buildLogoutResponse(responseDraft));
    await expect(nodeSamlReadsRedirect(query)).resolves.toEqual({ profile: null, loggedOut: true });
    await expect(nodeSamlReadsRedirect(query.replace('RelayState=n', 'RelayState=m'))).rejects.toThrow('signature');
  });

  test('is accepted by node-saml and xmlsec1 over post, and refused when changed', async () => {
    const xml = buildLogoutResponse(responseDraft, testKey);
    const read = (changed: string) => serviceProvider().validatePostResponseAsync({ SAMLResponse: base64(changed) });
    await expect(read(xml)).resolves.toEqual({ profile: null, loggedOut: true });
    await expect(read(xml.replace('_asked', '_other'))).rejects.toThrow('signature');
    expect(acceptedByXmlsec(xml, testKey.certificatePem, '/LogoutResponse')).toBe(true);
  });

  test('is read from node-saml', async () => {
    const request = { ID: '_asked', issuer: idp, nameID: 'anna', nameIDFormat: nameId.format };
    const read = async (succeeded: boolean) => {
      const url = await serviceProvider().getLogoutResponseUrlAsync(request, 'state', {}, succeeded);
      return parseLogoutResponse(verifyMessage(readRedirect(queryOf(url)), [foreignKey.certificate]));
    };
    expect(await read(true)).toMatchObject({ issuer: sp, inResponseTo: '_asked', success: true });
    expect(await read(false)).toMatchObject({
      success: false,
      status: { code: 'Requester', subcode: 'UnknownPrincipal' },
    });
  });
});
