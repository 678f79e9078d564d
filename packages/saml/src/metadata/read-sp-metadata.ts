import { SamlError } from '../errors.ts';
import { publicKeyOf } from '../signature/keys.ts';
import { bindings } from '../xml/names.ts';
import { flagAttribute, optionalIndex } from '../xml/values.ts';
import {
  childrenNamed,
  descendants,
  type Element,
  hasName,
  optionalAttribute,
  parseXml,
  requiredAttribute,
  textOf,
} from '../xml/xml-reader.ts';

/** What we read from the metadata of a service provider. */
export type SpDescription = {
  entityId: string;
  acsUrl: string;
  /** Undefined if the service provider does not support single logout. */
  slsUrl: string | undefined;
  /** Its signing certificates with a key that we accept. */
  certificates: string[];
  signsRequests: boolean;
};

const unexpected = (detail: string) => new SamlError('message_unexpected', { detail });

/** Metadata is often written by hand and contains comments, which `assertPlainMarkup` refuses. */
const withoutComments = (xml: string): string => {
  const kept: string[] = [];
  let from = 0;
  for (let open = xml.indexOf('<!--'); open !== -1; open = xml.indexOf('<!--', from)) {
    const close = xml.indexOf('-->', open + 4);
    // An unclosed comment stays in the text, so that `assertPlainMarkup` refuses it.
    if (close === -1) break;
    kept.push(xml.slice(from, open));
    from = close + 3;
  }
  return [...kept, xml.slice(from)].join('');
};

const isServiceProvider = (entity: Element): boolean => childrenNamed(entity, 'md:SPSSODescriptor').length > 0;

const isIdentityProvider = (entity: Element): boolean => childrenNamed(entity, 'md:IDPSSODescriptor').length > 0;

const requireServiceProvider = (root: Element): Element => {
  const entities = [root, ...descendants(root)].filter((element) => hasName(element, 'md:EntityDescriptor'));
  const [entity, second] = entities.filter(isServiceProvider);
  if (second) throw unexpected('This metadata describes several service providers. Enter the metadata of one of them.');
  if (entity) return entity;
  if (entities.some(isIdentityProvider))
    throw unexpected(
      'This is the metadata of an identity provider and describes no service provider. Use the metadata that the application itself provides as a service provider.',
    );
  throw unexpected(
    entities.length > 0
      ? 'This metadata describes no service provider.'
      : 'This XML is not SAML metadata: it has no EntityDescriptor.',
  );
};

/** The service that is marked as the default, otherwise the one with the lowest index. */
const chooseAcs = (descriptor: Element): string => {
  const services = childrenNamed(descriptor, 'md:AssertionConsumerService')
    .filter((service) => optionalAttribute(service, 'Binding') === bindings.post)
    .toSorted((one, other) => (optionalIndex(one, 'index') ?? 0) - (optionalIndex(other, 'index') ?? 0));
  const chosen = services.find((service) => flagAttribute(service, 'isDefault')) ?? services[0];
  if (!chosen) throw unexpected('This metadata names no address that takes an answer by HTTP-POST.');
  return requiredAttribute(chosen, 'Location');
};

/** We prefer the redirect binding for logout messages. */
const chooseSls = (descriptor: Element): string | undefined => {
  const services = childrenNamed(descriptor, 'md:SingleLogoutService');
  const by = (binding: string) => services.find((service) => optionalAttribute(service, 'Binding') === binding);
  const chosen = by(bindings.redirect) ?? by(bindings.post);
  return chosen && requiredAttribute(chosen, 'Location');
};

const isAccepted = (certificate: string): boolean => {
  try {
    return publicKeyOf(certificate) !== undefined;
  } catch {
    return false;
  }
};

const signingCertificates = (descriptor: Element): string[] => {
  const found = childrenNamed(descriptor, 'md:KeyDescriptor')
    .filter((key) => (optionalAttribute(key, 'use') ?? 'signing') === 'signing')
    .flatMap(descendants)
    .filter((element) => hasName(element, 'ds:X509Certificate'))
    .map((element) => textOf(element).replaceAll(/\s/g, ''));
  return [...new Set(found)].filter(isAccepted);
};

export const readSpMetadata = (xml: string): SpDescription => {
  // A byte order mark is not part of the XML.
  const entity = requireServiceProvider(
    parseXml(
      withoutComments(xml)
        .replace(/^\uFEFF/, '')
        .trim(),
    ),
  );
  const [descriptor] = childrenNamed(entity, 'md:SPSSODescriptor');
  if (!descriptor) throw unexpected('This metadata describes no service provider.');
  return {
    entityId: requiredAttribute(entity, 'entityID'),
    acsUrl: chooseAcs(descriptor),
    slsUrl: chooseSls(descriptor),
    certificates: signingCertificates(descriptor),
    signsRequests: flagAttribute(descriptor, 'AuthnRequestsSigned'),
  };
};
