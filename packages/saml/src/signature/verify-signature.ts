import { createHash, type KeyObject } from 'node:crypto';
import { type HashAlgorithm, type SignatureAlgorithm, SignedXml } from 'xml-crypto';
import { SamlError } from '../errors.ts';
import { protectCharacters } from '../xml/characters.ts';
import { toDomElement } from '../xml/dom-element.ts';
import { type Element, parseXml } from '../xml/xml-reader.ts';
import { digestHashes, isSignedBy, signatureAlgorithms } from './algorithms.ts';
import { publicKeyOf } from './keys.ts';
import { precheckSignature } from './signature-precheck.ts';
import { assertNoWrapping, signatureOf } from './signature-shape.ts';

const signatureAlgorithm = (name: string): (new () => SignatureAlgorithm) =>
  class {
    getAlgorithmName = () => name;
    verifySignature = (signedInfo: string, key: KeyObject, value: string) =>
      isSignedBy(name, Buffer.from(signedInfo), key, Buffer.from(value, 'base64'));
    getSignature = (): never => {
      throw new TypeError('Signatures are made in signing.ts.');
    };
  };

const hashAlgorithm = (name: string, hash: string): (new () => HashAlgorithm) =>
  class {
    getAlgorithmName = () => name;
    getHash = (xml: string) => createHash(hash).update(xml).digest('base64');
  };

const acceptedSignatures = Object.fromEntries(
  [...signatureAlgorithms.keys()].map((name) => [name, signatureAlgorithm(name)]),
);
const acceptedHashes = Object.fromEntries([...digestHashes].map(([name, hash]) => [name, hashAlgorithm(name, hash)]));

const checkWithKey = (xml: string, signature: Element, key: KeyObject): string | undefined => {
  const signed = new SignedXml({ publicCert: key, getCertFromKeyInfo: () => null });
  signed.SignatureAlgorithms = acceptedSignatures;
  signed.HashAlgorithms = acceptedHashes;
  // xml-crypto parses the document again and finds its copy of the signature by SignatureValue.
  signed.loadSignature(toDomElement(signature));
  if (!signed.checkSignature(protectCharacters(xml))) return undefined;
  const [bytes, ...others] = signed.getSignedReferences();
  return others.length === 0 ? bytes : undefined;
};

/**
 * Verifies the signature of `owner`, an element of `xml`, and returns the signed bytes. Callers must read nothing else
 * afterwards.
 */
export const signedBytes = (xml: string, owner: Element, certificates: readonly string[]): string => {
  const signature = signatureOf(owner);
  const keys = certificates.map(publicKeyOf);
  const isRoot = owner.parentNode === owner.ownerDocument;
  if (isRoot && !precheckSignature(owner, signature, keys)) throw new SamlError('signature_invalid');

  let cause: unknown;
  for (const key of keys) {
    try {
      const bytes = checkWithKey(xml, signature, key);
      if (bytes !== undefined) return bytes;
    } catch (error) {
      cause = error;
    }
  }
  throw new SamlError('signature_invalid', { cause });
};

/**
 * Verifies the enveloped signature over the root of a message and returns the signed bytes. Callers must read nothing
 * else.
 */
export const verifyPostSignature = (xml: string, certificates: readonly string[]): string => {
  const root = parseXml(xml);
  assertNoWrapping(root);
  return signedBytes(xml, root, certificates);
};
