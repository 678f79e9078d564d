import { createHash, type KeyObject } from 'node:crypto';
import { ExclusiveCanonicalization } from 'xml-crypto';
import { toDomElement } from '../xml/dom-element.ts';
import { childrenNamed, type Element, requiredAttribute, requiredChild, textOf } from '../xml/xml-reader.ts';
import { digestHashes, isSignedBy } from './algorithms.ts';

const canonicalBytes = (element: Element, inclusiveNamespacesPrefixList: string[] = []): Buffer => {
  const node = toDomElement(element);
  return Buffer.from(new ExclusiveCanonicalization().process(node, { inclusiveNamespacesPrefixList }));
};

const isSignatureValid = (signature: Element, keys: readonly KeyObject[]): boolean => {
  const signedInfo = requiredChild(signature, 'ds:SignedInfo');
  const value = Buffer.from(textOf(requiredChild(signature, 'ds:SignatureValue')), 'base64');
  const algorithm = requiredAttribute(requiredChild(signedInfo, 'ds:SignatureMethod'), 'Algorithm');
  return keys.some((key) => isSignedBy(algorithm, canonicalBytes(signedInfo), key, value));
};

const prefixesOf = (transforms: Element): string[] => {
  const [, canonicalization] = childrenNamed(transforms, 'ds:Transform');
  const inclusive = canonicalization && childrenNamed(canonicalization, 'ec:InclusiveNamespaces')[0];
  return inclusive ? requiredAttribute(inclusive, 'PrefixList').split(/\s+/) : [];
};

/** Removes the signature temporarily. Cloning the element instead would take quadratic time in xmldom. */
const bytesWithoutSignature = (root: Element, signature: Element, prefixes: string[]): Buffer => {
  const next = signature.nextSibling;
  root.removeChild(signature);
  try {
    return canonicalBytes(root, prefixes);
  } finally {
    root.insertBefore(signature, next);
  }
};

const isDigestValid = (root: Element, signature: Element): boolean => {
  const reference = requiredChild(requiredChild(signature, 'ds:SignedInfo'), 'ds:Reference');
  const hash = digestHashes.get(requiredAttribute(requiredChild(reference, 'ds:DigestMethod'), 'Algorithm')) ?? '';
  const expected = Buffer.from(textOf(requiredChild(reference, 'ds:DigestValue')), 'base64');
  const prefixes = prefixesOf(requiredChild(reference, 'ds:Transforms'));
  const digest = createHash(hash)
    .update(bytesWithoutSignature(root, signature, prefixes))
    .digest();
  return digest.equals(expected);
};

/**
 * Cheap check of a signature over the root: first the signature value, then the digest. xml-crypto searches the whole
 * document many times before it checks the key, which costs a second of CPU time for a 20 kB message from an
 * unauthenticated sender. Messages that fail this check never reach xml-crypto.
 */
export const precheckSignature = (root: Element, signature: Element, keys: readonly KeyObject[]): boolean =>
  isSignatureValid(signature, keys) && isDigestValid(root, signature);
