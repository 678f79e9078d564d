import {
  type AuthnRequest,
  type BoundMessage,
  bindings,
  nameIdFormats,
  parseAuthnRequest,
  SamlError,
  type Status,
  verifyMessage,
} from '@opensocial/saml';
import type { Config } from '../../config.ts';
import { PageError } from '../../http/errors.ts';
import { idpAddresses } from './addresses.ts';
import type { Arrival } from './arrivals.ts';
import { certificatesOf } from './certificates.ts';
import type { Destination } from './destinations.queries.ts';

/** What a service provider asks for, checked. */
export type Asked = {
  destination: Destination;
  /** None when the sign-in begins here, from a tile. */
  requestId: string | undefined;
  nameIdFormat: string;
  relayState: string | undefined;
  isForced: boolean;
  isPassive: boolean;
};

/** A request that is genuine but cannot be granted: the service provider is told, as the protocol has it. */
export class StatusError extends Error {
  readonly status: Status & { code: 'Requester' | 'Responder' };
  readonly asked: Pick<Asked, 'destination' | 'requestId' | 'relayState'>;

  constructor(asked: StatusError['asked'], status: StatusError['status']) {
    super(status.message ?? status.subcode ?? status.code);
    this.asked = asked;
    this.status = status;
  }
}

const supportedFormats = new Set<string>(Object.values(nameIdFormats));

/** Reads a request step by step. Until its sender and return address are known to be registered, errors are a page of ours. */
export const readRequest = async (
  config: Config,
  network: string,
  message: BoundMessage,
  arrive: (identity: string) => Promise<Arrival | undefined>,
): Promise<Asked & Arrival> => {
  const unverified = parseAuthnRequest(message.xml);
  const arrival = await arrive(unverified.issuer);
  if (!arrival) throw unknownApplication();
  const { destination } = arrival;
  const request = verified(destination, message, unverified);
  assertDestination(config, network, request);
  assertReturnAddress(destination, request);
  const asked = { destination, requestId: request.id, relayState: message.relayState };
  assertBinding(asked, request);
  return {
    ...arrival,
    ...asked,
    nameIdFormat: chooseFormat(asked, request),
    isForced: request.forceAuthn,
    isPassive: request.isPassive,
  };
};

export const unknownApplication = () =>
  new PageError(
    400,
    'This application is not known here',
    'The application that sent you is not registered in this network. Ask its administrator to register it.',
  );

/** With a certificate on file a signature is checked, and only what it covers is read. Not every site must sign. */
const verified = ({ site }: Destination, message: BoundMessage, request: AuthnRequest): AuthnRequest => {
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

/** An answer goes to the registered address and nowhere else. */
const assertReturnAddress = ({ site }: Destination, request: AuthnRequest): void => {
  if (request.acsUrl !== undefined && request.acsUrl !== site.acs) {
    throw new PageError(
      400,
      'The return address is not registered',
      'The application asks for an answer at an address that is not registered for it. Ask its administrator to compare the SSO ACS URL on both sides.',
    );
  }
};

const assertBinding = (asked: StatusError['asked'], request: AuthnRequest): void => {
  if (request.protocolBinding !== undefined && request.protocolBinding !== bindings.post) {
    throw new StatusError(asked, { code: 'Requester', subcode: 'UnsupportedBinding' });
  }
};

const chooseFormat = (asked: StatusError['asked'], { nameIdFormat }: AuthnRequest): string => {
  if (nameIdFormat === undefined || nameIdFormat === nameIdFormats.unspecified) return nameIdFormats.emailAddress;
  if (!supportedFormats.has(nameIdFormat))
    throw new StatusError(asked, { code: 'Requester', subcode: 'InvalidNameIDPolicy' });
  return nameIdFormat;
};
