import { type KeyObject, X509Certificate } from 'node:crypto';
import { SamlError } from '../errors.ts';

export type SigningKey = {
  privateKey: KeyObject;
  /** Base64 of the DER encoding, without PEM armour. */
  certificate: string;
};

const minimumBits = 2048;

const withoutArmour = (certificate: string) => certificate.replace(/-----[^-]+-----|\s/g, '');

const readCertificate = (certificate: string): KeyObject => {
  try {
    return new X509Certificate(Buffer.from(withoutArmour(certificate), 'base64')).publicKey;
  } catch (cause) {
    throw new SamlError('certificate_unreadable', { cause });
  }
};

/**
 * Validity dates and issuers of certificates are ignored: in SAML, trust comes from registering the certificate itself.
 */
export const publicKeyOf = (certificate: string): KeyObject => {
  const key = readCertificate(certificate);
  if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < minimumBits) {
    throw new SamlError('algorithm_refused', { detail: `The key must be RSA of at least ${minimumBits} bits.` });
  }
  return key;
};

const armoured = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g;

/** Reads the certificates in pasted text: PEM blocks, or bare base64 separated by blank lines. */
export const parseCertificates = (text: string): string[] => {
  const inArmour = [...text.matchAll(armoured)].map(([, body]) => body ?? '');
  const bodies = inArmour.length > 0 ? inArmour : text.split(/\n\s*\n|\n(?=MII)/);
  const found = bodies.map((body) => body.replaceAll(/\s/g, '')).filter(Boolean);
  for (const certificate of found) publicKeyOf(certificate);
  return [...new Set(found)];
};
