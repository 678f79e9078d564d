// First, because the certificate library needs it.
import 'reflect-metadata';
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { SigningAlgorithm } from '@opensocial/contract';
import { X509CertificateGenerator } from '@peculiar/x509';

const validDays = 2 * 365;
const day = 86_400_000;

const rsa = (modulusLength: number) => ({
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength,
});

const generators: Record<SigningAlgorithm, RsaHashedKeyGenParams | (EcKeyGenParams & { hash: string })> = {
  'rsa-2048': rsa(2048),
  'rsa-3072': rsa(3072),
  'rsa-4096': rsa(4096),
  'ec-p256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
};

export type MadeKey = { algorithm: SigningAlgorithm; privateKey: Buffer; certificate: string; notAfter: Date };

/** Generates a key with a self-signed certificate for SAML. `privateKey` is PKCS #8 in DER encoding. */
export const makeSigningKey = async (name: string, algorithm: SigningAlgorithm = 'rsa-2048'): Promise<MadeKey> => {
  const signingAlgorithm = generators[algorithm];
  const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const notBefore = new Date(Date.now() - 60_000);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}, O=OpenSocial SSO`,
    notBefore,
    notAfter: new Date(notBefore.getTime() + validDays * day),
    signingAlgorithm,
    keys,
  });
  const der = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    algorithm,
    privateKey: Buffer.from(der),
    certificate: Buffer.from(certificate.rawData).toString('base64'),
    notAfter: certificate.notAfter,
  };
};

export const openSigningKey = (privateKey: Buffer): KeyObject =>
  createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });

/** The SHA-256 fingerprint of a certificate, as other software shows it, and the time when the certificate expires. */
export const describeCertificate = (certificate: string): { fingerprint: string; notAfter: Date } => {
  const { fingerprint256, validToDate } = new X509Certificate(Buffer.from(certificate, 'base64'));
  return { fingerprint: fingerprint256, notAfter: validToDate };
};

export const toPem = (certificate: string): string =>
  ['-----BEGIN CERTIFICATE-----', ...(certificate.match(/.{1,64}/g) ?? []), '-----END CERTIFICATE-----'].join('\n');
