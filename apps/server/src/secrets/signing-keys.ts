import { createPrivateKey, type KeyObject } from 'node:crypto';

const years = 10;

/** Generates an RSA-2048 key with a self-signed certificate for SAML. `privateKey` is PKCS #8 in DER encoding. */
export const makeSigningKey = async (name: string): Promise<{ privateKey: Buffer; certificate: string }> => {
  // The certificate library is large and only needed when a network is created.
  await import('reflect-metadata');
  const { X509CertificateGenerator } = await import('@peculiar/x509');
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const notBefore = new Date(Date.now() - 60_000);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}, O=OpenSocial SSO`,
    notBefore,
    notAfter: new Date(notBefore.getTime() + years * 365 * 86_400_000),
    signingAlgorithm: algorithm,
    keys,
  });
  const der = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { privateKey: Buffer.from(der), certificate: Buffer.from(certificate.rawData).toString('base64') };
};

export const openSigningKey = (privateKey: Buffer): KeyObject =>
  createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
