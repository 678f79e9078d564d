import { createHash, sign } from 'node:crypto';
import { envelopedSignature, exclusiveCanonicalization, rsaSha256, sha256 } from './algorithms.ts';
import type { SigningKey } from './keys.ts';
import {
  canonical,
  canonicalAround,
  declaredPrefixes,
  element,
  type Written,
  write,
  type XmlElement,
} from './xml-writer.ts';

const canonicalizationTransform = (target: XmlElement): XmlElement => {
  const prefixes = declaredPrefixes(target);
  const inclusive = prefixes.length > 0 && element('ec:InclusiveNamespaces', { PrefixList: prefixes.join(' ') });
  return element('ds:Transform', { Algorithm: exclusiveCanonicalization }, [inclusive || undefined]);
};

const signedInfoFor = (target: XmlElement, text: string): XmlElement =>
  element('ds:SignedInfo', {}, [
    element('ds:CanonicalizationMethod', { Algorithm: exclusiveCanonicalization }),
    element('ds:SignatureMethod', { Algorithm: rsaSha256 }),
    element('ds:Reference', { URI: `#${target.attributes.ID}` }, [
      element('ds:Transforms', {}, [
        element('ds:Transform', { Algorithm: envelopedSignature }),
        canonicalizationTransform(target),
      ]),
      element('ds:DigestMethod', { Algorithm: sha256 }),
      element('ds:DigestValue', {}, [createHash('sha256').update(text).digest('base64')]),
    ]),
  ]);

/** The same element with a signature over itself after its Issuer, which is where the schema puts it. */
export const signElement = (target: XmlElement, key: SigningKey): Written => {
  const { text, insert } = canonicalAround(target);
  const signedInfo = signedInfoFor(target, text);
  const value = sign('sha256', Buffer.from(canonical(signedInfo)), key.privateKey).toString('base64');
  const signature = element('ds:Signature', {}, [
    signedInfo,
    element('ds:SignatureValue', {}, [value]),
    element('ds:KeyInfo', {}, [element('ds:X509Data', {}, [element('ds:X509Certificate', {}, [key.certificate])])]),
  ]);
  return insert({ canonical: canonical(signature), declares: [] });
};

/** Messages for the redirect binding stay unsigned here: their signature is in the address. */
export const writeMessage = (message: XmlElement, key: SigningKey | undefined): string =>
  write(key ? signElement(message, key) : message);
