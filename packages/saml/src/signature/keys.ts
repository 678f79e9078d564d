import { type KeyObject, X509Certificate } from 'node:crypto';
import { SamlError } from '../errors.ts';

export type SigningKey = {
  privateKey: KeyObject;
  /** Base64 of the DER encoding, without PEM armour. */
  certificate: string;
};

const minimumBits = 2048;
const curves = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

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
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  const isAccepted = key.asymmetricKeyType === 'rsa' ? modulusLength >= minimumBits : curves.has(namedCurve);
  if (!isAccepted) {
    const detail = `The key must be RSA of at least ${minimumBits} bits, or ECDSA on the curve P-256, P-384 or P-521.`;
    throw new SamlError('algorithm_refused', { detail });
  }
  return key;
};

/** Returns the public key of a certificate that assertions are encrypted for. Only RSA keys can transport a key. */
export const encryptionKeyOf = (certificate: string): KeyObject => {
  const key = publicKeyOf(certificate);
  if (key.asymmetricKeyType === 'rsa') return key;
  throw new SamlError('algorithm_refused', { detail: 'A certificate for encryption must have an RSA key.' });
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
