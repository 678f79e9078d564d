import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml';
import { foreignKey, testKey } from './keys.ts';
import { acsUrl, idp, sp } from './samples.ts';

export const ssoUrl = 'https://sso.example.com/saml/main/sso';
export const sloUrl = 'https://sso.example.com/saml/main/slo';

/** A service provider that uses node-saml, an independent implementation, with its own key. */
export const serviceProvider = (changes: Partial<SamlConfig> = {}): SAML =>
  new SAML({
    callbackUrl: acsUrl,
    issuer: sp,
    audience: sp,
    entryPoint: ssoUrl,
    logoutUrl: sloUrl,
    idpIssuer: idp,
    idpCert: testKey.certificate,
    privateKey: foreignKey.privateKeyPem,
    publicCert: foreignKey.certificatePem,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: true,
    validateInResponseTo: ValidateInResponseTo.never,
    ...changes,
  });

export const receive = async (provider: SAML, xml: string) => {
  const { profile } = await provider.validatePostResponseAsync({ SAMLResponse: Buffer.from(xml).toString('base64') });
  return profile;
};
