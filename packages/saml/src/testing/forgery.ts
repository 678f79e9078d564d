import { type HashAlgorithmType, type SignatureAlgorithmType, SignedXml } from 'xml-crypto';
import { envelopedSignature, exclusiveCanonicalization, rsaSha256, sha256 } from '../signature/algorithms.ts';
import { type TestKey, testKey } from './keys.ts';

export type Parts = {
  open: string;
  issuer: string;
  signature: string;
  status: string;
  /** Including its signature. */
  assertion: string;
  assertionSignature: string;
  /** Without its signature. */
  bareAssertion: string;
};

const responseParts =
  /^(<samlp:Response[^>]*>)(<saml:Issuer.*?<\/saml:Issuer>)(<ds:Signature.*?<\/ds:Signature>)(<samlp:Status>.*<\/samlp:Status>)(<saml:Assertion.*<\/saml:Assertion>)<\/samlp:Response>$/s;

const signaturePattern = /<ds:Signature .*?<\/ds:Signature>/s;

export const takeApart = (xml: string): Parts => {
  const [, open = '', issuer = '', signature = '', status = '', assertion = ''] = responseParts.exec(xml) ?? [];
  const [assertionSignature = ''] = signaturePattern.exec(assertion) ?? [];
  const bareAssertion = assertion.replace(assertionSignature, '');
  return { open, issuer, signature, status, assertion, assertionSignature, bareAssertion };
};

export const response = (open: string, ...children: string[]): string => `${open}${children.join('')}</samlp:Response>`;

/** Changes the NameID to another person and the ID to `id`. */
export const evil = (xml: string, id = '_evil'): string =>
  xml.replace(/ ID="[^"]*"/, ` ID="${id}"`).replaceAll('anna@example.com', 'root@example.com');

/** Inserts markup before the end of the first element with this name. */
export const within = (xml: string, name: string, inserted: string): string =>
  xml.replace(`</${name}>`, `${inserted}</${name}>`);

export type SignOptions = {
  key?: TestKey;
  signatureAlgorithm?: SignatureAlgorithmType;
  digestAlgorithm?: HashAlgorithmType;
  transforms?: string[];
  canonicalization?: string;
  isEmptyUri?: boolean;
  alsoSign?: string;
};

/** Signs with xml-crypto, an implementation other than ours, with options that ours never uses. */
export const signBy = (
  xml: string,
  element: 'Response' | 'Assertion' | 'LogoutRequest',
  options: SignOptions = {},
): string => {
  const { key = testKey, signatureAlgorithm = rsaSha256, digestAlgorithm = sha256 } = options;
  const { transforms = [envelopedSignature, exclusiveCanonicalization], isEmptyUri = false } = options;
  const signed = new SignedXml({ privateKey: key.privateKeyPem, publicCert: key.certificatePem });
  signed.signatureAlgorithm = signatureAlgorithm;
  signed.canonicalizationAlgorithm = options.canonicalization ?? exclusiveCanonicalization;
  const owner = `//*[local-name()='${element}']`;
  signed.addReference({ xpath: owner, transforms, digestAlgorithm, isEmptyUri });
  if (options.alsoSign) signed.addReference({ xpath: options.alsoSign, transforms, digestAlgorithm });
  const location = { reference: `${owner}/*[local-name()='Issuer']`, action: 'after' } as const;
  signed.computeSignature(xml, { prefix: 'ds', location });
  return signed.getSignedXml();
};
