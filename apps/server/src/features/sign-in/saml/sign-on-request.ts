import {
  type AuthnRequest,
  type BoundMessage,
  bindings,
  nameIdFormats,
  parseAuthnRequest,
  SamlError,
  verifyMessage,
} from '@opensocial/saml';
import type { Config } from '../../../config.ts';
import { PageError } from '../../../http/errors.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import type { ResolvedSite } from '../destination/site-cache.ts';
import { SignOnError, type SignOnRequest } from '../flow/sign-on-request.ts';
import { idpAddresses } from './addresses.ts';
import { requiredFactors } from './authn-context.ts';
import { certificatesOf } from './certificates.ts';
import { chooseRelease } from './release.ts';

/**
 * Reads and verifies a request step by step. Until the sender and the return address are known to be registered, an error is a page
 * of our own; after that the service provider gets a SAML status.
 */
export const readSignOnRequest = async (
  config: Config,
  network: string,
  message: BoundMessage,
  resolve: (identity: string) => Promise<ResolvedSite | undefined>,
  observer: RequestObserver,
): Promise<SignOnRequest & ResolvedSite> => {
  const unverified = parseAuthnRequest(message.xml);
  const resolved = await resolve(unverified.issuer);
  if (!resolved) {
    observer.onUnknown(unverified);
    throw unknownApplication();
  }
  const { destination } = resolved;
  try {
    const request = verifySignature(destination, message, unverified);
    const checked = { ...resolved, ...checkRequest(config, network, message, { destination, request }) };
    observer.onAccepted(destination, request);
    return checked;
  } catch (error) {
    observer.onRefused(destination, unverified, error);
    throw error;
  }
};

/** Called with the outcome of reading a request. It must not throw. */
export type RequestObserver = {
  onUnknown: (request: AuthnRequest) => void;
  onRefused: (destination: Destination, request: AuthnRequest, error: unknown) => void;
  onAccepted: (destination: Destination, request: AuthnRequest) => void;
};

const checkRequest = (
  config: Config,
  network: string,
  message: BoundMessage,
  { destination, request }: { destination: Destination; request: AuthnRequest },
): SignOnRequest => {
  assertDestination(config, network, request);
  assertIssueInstant(request);
  const { requestedAuthnContext: authnContext, subject } = request;
  const saml = { protocol: 'saml' as const, requestId: request.id, relayState: message.relayState };
  const acsUrl = chooseAcs(destination, request);
  const signOn = { destination, message: { ...saml, acsUrl: acsUrl ?? destination.site.acs } };
  if (acsUrl === undefined) throw new SignOnError(signOn, 'unknown_endpoint');
  assertBinding(signOn, request);
  const factors = requiredFactors(authnContext);
  if (factors?.length === 0) throw new SignOnError(signOn, 'weak_authentication');
  const release = { nameIdFormat: readNameIdFormat(signOn, request), attributeIndex: request.attributeServiceIndex };
  const chosen = chooseRelease(destination.site, release);
  if (typeof chosen === 'string') throw new SignOnError(signOn, chosen);
  return {
    destination,
    message: { ...signOn.message, ...release, authnContext, subject },
    requiredFactors: factors,
    isForced: request.forceAuthn,
    isPassive: request.isPassive,
  };
};

export const unknownApplication = () =>
  new PageError(
    400,
    'This application is not registered',
    'The application that sent you is not registered in this network. Ask its administrator to register it.',
  );

/**
 * Verifies the signature if the site has a certificate, and then reads only the signed content. Sites may be registered without the
 * obligation to sign requests.
 */
const verifySignature = ({ site }: Destination, message: BoundMessage, request: AuthnRequest): AuthnRequest => {
  const certificates = certificatesOf(site);
  if (certificates.length === 0) return request;
  try {
    const signed = parseAuthnRequest(verifyMessage(message, certificates));
    if (signed.issuer !== site.identity) throw new SamlError('issuer_mismatch');
    return signed;
  } catch (error) {
    const isUnsigned = error instanceof SamlError && error.code === 'signature_missing';
    if (isUnsigned && !site.signed_requests) return request;
    throw error;
  }
};

const assertDestination = (config: Config, network: string, request: AuthnRequest): void => {
  if (request.destination !== undefined && request.destination !== idpAddresses(config, network).ssoUrl) {
    throw new SamlError('destination_mismatch');
  }
};

/**
 * Chooses the assertion consumer service that gets the response. A response is only ever sent to a registered address. An index is
 * unknown (undefined) if the site has indexes and none is the requested one; a site that was registered by hand has only one address.
 */
const chooseAcs = ({ site }: Destination, { acsUrl, acsIndex }: AuthnRequest): string | undefined => {
  const { acs, acs_index, further_acs } = site;
  if (acsUrl !== undefined) {
    if (isRegisteredAcs(site, acsUrl)) return acsUrl;
    throw new UnregisteredAcsError();
  }
  if (acsIndex === undefined || acsIndex === acs_index) return acs;
  if (acs_index === null && further_acs.length === 0) return acs;
  return further_acs.find(({ index }) => index === acsIndex)?.url;
};

/** The response cannot be sent anywhere, so the person gets a page. */
export class UnregisteredAcsError extends PageError {
  constructor() {
    super(
      400,
      'The return address is not registered',
      'The application asks for a response at an address that is not registered for it. Ask its administrator to compare the SSO ACS URL on both sides.',
    );
  }
}

export const isRegisteredAcs = ({ acs, further_acs }: Destination['site'], url: string): boolean =>
  url === acs || further_acs.some((endpoint) => endpoint.url === url);

const assertBinding = (signOn: SignOnError['signOn'], request: AuthnRequest): void => {
  if (request.protocolBinding !== undefined && request.protocolBinding !== bindings.post) {
    throw new SignOnError(signOn, 'unsupported_binding');
  }
};

const maximumFutureMilliseconds = 5 * 60_000;

/** A request from the future could be held back and used later. A few minutes are the difference between two clocks. */
const assertIssueInstant = ({ issueInstant }: AuthnRequest): void => {
  if (issueInstant.getTime() > Date.now() + maximumFutureMilliseconds)
    throw new SamlError('not_yet_valid', { detail: `It was issued at ${issueInstant.toISOString()}.` });
};

/**
 * The format that a request asks for. `AllowCreate` needs no check: a persistent name is derived from the account, so it exists from the
 * beginning. A name for a group of service providers (SPNameQualifier) is not supported.
 */
const readNameIdFormat = (
  signOn: SignOnError['signOn'],
  { nameIdFormat, spNameQualifier }: AuthnRequest,
): string | undefined => {
  if (spNameQualifier && spNameQualifier !== signOn.destination.site.identity)
    throw new SignOnError(signOn, 'unsupported_name_id');
  return nameIdFormat === nameIdFormats.unspecified ? undefined : nameIdFormat;
};
