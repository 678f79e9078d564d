import { X509Certificate } from 'node:crypto';
import type { FindingCode } from '@opensocial/contract';
import {
  type AuthnRequest,
  type BoundMessage,
  parseAuthnRequest,
  SamlError,
  type SamlErrorCode,
  verifyMessage,
} from '@opensocial/saml';
import { countedAddress } from '../../../http/address.ts';
import { type ExchangeFacts, requestAccepted } from '../../../identity/site-exchanges.ts';
import type { Parts } from '../../../parts.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import { SignOnError, type SignOnRefusal } from '../flow/sign-on-request.ts';
import type { DescribeRequest } from '../site-test/test-run.ts';
import { idpAddresses } from './addresses.ts';
import { certificatesOf } from './certificates.ts';
import { type RequestObserver, UnregisteredAcsError } from './sign-on-request.ts';
import { isSigned } from './signed.ts';
import { describeSamlRequest } from './test-request.ts';

const codesOfErrors: Partial<Record<SamlErrorCode, FindingCode>> = {
  signature_missing: 'signature_missing',
  signature_invalid: 'signature_invalid',
  algorithm_refused: 'algorithm_refused',
  issuer_mismatch: 'issuer_mismatch',
  destination_mismatch: 'destination_mismatch',
  not_yet_valid: 'clock_ahead',
};

const codesOfRefusals: Partial<Record<SignOnRefusal, FindingCode>> = {
  unknown_endpoint: 'acs_index_unknown',
  unsupported_binding: 'binding_unsupported',
  unsupported_name_id: 'name_id_unavailable',
  unknown_attributes: 'attributes_unknown',
  weak_authentication: 'authentication_weak',
};

/** The finding of diagnosis for an error; undefined if the request was not the cause. */
const codeOf = (error: unknown): FindingCode | undefined => {
  if (error instanceof UnregisteredAcsError) return 'acs_unregistered';
  if (error instanceof SignOnError) return codesOfRefusals[error.refusal];
  return error instanceof SamlError ? (codesOfErrors[error.code] ?? 'request_unreadable') : undefined;
};

/** An older request is accepted, but then the clocks differ, and the application will probably refuse the answer. */
const staleMilliseconds = 5 * 60_000;

/** Records how a request was read, for the diagnosis of its site and for a test that runs there. */
export const observeRequest = (
  { config, exchanges }: Pick<Parts, 'config' | 'exchanges'>,
  network: string,
  message: BoundMessage,
  { address, describe }: { address: string; describe: DescribeRequest },
): RequestObserver => {
  const sender = countedAddress(address);
  const factsOf = (request: AuthnRequest) => ({
    ...toFacts(message, request),
    arrivedAt: idpAddresses(config, network).ssoUrl,
    receivedAt: new Date().toISOString(),
  });
  return {
    onUnknown: ({ issuer, acsUrl = '' }) =>
      exchanges.recordArrival({ network, protocol: 'saml', identity: issuer, address: acsUrl, sender }),
    onRefused: (destination, request, error) => {
      const { site } = destination;
      const code = codeOf(error);
      if (code === undefined) return;
      const signed = readSigned(message, site);
      const isVerified = signed !== undefined;
      const facts = () => ({ ...factsOf(signed ?? request), ...certificateIn(message) });
      describe(() =>
        describeSamlRequest({ destination, message, request: signed ?? request }, { code, facts: facts(), isVerified }),
      );
      exchanges.record({
        site,
        step: 'request',
        outcome: 'refused',
        code,
        isVerified,
        sender,
        facts,
      });
    },
    onAccepted: (destination, request) => {
      describe(() => describeSamlRequest({ destination, message, request }, undefined));
      const isNew = Date.now() - request.issueInstant.getTime() < staleMilliseconds;
      exchanges.record({
        site: destination.site,
        step: 'request',
        outcome: 'accepted',
        code: isNew ? requestAccepted : 'clock_behind',
        isVerified: false,
        sender,
        facts: () => (isNew ? {} : factsOf(request)),
      });
    },
  };
};

/** The signed content of a request, if the site has signed it. Only values in it are proven. */
const readSigned = (message: BoundMessage, site: Destination['site']): AuthnRequest | undefined => {
  const certificates = certificatesOf(site);
  if (certificates.length === 0) return undefined;
  try {
    const signed = parseAuthnRequest(verifyMessage(message, certificates));
    return signed.issuer === site.identity ? signed : undefined;
  } catch (error) {
    if (error instanceof SamlError) return undefined;
    throw error;
  }
};

const toFacts = (message: BoundMessage, request: AuthnRequest): ExchangeFacts => {
  const { requestedAuthnContext: context } = request;
  return {
    binding: message.binding,
    issuer: request.issuer,
    issuedAt: request.issueInstant.toISOString(),
    isSigned: isSigned(message),
    ...(request.acsUrl !== undefined && { acs: request.acsUrl }),
    ...(request.acsIndex !== undefined && { acsIndex: request.acsIndex }),
    ...(request.destination !== undefined && { destination: request.destination }),
    ...(request.protocolBinding !== undefined && { responseBinding: request.protocolBinding }),
    ...(request.nameIdFormat !== undefined && { nameIdFormat: request.nameIdFormat }),
    ...(request.spNameQualifier !== undefined && { nameQualifier: request.spNameQualifier }),
    ...(request.attributeServiceIndex !== undefined && { attributeIndex: request.attributeServiceIndex }),
    ...(context && { comparison: context.comparison, contexts: context.classes }),
    ...(message.signature && { algorithm: message.signature.algorithm }),
  };
};

const certificateElement = /<(?:\w+:)?X509Certificate>([^<]{1,12000})</;

/** The certificate that a posted request contains beside its signature. Nothing proves that it belongs to the application. */
const certificateIn = ({ xml }: BoundMessage): ExchangeFacts => {
  const [, encoded] = certificateElement.exec(xml) ?? [];
  if (encoded === undefined) return {};
  try {
    const { fingerprint256, validToDate } = new X509Certificate(Buffer.from(encoded, 'base64'));
    return { certificate: fingerprint256, certificateEnds: validToDate.toISOString() };
  } catch {
    return {};
  }
};
