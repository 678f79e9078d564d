import { setImmediate } from 'node:timers/promises';
import { SamlError } from '../errors.ts';
import { ecdsaSha256 } from '../signature/algorithms.ts';
import { encryptionKeyOf, publicKeyOf } from '../signature/keys.ts';
import { type attributeNameFormats, bindings, attributeNameFormats as formats, namespaces } from '../xml/names.ts';
import type { MarkupLimits } from '../xml/plain-markup.ts';
import { flagAttribute, optionalIndex, optionalInstant } from '../xml/values.ts';
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
import { decodeMetadata, toPlainMarkup } from './metadata-text.ts';
import { type EntityXml, splitEntities } from './split-entities.ts';

type AcsEndpoint = { index: number; url: string };

type LogoutEndpoint = {
  binding: keyof typeof bindings;
  url: string;
  /** Where responses go, if it is another address than that for requests. */
  responseUrl: string | undefined;
};

type RequestedAttribute = {
  name: string;
  nameFormat: keyof typeof attributeNameFormats;
  friendlyName: string | undefined;
  isRequired: boolean;
};

/** The attributes that a service provider wants, by an index that a request may name. */
type AttributeService = { index: number; attributes: RequestedAttribute[] };

/** The values that we read from the metadata of a service provider. */
export type SpDescription = {
  entityId: string;
  /** The assertion consumer services with the POST binding, the default one first. */
  acs: [AcsEndpoint, ...AcsEndpoint[]];
  /** Empty if the service provider does not support single logout. */
  logout: LogoutEndpoint[];
  /** Its signing certificates with a key that we accept. */
  certificates: string[];
  /** Its certificates for encryption with a key that we accept. */
  encryptionCertificates: string[];
  signsRequests: boolean;
  wantsAssertionsSigned: boolean;
  /** Whether it lists the algorithm that we use with an ECDSA key. Most service providers list no algorithms. */
  verifiesEcdsa: boolean;
  nameIdFormats: string[];
  /** The default one first. */
  attributeServices: AttributeService[];
  /** Until when the metadata may be used. */
  validUntil: Date | undefined;
  /** Full sentences about what an administrator should know. */
  warnings: string[];
};

/** A service provider in a document that describes several. */
export type ListedEntity = { entityId: string; name: string };

const maximumEntities = 50_000;

/** Metadata comes from administrators, and a service provider in a federation may have dozens of endpoints and languages. */
const metadataLimits: MarkupLimits = { bytes: 1024 * 1024, elements: 20_000, attributes: 50_000 };

const unexpected = (detail: string) => new SamlError('message_unexpected', { detail });

/**
 * Reads a metadata document. If it describes several service providers and `entityId` names none of them, the answer is the list to choose
 * from.
 */
export const readSpMetadata = async (
  bytes: Uint8Array,
  entityId?: string,
  now = new Date(),
): Promise<SpDescription | ListedEntity[]> => {
  const { entities, providers } = await findEntities(bytes);
  if (entityId !== undefined) return describe(requireEntity(providers, entityId), now);
  const [only, second] = providers;
  if (second) return providers.map(({ entityId: id, name }) => ({ entityId: id, name }));
  return describe(only ?? refuseDocument(entities), now);
};

/**
 * Reads the given service providers of a metadata document, which is split only once. A service provider that is missing or cannot be read
 * has the error instead of its description.
 */
export const readSpMetadataOf = async (
  bytes: Uint8Array,
  entityIds: readonly string[],
  now = new Date(),
): Promise<Map<string, SpDescription | SamlError>> => {
  const { providers } = await findEntities(bytes);
  const wanted = new Set(entityIds);
  const found = new Map<string, SpDescription | SamlError>();
  for (const provider of providers) {
    if (!wanted.has(provider.entityId) || found.has(provider.entityId)) continue;
    found.set(provider.entityId, describeOrError(provider, now));
    await setImmediate();
  }
  const missing = unexpected('This metadata does not describe the service provider with the identity of this site.');
  return new Map(entityIds.map((entityId) => [entityId, found.get(entityId) ?? missing]));
};

const describeOrError = (provider: EntityXml, now: Date): SpDescription | SamlError => {
  try {
    return describe(provider, now);
  } catch (error) {
    if (error instanceof SamlError) return error;
    throw error;
  }
};

const findEntities = async (bytes: Uint8Array) => {
  const entities = await splitEntities(toPlainMarkup(decodeMetadata(bytes)), maximumEntities);
  return { entities, providers: entities.filter(({ isServiceProvider }) => isServiceProvider) };
};

const requireEntity = (providers: EntityXml[], entityId: string): EntityXml => {
  const found = providers.find((provider) => provider.entityId === entityId);
  if (!found) throw unexpected('This metadata no longer describes the chosen service provider. Read it again.');
  return found;
};

const refuseDocument = (entities: EntityXml[]): never => {
  if (entities.length === 0) throw unexpected('This XML is not SAML metadata: it has no EntityDescriptor.');
  const isIdentityProvider = entities.some(({ xml }) => /<(?:[\w.-]+:)?IDPSSODescriptor[\s/>]/.test(xml));
  throw unexpected(
    isIdentityProvider
      ? 'This is the metadata of an identity provider and describes no service provider. Use the metadata that the application itself offers as a service provider.'
      : 'This metadata describes no service provider.',
  );
};

const describe = ({ xml }: EntityXml, now: Date): SpDescription => {
  const entity = parseXml(xml, metadataLimits);
  if (!hasName(entity, 'md:EntityDescriptor'))
    throw unexpected('This XML is not SAML metadata: it has no EntityDescriptor.');
  const descriptor = requireDescriptor(entity);
  const signing = readCertificates(descriptor, 'signing', publicKeyOf);
  const encryption = readCertificates(descriptor, 'encryption', encryptionKeyOf);
  const signsRequests = flagAttribute(descriptor, 'AuthnRequestsSigned');
  const validUntil = earliestEnd([entity, descriptor]);
  if (signsRequests && signing.accepted.length === 0) throw unexpected(missingCertificate(signing.refused));
  return {
    entityId: requiredAttribute(entity, 'entityID'),
    acs: readAcs(descriptor),
    logout: readLogout(descriptor),
    certificates: signing.accepted,
    encryptionCertificates: encryption.accepted,
    signsRequests,
    wantsAssertionsSigned: flagAttribute(descriptor, 'WantAssertionsSigned'),
    verifiesEcdsa: [descriptor, entity].some(listsEcdsa),
    nameIdFormats: childrenNamed(descriptor, 'md:NameIDFormat').map((format) => textOf(format).trim()),
    attributeServices: readAttributeServices(descriptor),
    validUntil,
    warnings: [
      ...expiryWarnings(validUntil, now),
      ...signing.refused.map((reason) => `A signing certificate was left out. ${reason}`),
      ...encryption.refused.map((reason) => `A certificate for encryption was left out. ${reason}`),
    ],
  };
};

/** Older entities also have a descriptor for SAML 1.1, which has other endpoints. */
const requireDescriptor = (entity: Element): Element => {
  const speaksSaml2 = (descriptor: Element) =>
    (optionalAttribute(descriptor, 'protocolSupportEnumeration') ?? namespaces.samlp)
      .split(/\s+/)
      .includes(namespaces.samlp);
  const descriptor = childrenNamed(entity, 'md:SPSSODescriptor').find(speaksSaml2);
  if (!descriptor) throw unexpected('This service provider does not support SAML 2.0.');
  return descriptor;
};

const listsEcdsa = (element: Element): boolean =>
  childrenNamed(element, 'md:Extensions')
    .flatMap((extensions) => childrenNamed(extensions, 'alg:SigningMethod'))
    .some((method) => optionalAttribute(method, 'Algorithm') === ecdsaSha256);

const missingCertificate = (refused: string[]): string =>
  refused.length === 0
    ? 'This service provider signs its requests (AuthnRequestsSigned), but its metadata has no signing certificate, so the signatures could not be verified. Ask for complete metadata.'
    : `This service provider signs its requests (AuthnRequestsSigned), but its signing certificate cannot be used. ${refused[0]} Ask for a new certificate.`;

const earliestEnd = (elements: Element[]): Date | undefined =>
  elements
    .flatMap((element) => optionalInstant(element, 'validUntil') ?? [])
    .toSorted((one, other) => one.getTime() - other.getTime())[0];

const expiryWarnings = (validUntil: Date | undefined, now: Date): string[] =>
  validUntil && validUntil <= now
    ? [
        `This metadata expired on ${validUntil.toISOString().slice(0, 10)}. Ask for the current metadata of the application.`,
      ]
    : [];

/** The standard's order: the first marked as default, otherwise the first that is not marked as no default, otherwise the first. */
const defaultFirst = <T>(endpoints: { element: Element; value: T }[]): T[] => {
  const chosen =
    endpoints.find(({ element }) => flagAttribute(element, 'isDefault')) ??
    endpoints.find(({ element }) => optionalAttribute(element, 'isDefault') === undefined) ??
    endpoints[0];
  const others = endpoints.filter((endpoint) => endpoint !== chosen);
  return [...(chosen ? [chosen] : []), ...others].map(({ value }) => value);
};

const readAcs = (descriptor: Element): SpDescription['acs'] => {
  const services = childrenNamed(descriptor, 'md:AssertionConsumerService')
    .filter((service) => optionalAttribute(service, 'Binding') === bindings.post)
    .map((element) => ({
      element,
      value: { index: optionalIndex(element, 'index') ?? 0, url: requiredAttribute(element, 'Location').trim() },
    }));
  const [first, ...others] = defaultFirst(services);
  if (!first) throw unexpected('This metadata has no assertion consumer service with the HTTP-POST binding.');
  return [first, ...others];
};

const bindingNames = Object.entries(bindings) as [keyof typeof bindings, string][];

/** The first endpoint of each binding that we support. */
const readLogout = (descriptor: Element): LogoutEndpoint[] => {
  const services = childrenNamed(descriptor, 'md:SingleLogoutService');
  return bindingNames.flatMap(([binding, uri]) => {
    const service = services.find((each) => optionalAttribute(each, 'Binding') === uri);
    if (!service) return [];
    const responseUrl = optionalAttribute(service, 'ResponseLocation')?.trim();
    return [{ binding, url: requiredAttribute(service, 'Location').trim(), responseUrl }];
  });
};

const readAttributeServices = (descriptor: Element): AttributeService[] =>
  defaultFirst(
    childrenNamed(descriptor, 'md:AttributeConsumingService').map((element) => ({
      element,
      value: {
        index: optionalIndex(element, 'index') ?? 0,
        attributes: childrenNamed(element, 'md:RequestedAttribute').map(readAttribute),
      },
    })),
  );

/** A name without a format, or with one that we do not know, is unspecified. */
const nameFormatOf = (uri: string | undefined): RequestedAttribute['nameFormat'] => {
  if (uri === formats.uri) return 'uri';
  return uri === formats.basic ? 'basic' : 'unspecified';
};

const readAttribute = (requested: Element): RequestedAttribute => ({
  name: requiredAttribute(requested, 'Name'),
  nameFormat: nameFormatOf(optionalAttribute(requested, 'NameFormat')),
  friendlyName: optionalAttribute(requested, 'FriendlyName'),
  isRequired: flagAttribute(requested, 'isRequired'),
});

/** A key without `use` serves both purposes. */
const readCertificates = (
  descriptor: Element,
  use: 'signing' | 'encryption',
  check: (certificate: string) => unknown,
) => {
  const found = childrenNamed(descriptor, 'md:KeyDescriptor')
    .filter((key) => (optionalAttribute(key, 'use') ?? use) === use)
    .flatMap((key) => {
      const isShared = optionalAttribute(key, 'use') === undefined;
      return descendants(key)
        .filter((element) => hasName(element, 'ds:X509Certificate'))
        .map((element) => ({ certificate: textOf(element).replaceAll(/\s/g, ''), isShared }));
    });
  const accepted = new Set<string>();
  const refused = new Set<string>();
  for (const { certificate, isShared } of found) {
    const reason = refusalOf(certificate, check);
    if (reason === undefined) accepted.add(certificate);
    // An ECDSA key for both purposes signs; that it cannot encrypt is no fault of the metadata.
    else if (!(isShared && use === 'encryption')) refused.add(reason);
  }
  return { accepted: [...accepted], refused: [...refused] };
};

const refusalOf = (certificate: string, check: (certificate: string) => unknown): string | undefined => {
  try {
    check(certificate);
    return undefined;
  } catch (error) {
    if (error instanceof SamlError) return error.detail ?? error.message;
    throw error;
  }
};
