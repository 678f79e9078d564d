import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto';
import { encryptionKeyOf } from '../signature/keys.ts';
import { namespaces } from '../xml/names.ts';
import { type Written, write, type XmlElement } from '../xml/xml-writer.ts';

const contentAlgorithm = 'http://www.w3.org/2009/xmlenc11#aes256-gcm';

/**
 * RSA-OAEP with MGF1 and SHA-1. OAEP does not depend on the collision resistance of the hash function, and no other variant is understood by
 * all service providers.
 */
const keyAlgorithm = `${namespaces.xenc}rsa-oaep-mgf1p`;
const keyDigest = 'http://www.w3.org/2000/09/xmldsig#sha1';

const ivBytes = 12;

const encryptContent = (key: Buffer, text: string): string => {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
};

const encryptKey = (key: Buffer, certificate: string): string => {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return publicEncrypt({ key: encryptionKeyOf(certificate), padding, oaepHash: 'sha1' }, key).toString('base64');
};

const cipherData = (value: string) =>
  `<xenc:CipherData><xenc:CipherValue>${value}</xenc:CipherValue></xenc:CipherData>`;

/**
 * Encrypts an assertion, signed or not, for the owner of a certificate: AES-256-GCM with a new key, which is encrypted with RSA-OAEP. The
 * markup is written in canonical form, because the signature of the response covers it.
 */
export const encryptAssertion = (assertion: XmlElement | Written, certificate: string): Written => {
  const key = randomBytes(32);
  const encryptedKey =
    `<xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${keyAlgorithm}">` +
    `<ds:DigestMethod Algorithm="${keyDigest}"></ds:DigestMethod></xenc:EncryptionMethod>` +
    `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>` +
    `${cipherData(encryptKey(key, certificate))}</xenc:EncryptedKey>`;
  const text =
    `<saml:EncryptedAssertion xmlns:saml="${namespaces.saml}">` +
    `<xenc:EncryptedData xmlns:xenc="${namespaces.xenc}" Type="${namespaces.xenc}Element">` +
    `<xenc:EncryptionMethod Algorithm="${contentAlgorithm}"></xenc:EncryptionMethod>` +
    `<ds:KeyInfo xmlns:ds="${namespaces.ds}">${encryptedKey}</ds:KeyInfo>` +
    `${cipherData(encryptContent(key, write(assertion)))}</xenc:EncryptedData></saml:EncryptedAssertion>`;
  return { canonical: text, declares: [] };
};
