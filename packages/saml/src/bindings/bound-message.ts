import { SamlError } from '../errors.ts';
import { assertPlainMarkup, maximumMessageBytes } from '../xml/plain-markup.ts';

export type MessageKind = 'SAMLRequest' | 'SAMLResponse';

export type RedirectSignature = {
  algorithm: string;
  value: Buffer;
  /** The part of the query that was signed, byte for byte as it came. */
  signedQuery: string;
};

export type BoundMessage = {
  binding: 'redirect' | 'post';
  kind: MessageKind;
  xml: string;
  relayState: string | undefined;
  /** Only the redirect binding has one here; with POST the signature is within the xml. */
  signature: RedirectSignature | undefined;
};

export type OutgoingMessage = { location: string; kind: MessageKind; xml: string; relayState?: string | undefined };

const longestBase64 = Math.ceil(maximumMessageBytes / 3) * 4;

/** Line breaks within are allowed: some senders wrap their base64. */
export const decodeBase64 = (encoded: string): Buffer => {
  const compact = encoded.replace(/[\t\n\r ]/g, '');
  if (compact.length > longestBase64) throw new SamlError('message_too_large');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw new SamlError('message_undecodable');
  return Buffer.from(compact, 'base64');
};

export const theOneMessage = (request: string | undefined, response: string | undefined): [MessageKind, string] => {
  if (request !== undefined && response !== undefined) throw new SamlError('parameter_repeated');
  if (request !== undefined) return ['SAMLRequest', request];
  if (response !== undefined) return ['SAMLResponse', response];
  throw new SamlError('message_missing');
};

/** A request is short and comes from anyone; only an answer, with its certificates and groups, may be long. */
const longestMessage: Record<MessageKind, number> = { SAMLRequest: 32 * 1024, SAMLResponse: maximumMessageBytes };

export const gated = (kind: MessageKind, xml: string): string => {
  if (xml.length > longestMessage[kind]) throw new SamlError('message_too_large');
  assertPlainMarkup(xml);
  return xml;
};

/** The standard allows 80 bytes; real ones reach 574. It is kept for the sender, so it cannot be any length. */
const longestRelayState = 2_048;

export const acceptedRelayState = (relayState: string | undefined): string | undefined => {
  if (relayState !== undefined && Buffer.byteLength(relayState) > longestRelayState)
    throw new SamlError('relay_state_too_large');
  return relayState;
};

export const assertWebLocation = (location: string): void => {
  if (!/^https?:$/.test(URL.parse(location)?.protocol ?? '')) throw new SamlError('location_refused');
};
