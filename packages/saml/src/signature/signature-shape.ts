import { SamlError } from '../errors.ts';
import {
  childElements,
  childrenNamed,
  descendants,
  type Element,
  hasName,
  optionalAttribute,
  type QualifiedName,
  textOf,
} from '../xml/xml-reader.ts';
import { digestHashes, envelopedSignature, exclusiveCanonicalization, signatureAlgorithms } from './algorithms.ts';

const invalidStructure = (detail: string) => new SamlError('signature_invalid', { detail });

const algorithmOf = (element: Element): string => optionalAttribute(element, 'Algorithm') ?? '';

const refuseAlgorithm = (element: Element): never => {
  throw new SamlError('algorithm_refused', { detail: `${element.localName}: ${algorithmOf(element).slice(0, 300)}` });
};

/** Returns the children of an element if they are exactly the named ones, in this order. */
const exactChildren = (element: Element, ...names: QualifiedName[]): Element[] => {
  const children = childElements(element);
  if (children.length !== names.length || !children.every((child, index) => hasName(child, names[index] ?? 'ds:'))) {
    throw invalidStructure(`${element.localName} must contain ${names.join(', ') || 'no elements'}.`);
  }
  return children;
};

const assertTransforms = (transforms: Element): void => {
  const [enveloped, canonicalization] = exactChildren(transforms, 'ds:Transform', 'ds:Transform') as [Element, Element];
  if (algorithmOf(enveloped) !== envelopedSignature) refuseAlgorithm(enveloped);
  if (algorithmOf(canonicalization) !== exclusiveCanonicalization) refuseAlgorithm(canonicalization);
  exactChildren(enveloped);
  if (childElements(canonicalization).length > 0) exactChildren(canonicalization, 'ec:InclusiveNamespaces');
};

const assertReference = (reference: Element, ownerId: string): void => {
  if (optionalAttribute(reference, 'URI') !== `#${ownerId}`) {
    throw invalidStructure('It does not refer to the element that contains it.');
  }
  const [transforms, digestMethod, digestValue] = exactChildren(
    reference,
    'ds:Transforms',
    'ds:DigestMethod',
    'ds:DigestValue',
  ) as [Element, Element, Element];
  assertTransforms(transforms);
  exactChildren(digestMethod);
  if (!digestHashes.has(algorithmOf(digestMethod))) refuseAlgorithm(digestMethod);
  textOf(digestValue);
};

const assertSignedInfo = (signedInfo: Element, ownerId: string): void => {
  const [canonicalization, signatureMethod, reference] = exactChildren(
    signedInfo,
    'ds:CanonicalizationMethod',
    'ds:SignatureMethod',
    'ds:Reference',
  ) as [Element, Element, Element];
  exactChildren(canonicalization);
  exactChildren(signatureMethod);
  if (algorithmOf(canonicalization) !== exclusiveCanonicalization) refuseAlgorithm(canonicalization);
  if (!signatureAlgorithms.has(algorithmOf(signatureMethod))) refuseAlgorithm(signatureMethod);
  assertReference(reference, ownerId);
};

/** Returns the only signature directly inside its owner, after checking that it has the one structure we accept. */
export const signatureOf = (owner: Element): Element => {
  const [signature, second] = childrenNamed(owner, 'ds:Signature');
  if (!signature) throw new SamlError('signature_missing', { detail: `${owner.localName} has no signature.` });
  if (second) throw invalidStructure(`${owner.localName} has more than one signature.`);

  const keyInfo: QualifiedName[] = childrenNamed(signature, 'ds:KeyInfo').length > 0 ? ['ds:KeyInfo'] : [];
  const parts = exactChildren(signature, 'ds:SignedInfo', 'ds:SignatureValue', ...keyInfo);
  const [signedInfo, signatureValue] = parts as [Element, Element];
  assertSignedInfo(signedInfo, optionalAttribute(owner, 'ID') ?? '');
  textOf(signatureValue);
  return signature;
};

const isInPlace = (signature: Element, root: Element): boolean => {
  const parent = signature.parentNode;
  return parent === root || (parent?.parentNode === root && hasName(parent as Element, 'saml:Assertion'));
};

/** Refuses the preconditions of signature wrapping attacks: a repeated ID, or a signature in an unexpected place. */
export const assertNoWrapping = (root: Element): void => {
  const all = [root, ...descendants(root)];
  const identifiers = all.flatMap((element) =>
    Array.from(element.attributes).filter(({ localName }) => localName?.toLowerCase() === 'id'),
  );
  if (identifiers.some(({ prefix }) => prefix)) throw invalidStructure('An ID has a namespace prefix.');
  if (new Set(identifiers.map(({ value }) => value)).size < identifiers.length) throw new SamlError('id_repeated');
  if (all.some((element) => hasName(element, 'ds:Signature') && !isInPlace(element, root))) {
    throw invalidStructure('There is a signature in an unexpected place.');
  }
};
