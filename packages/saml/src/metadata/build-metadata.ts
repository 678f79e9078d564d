import { digestHashes, signatureAlgorithms } from '../signature/algorithms.ts';
import { bindings, nameIdFormats as knownFormats, namespaces } from '../xml/names.ts';
import { element, write, type XmlElement } from '../xml/xml-writer.ts';

export type IdpMetadata = {
  entityId: string;
  ssoUrl: string;
  sloUrl: string;
  /** Single logout with the SOAP binding. */
  soapUrl: string;
  /** The current key first, then the key that will replace it, then former keys that may still be in use. */
  certificates: readonly string[];
  nameIdFormats: readonly string[];
  /** Service providers do not use the metadata after this time. */
  validUntil: Date;
  /** The time after which a service provider reads the metadata again, as an xs:duration. */
  cacheDuration: string;
};

export type SpMetadata = { entityId: string; acsUrl: string; slsUrl: string; certificates: readonly string[] };

const keyElement = (certificate: string): XmlElement =>
  element('md:KeyDescriptor', { use: 'signing' }, [
    element('ds:KeyInfo', {}, [element('ds:X509Data', {}, [element('ds:X509Certificate', {}, [certificate])])]),
  ]);

const services = (name: 'md:SingleLogoutService' | 'md:SingleSignOnService', location: string): XmlElement[] =>
  [bindings.redirect, bindings.post].map((binding) => element(name, { Binding: binding, Location: location }));

const formatElement = (format: string): XmlElement => element('md:NameIDFormat', {}, [format]);

/**
 * The algorithms with which we accept signatures, the preferred ones first. Without this list, some service providers sign messages
 * of the SOAP binding with SHA-1.
 */
const algorithmsElement = (): XmlElement =>
  element('md:Extensions', {}, [
    ...[...digestHashes.keys()].map((Algorithm) => element('alg:DigestMethod', { Algorithm })),
    ...[...signatureAlgorithms.keys()].map((Algorithm) => element('alg:SigningMethod', { Algorithm })),
  ]);

export const buildIdpMetadata = (metadata: IdpMetadata): string => {
  const attributes = { WantAuthnRequestsSigned: 'false', protocolSupportEnumeration: namespaces.samlp };
  const descriptor = element('md:IDPSSODescriptor', attributes, [
    algorithmsElement(),
    ...metadata.certificates.map(keyElement),
    ...services('md:SingleLogoutService', metadata.sloUrl),
    element('md:SingleLogoutService', { Binding: bindings.soap, Location: metadata.soapUrl }),
    ...metadata.nameIdFormats.map(formatElement),
    ...services('md:SingleSignOnService', metadata.ssoUrl),
  ]);
  const { entityId: entityID, cacheDuration } = metadata;
  const validUntil = metadata.validUntil.toISOString();
  return write(element('md:EntityDescriptor', { entityID, validUntil, cacheDuration }, [descriptor]));
};

export const buildSpMetadata = (metadata: SpMetadata): string => {
  const attributes = {
    AuthnRequestsSigned: 'true',
    WantAssertionsSigned: 'true',
    protocolSupportEnumeration: namespaces.samlp,
  };
  const descriptor = element('md:SPSSODescriptor', attributes, [
    ...metadata.certificates.map(keyElement),
    ...services('md:SingleLogoutService', metadata.slsUrl),
    formatElement(knownFormats.emailAddress),
    element('md:AssertionConsumerService', {
      Binding: bindings.post,
      Location: metadata.acsUrl,
      index: '0',
      isDefault: 'true',
    }),
  ]);
  return write(element('md:EntityDescriptor', { entityID: metadata.entityId }, [descriptor]));
};
