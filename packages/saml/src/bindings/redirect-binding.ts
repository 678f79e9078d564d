import { deflateRawSync } from 'node:zlib';
import { SamlError } from '../errors.ts';
import { isSignedBy, signatureAlgorithmOf, signatureAlgorithms, signBytes } from '../signature/algorithms.ts';
import { publicKeyOf, type SigningKey } from '../signature/keys.ts';
import { decodeText } from '../xml/plain-markup.ts';
import {
  acceptedRelayState,
  assertWebLocation,
  type BoundMessage,
  checkedXml,
  decodeBase64,
  inflate,
  type MessageKind,
  type OutgoingMessage,
  type RedirectSignature,
  selectMessage,
} from './bound-message.ts';

const parameterNames = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature', 'SAMLEncoding'] as const;
type ParameterName = (typeof parameterNames)[number];
type RawParameters = Partial<Record<ParameterName, string>>;

const isParameterName = (name: string): name is ParameterName => (parameterNames as readonly string[]).includes(name);

const decodeComponent = (raw: string): string => {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch (cause) {
    throw new SamlError('message_undecodable', { cause });
  }
};

/**
 * Some senders do not percent-encode the plus signs of base64. Form decoding turns those into spaces, so they are
 * restored here.
 */
const decodeBase64Parameter = (raw: string): Buffer => decodeBase64(decodeComponent(raw).replaceAll(' ', '+'));

/** Values stay percent-encoded, because the signature covers the bytes exactly as the sender encoded them. */
const splitQuery = (rawQuery: string): RawParameters => {
  const parameters: RawParameters = {};
  for (const pair of rawQuery.replace(/^\?/, '').split('&')) {
    const [rawName = '', ...rest] = pair.split('=');
    const name = decodeComponent(rawName);
    if (!isParameterName(name)) continue;
    if (parameters[name] !== undefined) throw new SamlError('parameter_repeated', { detail: name });
    parameters[name] = rest.join('=');
  }
  return parameters;
};

const joinQuery = (parameters: readonly (readonly [string, string | undefined])[]): string =>
  parameters.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])).join('&');

const readSignature = (parameters: RawParameters, kind: MessageKind): RedirectSignature | undefined => {
  const { SigAlg: algorithm, Signature: value, RelayState: relayState } = parameters;
  if (value === undefined || algorithm === undefined) return undefined;
  const signedQuery = joinQuery([
    [kind, parameters[kind]],
    ['RelayState', relayState],
    ['SigAlg', algorithm],
  ]);
  return { algorithm: decodeComponent(algorithm), value: decodeBase64Parameter(value), signedQuery };
};

const deflateEncoding = 'urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE';

/**
 * Takes the raw query string of the request line: the signature covers the encoded bytes, which a framework would
 * already have decoded.
 */
export const readRedirect = (rawQuery: string): BoundMessage => {
  const parameters = splitQuery(rawQuery);
  const [kind, encoded] = selectMessage(parameters.SAMLRequest, parameters.SAMLResponse);
  const encoding = parameters.SAMLEncoding;
  if (encoding !== undefined && decodeComponent(encoding) !== deflateEncoding) {
    throw new SamlError('message_undecodable', { detail: 'Its encoding is not DEFLATE.' });
  }
  return {
    binding: 'redirect',
    kind,
    xml: checkedXml(kind, decodeText(inflate(decodeBase64Parameter(encoded)))),
    relayState: acceptedRelayState(
      parameters.RelayState === undefined ? undefined : decodeComponent(parameters.RelayState),
    ),
    signature: readSignature(parameters, kind),
  };
};

/** The first byte of an ECDSA signature in DER. */
const derSequence = 0x30;

export const verifyRedirectSignature = (message: BoundMessage, certificates: readonly string[]): void => {
  const { signature } = message;
  if (!signature) throw new SamlError('signature_missing');
  const { algorithm, value } = signature;
  if (!signatureAlgorithms.has(algorithm))
    throw new SamlError('algorithm_refused', { detail: algorithm.slice(0, 300) });
  const signedOctets = Buffer.from(signature.signedQuery);
  const isValid = certificates.map(publicKeyOf).some((key) => {
    // The standard does not say how an ECDSA signature is encoded in a URL. Senders that use OpenSSL directly send DER.
    const isDer = key.asymmetricKeyType === 'ec' && value[0] === derSequence;
    return (
      isSignedBy(algorithm, signedOctets, key, value) ||
      (isDer && isSignedBy(algorithm, signedOctets, key, value, 'der'))
    );
  });
  if (!isValid) throw new SamlError('signature_invalid');
};

const separatorAfter = (location: string) => (!location.includes('?') ? '?' : /[?&]$/.test(location) ? '' : '&');

export const redirectUrl = (message: OutgoingMessage & { key?: SigningKey | undefined }): string => {
  const { location, kind, xml, relayState, key } = message;
  assertWebLocation(location);
  const query = joinQuery([
    [kind, encodeURIComponent(deflateRawSync(xml).toString('base64'))],
    ['RelayState', relayState === undefined ? undefined : encodeURIComponent(relayState)],
    ['SigAlg', key && encodeURIComponent(signatureAlgorithmOf(key.privateKey))],
  ]);
  const value = key && signBytes(Buffer.from(query), key.privateKey);
  const signature = value === undefined ? '' : `&Signature=${encodeURIComponent(value)}`;
  return `${location}${separatorAfter(location)}${query}${signature}`;
};
