import { hash } from 'node:crypto';
import { namespaces } from '../xml/names.ts';
import {
  canonicalWithInsertion,
  declaredPrefixes,
  escapeAttribute,
  type Written,
  write,
  type XmlElement,
} from '../xml/xml-writer.ts';
import {
  envelopedSignature,
  exclusiveCanonicalization,
  sha256,
  signatureAlgorithmOf,
  signBytes,
} from './algorithms.ts';
import type { SigningKey } from './keys.ts';

const declaration = ` xmlns:ds="${namespaces.ds}"`;

type SignedInfo = { id: string; algorithm: string; prefixes: readonly string[]; digest: string };

/**
 * Writes SignedInfo directly in canonical form; only an id, prefixes and base64 vary. For signing, SignedInfo stands
 * alone and declares its namespace; in the message, the enclosing Signature declares it.
 */
const signedInfo = ({ id, algorithm, prefixes, digest }: SignedInfo, declared = ''): string => {
  const inclusive = `<ec:InclusiveNamespaces xmlns:ec="${namespaces.ec}" PrefixList="${prefixes.join(' ')}"></ec:InclusiveNamespaces>`;
  return (
    `<ds:SignedInfo${declared}>` +
    `<ds:CanonicalizationMethod Algorithm="${exclusiveCanonicalization}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${algorithm}"></ds:SignatureMethod>` +
    `<ds:Reference URI="#${id}">` +
    `<ds:Transforms><ds:Transform Algorithm="${envelopedSignature}"></ds:Transform>` +
    `<ds:Transform Algorithm="${exclusiveCanonicalization}">${prefixes.length > 0 ? inclusive : ''}</ds:Transform></ds:Transforms>` +
    `<ds:DigestMethod Algorithm="${sha256}"></ds:DigestMethod>` +
    `<ds:DigestValue>${digest}</ds:DigestValue>` +
    `</ds:Reference></ds:SignedInfo>`
  );
};

/** Returns the element with an enveloped signature after its Issuer, where the schema requires it. */
export const signElement = (target: XmlElement, key: SigningKey): Written => {
  const { text, insert } = canonicalWithInsertion(target);
  const prefixes = declaredPrefixes(target);
  const info = {
    id: escapeAttribute(target.attributes.ID ?? ''),
    algorithm: signatureAlgorithmOf(key.privateKey),
    prefixes,
    digest: hash('sha256', text, 'base64'),
  };
  const value = signBytes(Buffer.from(signedInfo(info, declaration)), key.privateKey);
  const signature =
    `<ds:Signature${declaration}>${signedInfo(info)}<ds:SignatureValue>${value}</ds:SignatureValue>` +
    `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${key.certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature>`;
  return { canonical: insert(signature), declares: prefixes };
};

/** Without a key the message stays unsigned, for the redirect binding, where the URL is signed. */
export const writeMessage = (message: XmlElement, key: SigningKey | undefined): string =>
  write(key ? signElement(message, key) : message);
