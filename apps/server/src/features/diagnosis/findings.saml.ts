import type { FindingCode, FindingPlace } from '@opensocial/contract';
import { describeCertificate } from '../../secrets/signing-keys.ts';
import { describeDifference, nearestAddress } from './address-difference.ts';
import {
  type Changes,
  type Explain,
  type Explained,
  isUsableAddress,
  type SiteRecord,
  shortName,
  toDay,
  toTime,
  untilSuccess,
} from './finding.ts';

const minute = 60_000;

/** A signed request can be sent again later. A fix is offered only for one that was new when it arrived. */
const maximumAge = 15 * minute;

/** How many milliseconds the clock of the application is ahead of ours. */
const clockLead = ({ facts: { issuedAt, receivedAt } }: Explained): number =>
  issuedAt === undefined || receivedAt === undefined ? 0 : Date.parse(issuedAt) - Date.parse(receivedAt);

const registeredAddresses = ({ acs, further_acs }: SiteRecord): string[] => [acs, ...further_acs.map(({ url }) => url)];

/** Metadata is the better place, because it comes from the application itself. */
const parameterPlace = ({ metadata_url }: SiteRecord): FindingPlace => (metadata_url ? 'metadata' : 'parameters');

const compare = (label: string, received = '', registered = '') => ({ label, received, registered });

const replaceAcs = (site: SiteRecord, former: string, current: string): Changes =>
  former === site.acs
    ? { acs: current }
    : { further_acs: site.further_acs.map((each) => (each.url === former ? { ...each, url: current } : each)) };

const acsAdvice = {
  safe: 'The request has a valid signature of the application, so you can use its address.',
  unusable:
    'The request is signed, but it is old, or its address does not follow the rules for ACS URLs. Change the address in the application.',
};

/** Why nothing proves that a request comes from the application. */
const unprovenAdvice = ({ site, facts }: Explained): string => {
  const compareFirst = 'Compare the address with the settings of the application before you use it.';
  if (!facts.isSigned) return `The request is not signed, so anybody could have sent it. ${compareFirst}`;
  return site.certificate === null
    ? `The request is signed, but no certificate of the application is registered, so its signature was not checked and anybody could have sent it. ${compareFirst}`
    : `The request is signed, but its signature was not verified with a registered certificate, so anybody could have sent it. ${compareFirst}`;
};

const explainAcs: Explain = (exchange) => {
  const { site, facts, isVerified } = exchange;
  const { acs = '' } = facts;
  const addresses = registeredAddresses(site);
  const nearest = nearestAddress(acs, addresses);
  const isCurrent = !addresses.includes(acs);
  const isSafe = isVerified && Math.abs(clockLead(exchange)) < maximumAge && isUsableAddress(acs);
  return {
    sentence: isCurrent
      ? `The request asks for the response at ${acs}, but ${nearest} is registered: ${describeDifference(acs, nearest)}.`
      : `The request asked for the response at ${acs}, which was not registered at that time.`,
    advice: !isCurrent ? '' : isSafe ? acsAdvice.safe : isVerified ? acsAdvice.unusable : unprovenAdvice(exchange),
    compared: [compare('SSO ACS URL', acs, addresses.join('\n'))],
    isCurrent,
    place: parameterPlace(site),
    ...(isSafe && {
      fix: {
        label: 'Use the address of the request',
        before: nearest,
        after: acs,
        changes: replaceAcs(site, nearest, acs),
      },
    }),
  };
};

const explainAcsIndex: Explain = ({ site, facts }) => {
  const indexes = [site.acs_index, ...site.further_acs.map(({ index }) => index)].filter((index) => index !== null);
  const isRegistered = indexes.includes(facts.acsIndex ?? -1);
  return {
    sentence: `The request asks for the ACS URL with the index ${facts.acsIndex ?? ''}, which ${isRegistered ? 'was not registered at that time' : 'is not registered'}.`,
    advice: 'Read the metadata of the application again, or enter the ACS URL with this index.',
    compared: [compare('Index of the ACS URL', String(facts.acsIndex ?? ''), indexes.join(', '))],
    isCurrent: indexes.length > 0 && !isRegistered,
    place: parameterPlace(site),
  };
};

const explainIssuer: Explain = (exchange) => {
  const { site, facts } = exchange;
  const isRegistered = site.identity === facts.issuer;
  return {
    sentence: isRegistered
      ? `The request said that it comes from the entity ID ${facts.issuer}, which was not registered at that time.`
      : `The request says that it comes from the entity ID ${facts.issuer ?? ''}, but ${site.identity} is registered.`,
    advice:
      'Change the entity ID in the application. If the application cannot be changed, add it as another site with this entity ID, and delete this one.',
    compared: [
      compare('Entity ID', facts.issuer, site.identity),
      ...(facts.acs === undefined ? [] : [compare('SSO ACS URL', facts.acs, registeredAddresses(site).join('\n'))]),
    ],
    isCurrent: !isRegistered && untilSuccess(exchange),
    place: 'none',
  };
};

type RegisteredCertificate = ReturnType<typeof describeCertificate>;

export const certificatesOf = ({ certificate }: SiteRecord): RegisteredCertificate[] =>
  (certificate?.split('\n') ?? []).map(describeCertificate);

const describe = ({ fingerprint, notAfter }: RegisteredCertificate): string =>
  `${fingerprint}, valid until ${toDay(notAfter)}`;

const explainSignature: Explain = (exchange) => {
  const { site, facts } = exchange;
  const registered = certificatesOf(site);
  const isExpired = registered.length > 0 && registered.every(({ notAfter }) => notAfter.getTime() < Date.now());
  const [first] = registered;
  const isOther = facts.certificate !== undefined && !registered.some((each) => each.fingerprint === facts.certificate);
  const isReplaced = registered.length === 0 || (facts.certificate !== undefined && !isOther);
  const received =
    facts.certificate === undefined
      ? 'The request does not contain its certificate'
      : `${facts.certificate}, valid until ${toDay(new Date(facts.certificateEnds ?? 0))}`;
  return {
    code: isExpired ? 'certificate_expired' : 'signature_invalid',
    sentence: isReplaced
      ? 'The signature was not made with a certificate that was registered at that time.'
      : isExpired
        ? `The signature was not made with the registered certificate, which expired on ${toDay(first?.notAfter ?? new Date())}: the application probably has a new one.`
        : `The signature was not made with the registered certificate${isOther ? ': the request contains another one' : ''}.`,
    advice:
      'Get the certificate from the metadata or the administrator of the application. A certificate in a request proves nothing, because anybody can send one.',
    compared: [compare('Certificate', received, registered.map(describe).join('\n'))],
    isCurrent: !isReplaced && untilSuccess(exchange),
    place: parameterPlace(site),
  };
};

const explainMissingSignature: Explain = (exchange) => {
  const { site } = exchange;
  const isRequired = site.certificate !== null && site.signed_requests;
  return {
    sentence: isRequired
      ? 'The request has no signature, but the site is registered with signed requests.'
      : 'The request has no signature, but signed requests were required at that time.',
    advice:
      'Switch on signed requests in the application. If it cannot sign, switch off “Requests must be signed” in the SSO parameters.',
    compared: [compare('Signature', 'None', isRequired ? 'Required' : 'Not required')],
    isCurrent: isRequired && untilSuccess(exchange),
    place: 'parameters',
  };
};

const explainAlgorithm: Explain = (exchange) => ({
  sentence: 'The signature of the request uses an algorithm or a key that is not accepted.',
  advice:
    'Choose SHA-256 in the application, with an RSA key of at least 2,048 bits or a key on P-256, P-384 or P-521.',
  compared: [compare('Signature algorithm', shortName(exchange.facts.algorithm ?? ''), 'SHA-256 or stronger')],
  isCurrent: untilSuccess(exchange),
  place: 'none',
});

const explainDestination: Explain = (exchange) => {
  const { destination = '', arrivedAt = '' } = exchange.facts;
  return {
    sentence: `The request is meant for ${destination}, but arrived at ${arrivedAt}: ${describeDifference(destination, arrivedAt)}.`,
    advice: 'Enter our sign-on service URL in the application exactly as it is shown here.',
    compared: [compare('Sign-on service URL', destination, arrivedAt)],
    isCurrent: untilSuccess(exchange),
    place: 'none',
  };
};

const minutesOf = (milliseconds: number): string => {
  const minutes = Math.round(Math.abs(milliseconds) / minute);
  if (minutes >= 120) return `${Math.round(minutes / 60)} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
};

const explainClock: Explain = (exchange) => {
  const { facts } = exchange;
  const lead = clockLead(exchange);
  return {
    sentence:
      lead > 0
        ? `The clock of the application is ${minutesOf(lead)} ahead of ours.`
        : `The request was ${minutesOf(lead)} old when it arrived: the clock of the application is behind, or an old link was opened.`,
    advice:
      lead > 0
        ? 'Set the clock of the application, best by NTP. Requests from more than 5 minutes in the future are refused.'
        : 'Set the clock of the application, best by NTP. We accept the request, but the application will probably refuse our response as not valid yet.',
    compared: [compare('Time', toTime(facts.issuedAt), toTime(facts.receivedAt))],
    // An answer to a request from the past is sent, but the application does not accept it.
    isCurrent: lead > 0 ? untilSuccess(exchange) : !exchange.wasOnTimeSince,
    place: 'none',
  };
};

const requestable = ['emailAddress', 'persistent', 'transient'];

const explainNameId: Explain = ({ site, facts }) => {
  const isQualified = facts.nameQualifier !== undefined && facts.nameQualifier !== site.identity;
  const asked = shortName(facts.nameIdFormat ?? 'unspecified');
  const isFixed = site.name_id_format !== 'requested';
  const available = isFixed ? [site.name_id_format] : requestable;
  const isAvailable = available.includes(asked);
  if (isQualified)
    return {
      sentence: `The request asks for the name of the person at another site, ${facts.nameQualifier}, which is not supported.`,
      advice: 'Remove the SPNameQualifier from the settings of the application.',
      compared: [compare('SPNameQualifier', facts.nameQualifier, site.identity)],
      isCurrent: true,
      place: 'none',
    };
  return {
    sentence: isAvailable
      ? `The request asked for a NameID of the format ${asked}, which the site could not get at that time.`
      : `The request asks for a NameID of the format ${asked}, but the site ${isFixed ? `always gets ${site.name_id_format}` : `can get ${available.join(', ')}`}.`,
    advice: isFixed
      ? 'Choose the same format in the application, or change the format of the site.'
      : 'Choose one of the available formats in the application.',
    compared: [compare('NameID format', facts.nameIdFormat, available.join(', '))],
    isCurrent: !isAvailable,
    place: 'attributes',
  };
};

const explainAttributes: Explain = ({ site, facts }) => {
  const indexes = [site.attribute_index, ...site.further_attributes.map(({ index }) => index)].filter(
    (index) => index !== null,
  );
  const isRegistered = indexes.includes(facts.attributeIndex ?? -1);
  return {
    sentence: `The request asks for the list of attributes with the index ${facts.attributeIndex ?? ''}, which ${isRegistered ? 'was not registered at that time' : 'is not registered'}.`,
    advice: 'Read the metadata of the application again, or enter the attributes with this index.',
    compared: [compare('Index of the attributes', String(facts.attributeIndex ?? ''), indexes.join(', '))],
    isCurrent: indexes.length > 0 && !isRegistered,
    place: 'attributes',
  };
};

const explainBinding: Explain = (exchange) => ({
  sentence: `The request asks for the response by ${shortName(exchange.facts.responseBinding ?? '')}, but responses are sent by HTTP-POST only.`,
  advice: 'Choose HTTP-POST as the binding of the assertion consumer service in the application.',
  compared: [compare('Binding of the response', exchange.facts.responseBinding, 'HTTP-POST')],
  isCurrent: untilSuccess(exchange),
  place: 'none',
});

const explainUnreadable: Explain = (exchange) => ({
  sentence: 'The request of the application could not be read.',
  advice: 'Show the details to the administrator of the application.',
  compared: [],
  isCurrent: untilSuccess(exchange),
  place: 'none',
});

const explainLogout: Explain = (exchange) => ({
  sentence: 'A logout message of the application was not accepted.',
  advice: exchange.facts.detail ?? '',
  compared: [],
  isCurrent: true,
  place: parameterPlace(exchange.site),
});

export const samlFindings = {
  issuer_unknown: explainIssuer,
  issuer_mismatch: explainIssuer,
  acs_unregistered: explainAcs,
  acs_index_unknown: explainAcsIndex,
  binding_unsupported: explainBinding,
  signature_missing: explainMissingSignature,
  signature_invalid: explainSignature,
  certificate_expired: explainSignature,
  algorithm_refused: explainAlgorithm,
  destination_mismatch: explainDestination,
  clock_ahead: explainClock,
  clock_behind: explainClock,
  name_id_unavailable: explainNameId,
  attributes_unknown: explainAttributes,
  request_unreadable: explainUnreadable,
  logout_refused: explainLogout,
} as const satisfies Partial<Record<FindingCode, Explain>>;
