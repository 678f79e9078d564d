import { authnContexts, type RequestedAuthnContext } from '@opensocial/saml';
import { describe, expect, test } from 'vitest';
import { chooseAuthnContext, requiredFactors } from './authn-context.ts';

const { passwordProtectedTransport: password, timeSyncToken, refedsMfa, refedsSfa, unspecified } = authnContexts;
const x509 = 'urn:oasis:names:tc:SAML:2.0:ac:classes:X509';
const asks = (comparison: RequestedAuthnContext['comparison'], ...classes: string[]) => ({ comparison, classes });

describe('the authentication that a response states', () => {
  test.each([
    [null, password],
    ['device', password],
    ['email', password],
    ['totp', timeSyncToken],
    ['passkey', refedsMfa],
    ['recovery', refedsMfa],
  ] as const)('without a request, after %s', (mfa, stated) => {
    expect(chooseAuthnContext(undefined, mfa)).toBe(stated);
  });

  test.each([
    [asks('exact', password), null, password],
    [asks('exact', password), 'passkey', password],
    [asks('exact', refedsMfa, password), null, password],
    [asks('exact', refedsMfa, password), 'totp', refedsMfa],
    [asks('exact', refedsMfa), 'email', undefined],
    [asks('exact', refedsMfa), 'device', undefined],
    [asks('exact', timeSyncToken), 'passkey', undefined],
    [asks('exact', timeSyncToken), 'totp', timeSyncToken],
    [asks('exact', refedsSfa), null, refedsSfa],
    [asks('exact', unspecified), null, unspecified],
    [asks('exact', x509), 'passkey', undefined],
    [asks('exact', x509, password), null, password],
    [asks('minimum', password), null, password],
    [asks('minimum', password), 'totp', refedsMfa],
    [asks('minimum', timeSyncToken), null, undefined],
    [asks('minimum', timeSyncToken), 'passkey', refedsMfa],
    [asks('minimum', x509), 'passkey', undefined],
    [asks('maximum', password), 'totp', password],
    [asks('better', password), null, undefined],
    [asks('better', password), 'recovery', refedsMfa],
    [asks('better', refedsMfa), 'totp', undefined],
    [asks('exact'), 'totp', undefined],
  ] as const)('%j after %s is %s', (requested, mfa, stated) => {
    expect(chooseAuthnContext({ ...requested, classes: [...requested.classes] }, mfa)).toBe(stated);
  });

  test('says which second factors would satisfy a request', () => {
    expect(requiredFactors(undefined)).toBeUndefined();
    expect(requiredFactors(asks('exact', password))).toBeUndefined();
    expect(requiredFactors(asks('exact', refedsMfa))).toEqual(['passkey', 'totp', 'recovery']);
    expect(requiredFactors(asks('exact', timeSyncToken))).toEqual(['totp']);
    expect(requiredFactors(asks('exact', x509))).toEqual([]);
  });
});
