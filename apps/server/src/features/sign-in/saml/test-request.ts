import { type FindingCode, formatXml, type SiteTestCheck } from '@opensocial/contract';
import type { AuthnRequest, BoundMessage } from '@opensocial/saml';
import type { Destination } from '../destination/destinations.queries.ts';
import { lengthOf, markChecks, plural, type RequestDescription } from '../site-test/test-run.ts';
import { certificatesOf } from './certificates.ts';
import { isSigned } from './signed.ts';

const checkIds = [
  'issuer',
  'signature',
  'destination',
  'time',
  'acs',
  'binding',
  'context',
  'name_id',
  'attributes',
] as const;
type CheckId = (typeof checkIds)[number];

/** The check that a finding is about. A request that cannot be read fails at the first one. */
const checkOfFinding: Partial<Record<FindingCode, CheckId>> = {
  issuer_mismatch: 'signature',
  signature_missing: 'signature',
  signature_invalid: 'signature',
  algorithm_refused: 'signature',
  destination_mismatch: 'destination',
  clock_ahead: 'time',
  acs_unregistered: 'acs',
  acs_index_unknown: 'acs',
  binding_unsupported: 'binding',
  authentication_weak: 'context',
  name_id_unavailable: 'name_id',
  attributes_unknown: 'attributes',
};

type Received = { destination: Destination; message: BoundMessage; request: AuthnRequest };

const passed = (label: string, text: string): SiteTestCheck => ({ label, outcome: 'yes', text });

/** An older request is accepted, but the clock of the application is probably behind. */
const staleSeconds = 300;

const describeTime = ({ issueInstant }: AuthnRequest): SiteTestCheck => {
  const seconds = Math.round((Date.now() - issueInstant.getTime()) / 1_000);
  if (seconds > staleSeconds)
    return {
      label: 'Time',
      outcome: 'note',
      text: `The request was issued ${Math.round(seconds / 60)} minutes ago. It is accepted, but if the clock of the application is behind, it will refuse our response as not valid yet.`,
    };
  if (seconds === 0) return passed('Time', 'The request was issued just now.');
  const difference = seconds < 0 ? `${plural(-seconds, 'second')} in the future` : `${plural(seconds, 'second')} ago`;
  return passed('Time', `The request was issued ${difference}.`);
};

const describeSignature = ({ destination: { site }, message }: Received): SiteTestCheck => {
  const label = 'Signature';
  if (certificatesOf(site).length === 0)
    return { label, outcome: 'note', text: 'No certificate is registered, so signatures are not checked.' };
  return isSigned(message)
    ? passed(label, 'The signature was made with a registered certificate.')
    : { label, outcome: 'note', text: 'The request is not signed. The site does not require it.' };
};

const describeAcs = ({ destination: { site }, request: { acsUrl, acsIndex } }: Received): string => {
  if (acsUrl !== undefined) return `The response goes to ${acsUrl}, which is registered.`;
  if (acsIndex !== undefined) return `The request names the registered ACS URL by the index ${acsIndex}.`;
  return `The request names no ACS URL, so the response goes to the registered one, ${site.acs}.`;
};

const describeContext = ({ requestedAuthnContext: context }: AuthnRequest): string =>
  context
    ? `The request asks for one of these kinds of sign-in (${context.comparison}): ${context.classes.join(', ')}.`
    : 'The request asks for no particular kind of sign-in.';

const checksOf = (received: Received): (SiteTestCheck & { id: CheckId })[] => {
  const { destination, request } = received;
  const described: Record<CheckId, SiteTestCheck> = {
    issuer: passed('Entity ID', `${request.issuer} is registered for ${destination.site.site_name}.`),
    signature: describeSignature(received),
    destination: passed(
      'Destination',
      request.destination === undefined
        ? 'The request names no destination.'
        : 'The request is meant for our sign-on service URL.',
    ),
    time: describeTime(request),
    acs: passed('ACS URL', describeAcs(received)),
    binding: passed('Binding', 'The response is posted, as the request allows.'),
    context: passed('Kind of sign-in', describeContext(request)),
    name_id: passed(
      'NameID',
      request.nameIdFormat === undefined
        ? 'The request asks for no format of the NameID.'
        : `The request asks for the format ${request.nameIdFormat}, which is available.`,
    ),
    attributes: passed(
      'Attributes',
      request.attributeServiceIndex === undefined
        ? 'The request asks for no particular list of attributes.'
        : `The list of attributes with the index ${request.attributeServiceIndex} is available.`,
    ),
  };
  return checkIds.map((id) => ({ id, ...described[id] }));
};

const signatureParts = /(<(?:[\w.-]+:)?(SignatureValue|X509Certificate|DigestValue)\b[^>]*>)([^<]*)(?=<)/g;

/** The XML of a request for people. Signature values and certificates are only their lengths. */
const toText = ({ xml, relayState, signature }: BoundMessage): string => {
  const shown = xml.replace(signatureParts, (_, tag: string, _name, value: string) => {
    return `${tag}… ${lengthOf(value.replace(/\s/g, ''))}`;
  });
  return [
    formatXml(shown),
    ...(signature ? [`SigAlg: ${signature.algorithm}`] : []),
    ...(relayState === undefined ? [] : [`RelayState: ${lengthOf(relayState)}`]),
  ].join('\n');
};

/** Describes a request of a service provider for a test. `failure` is what diagnosis found, if the request was refused. */
export const describeSamlRequest = (
  received: Received,
  failure: RequestDescription['failure'],
): RequestDescription => ({
  text: toText(received.message),
  checks: markChecks(checksOf(received), failure && (checkOfFinding[failure.code] ?? 'issuer')),
  failure,
  isPassive: received.request.isPassive,
});

/** A sign-on that was begun here has no request. */
export const startedHere: RequestDescription = {
  text: '',
  checks: [
    {
      label: 'Request',
      outcome: 'note',
      text: 'The sign-in was begun here, so there is no request of the application to check.',
    },
  ],
  failure: undefined,
  isPassive: false,
};
