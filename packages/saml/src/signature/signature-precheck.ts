import { createHash, type KeyObject, verify } from 'node:crypto';
import { ExclusiveCanonicalization } from 'xml-crypto';
import { childrenNamed, type Element, requiredAttribute, requiredChild, textOf } from '../xml/xml-reader.ts';
import { digestHashes, signatureHashes } from './algorithms.ts';

const canonicalBytes = (element: Element, inclusiveNamespacesPrefixList: string[] = []): Buffer => {
  // xml-crypto is typed for the browser's DOM; it only walks the nodes.
  const node = element as unknown as globalThis.Element;
  return Buffer.from(new ExclusiveCanonicalization().process(node, { inclusiveNamespacesPrefixList }));
};

const hashOf = (hashes: ReadonlyMap<string, string>, method: Element): string =>
  hashes.get(requiredAttribute(method, 'Algorithm')) ?? '';

const signatureHolds = (signature: Element, keys: readonly KeyObject[]): boolean => {
  const signedInfo = requiredChild(signature, 'ds:SignedInfo');
  const value = Buffer.from(textOf(requiredChild(signature, 'ds:SignatureValue')), 'base64');
  const hash = hashOf(signatureHashes, requiredChild(signedInfo, 'ds:SignatureMethod'));
  return keys.some((key) => verify(hash, canonicalBytes(signedInfo), key, value));
};

const prefixesOf = (transforms: Element): string[] => {
  const [, canonicalization] = childrenNamed(transforms, 'ds:Transform');
  const inclusive = canonicalization && childrenNamed(canonicalization, 'ec:InclusiveNamespaces')[0];
  return inclusive ? requiredAttribute(inclusive, 'PrefixList').split(/\s+/) : [];
};

/** The signature is taken out for a moment: copying the element instead takes xmldom quadratic time. */
const bytesWithoutSignature = (root: Element, signature: Element, prefixes: string[]): Buffer => {
  const next = signature.nextSibling;
  root.removeChild(signature);
  try {
    return canonicalBytes(root, prefixes);
  } finally {
    root.insertBefore(signature, next);
  }
};

const digestHolds = (root: Element, signature: Element): boolean => {
  const reference = requiredChild(requiredChild(signature, 'ds:SignedInfo'), 'ds:Reference');
  const hash = hashOf(digestHashes, requiredChild(reference, 'ds:DigestMethod'));
  const expected = Buffer.from(textOf(requiredChild(reference, 'ds:DigestValue')), 'base64');
  const prefixes = prefixesOf(requiredChild(reference, 'ds:Transforms'));
  const digest = createHash(hash)
    .update(bytesWithoutSignature(root, signature, prefixes))
    .digest();
  return digest.equals(expected);
};

/**
 * The key first, then the digest, for a signature over the root. xml-crypto searches the whole document many times before it
 * looks at the key: a second of work for 20 kB from a stranger. What fails here never gets that far.
 */
export const holdsAtFirstSight = (root: Element, signature: Element, keys: readonly KeyObject[]): boolean =>
  signatureHolds(signature, keys) && digestHolds(root, signature);
