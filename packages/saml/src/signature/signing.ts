import { hash, sign } from 'node:crypto';
import { namespaces } from '../xml/names.ts';
import {
  canonicalAround,
  declaredPrefixes,
  escapeAttribute,
  type Written,
  write,
  type XmlElement,
} from '../xml/xml-writer.ts';
import { envelopedSignature, exclusiveCanonicalization, rsaSha256, sha256 } from './algorithms.ts';
import type { SigningKey } from './keys.ts';

const declaration = ` xmlns:ds="${namespaces.ds}"`;

type SignedInfo = { id: string; prefixes: readonly string[]; digest: string };

/**
 * In canonical form as it stands: what varies are an id, prefixes and base64. A SignedInfo is signed alone, declaring its
 * namespace, and sent within a Signature that has declared it.
 */
const signedInfo = ({ id, prefixes, digest }: SignedInfo, declared = ''): string => {
  const inclusive = `<ec:InclusiveNamespaces xmlns:ec="${namespaces.ec}" PrefixList="${prefixes.join(' ')}"></ec:InclusiveNamespaces>`;
  return (
    `<ds:SignedInfo${declared}>` +
    `<ds:CanonicalizationMethod Algorithm="${exclusiveCanonicalization}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${rsaSha256}"></ds:SignatureMethod>` +
    `<ds:Reference URI="#${id}">` +
    `<ds:Transforms><ds:Transform Algorithm="${envelopedSignature}"></ds:Transform>` +
    `<ds:Transform Algorithm="${exclusiveCanonicalization}">${prefixes.length > 0 ? inclusive : ''}</ds:Transform></ds:Transforms>` +
    `<ds:DigestMethod Algorithm="${sha256}"></ds:DigestMethod>` +
    `<ds:DigestValue>${digest}</ds:DigestValue>` +
    `</ds:Reference></ds:SignedInfo>`
  );
};

/** The same element with a signature over itself after its Issuer, which is where the schema puts it. */
export const signElement = (target: XmlElement, key: SigningKey): Written => {
  const { text, insert } = canonicalAround(target);
  const prefixes = declaredPrefixes(target);
  const info = { id: escapeAttribute(target.attributes.ID ?? ''), prefixes, digest: hash('sha256', text, 'base64') };
  const value = sign('sha256', Buffer.from(signedInfo(info, declaration)), key.privateKey).toString('base64');
  const signature =
    `<ds:Signature${declaration}>${signedInfo(info)}<ds:SignatureValue>${value}</ds:SignatureValue>` +
    `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${key.certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature>`;
  return { canonical: insert(signature), declares: prefixes };
};

/** Messages for the redirect binding stay unsigned here: their signature is in the address. */
export const writeMessage = (message: XmlElement, key: SigningKey | undefined): string =>
  write(key ? signElement(message, key) : message);
