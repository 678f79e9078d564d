import { type KeyObject, sign, verify } from 'node:crypto';

export const exclusiveCanonicalization = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const envelopedSignature = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
export const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
export const ecdsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256';
export const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

type SignatureAlgorithm = { keyType: 'rsa' | 'ec'; hash: string };

/** The accepted signature algorithms. SHA-1, HMAC and RSA-PSS are deliberately missing. */
export const signatureAlgorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  [rsaSha256, { keyType: 'rsa', hash: 'sha256' }],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha384', { keyType: 'rsa', hash: 'sha384' }],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', { keyType: 'rsa', hash: 'sha512' }],
  [ecdsaSha256, { keyType: 'ec', hash: 'sha256' }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384', { keyType: 'ec', hash: 'sha384' }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512', { keyType: 'ec', hash: 'sha512' }],
]);

export const digestHashes: ReadonlyMap<string, string> = new Map([
  [sha256, 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#sha384', 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
]);

/** The algorithm with which a private key signs. */
export const signatureAlgorithmOf = (privateKey: KeyObject): string =>
  privateKey.asymmetricKeyType === 'ec' ? ecdsaSha256 : rsaSha256;

type DsaEncoding = 'ieee-p1363' | 'der';

/** XML Signature concatenates the two integers of an ECDSA signature. Node's default encoding is DER. */
const concatenated = 'ieee-p1363';

/** An RSA key has no encoding, and goes without options because Node takes 40 µs longer for a key in an object. */
const withEncoding = (key: KeyObject, dsaEncoding: DsaEncoding) =>
  key.asymmetricKeyType === 'rsa' ? key : { key, dsaEncoding };

export const signBytes = (bytes: Buffer, privateKey: KeyObject): string =>
  sign('sha256', bytes, withEncoding(privateKey, concatenated)).toString('base64');

/** A key of another type than the algorithm's never verifies, so that a sender cannot choose how our key is used. */
export const isSignedBy = (
  algorithm: string,
  bytes: Buffer,
  key: KeyObject,
  value: Buffer,
  dsaEncoding: DsaEncoding = concatenated,
): boolean => {
  const known = signatureAlgorithms.get(algorithm);
  return known?.keyType === key.asymmetricKeyType && verify(known?.hash, bytes, withEncoding(key, dsaEncoding), value);
};
