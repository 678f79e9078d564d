import { inflateRawSync } from 'node:zlib';
import { SamlError } from '../errors.ts';
import { assertPlainMarkup, maximumMessageBytes } from '../xml/plain-markup.ts';

export type MessageKind = 'SAMLRequest' | 'SAMLResponse';

export type RedirectSignature = {
  algorithm: string;
  value: Buffer;
  /** The signed part of the query string, exactly as received. */
  signedQuery: string;
};

export type BoundMessage = {
  binding: 'redirect' | 'post' | 'soap';
  kind: MessageKind;
  xml: string;
  relayState: string | undefined;
  /** Set for the redirect binding only. With the other bindings the signature is inside the XML. */
  signature: RedirectSignature | undefined;
};

export type OutgoingMessage = { location: string; kind: MessageKind; xml: string; relayState?: string | undefined };

const maximumBase64Length = Math.ceil(maximumMessageBytes / 3) * 4;

/** Whitespace is removed first, because some senders wrap their base64 at a fixed line length. */
export const decodeBase64 = (encoded: string): Buffer => {
  const compact = encoded.replace(/[\t\n\r ]/g, '');
  if (compact.length > maximumBase64Length) throw new SamlError('message_too_large');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw new SamlError('message_undecodable');
  return Buffer.from(compact, 'base64');
};

const isTooLarge = (cause: unknown) =>
  cause instanceof RangeError && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';

export const inflate = (compressed: Buffer): Buffer => {
  try {
    return inflateRawSync(compressed, { maxOutputLength: maximumMessageBytes });
  } catch (cause) {
    throw new SamlError(isTooLarge(cause) ? 'message_too_large' : 'message_undecodable', { cause });
  }
};

export const selectMessage = (request: string | undefined, response: string | undefined): [MessageKind, string] => {
  if (request !== undefined && response !== undefined) throw new SamlError('parameter_repeated');
  if (request !== undefined) return ['SAMLRequest', request];
  if (response !== undefined) return ['SAMLResponse', response];
  throw new SamlError('message_missing');
};

/**
 * Requests are short and unauthenticated, so their limit is lower. Responses contain certificates and groups and may be
 * long.
 */
const maximumXmlLength: Record<MessageKind, number> = { SAMLRequest: 32 * 1024, SAMLResponse: maximumMessageBytes };

export const checkedXml = (kind: MessageKind, xml: string): string => {
  if (xml.length > maximumXmlLength[kind]) throw new SamlError('message_too_large');
  assertPlainMarkup(xml);
  return xml;
};

/**
 * The standard allows 80 bytes, but real values reach 574. We store the value for the sender, so its length must be
 * limited.
 */
const maximumRelayStateBytes = 2_048;

export const acceptedRelayState = (relayState: string | undefined): string | undefined => {
  if (relayState !== undefined && Buffer.byteLength(relayState) > maximumRelayStateBytes)
    throw new SamlError('relay_state_too_large');
  return relayState;
};

export const assertWebLocation = (location: string): void => {
  if (!/^https?:$/.test(URL.parse(location)?.protocol ?? '')) throw new SamlError('location_refused');
};
