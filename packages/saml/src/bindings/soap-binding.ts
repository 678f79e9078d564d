import { XMLSerializer } from '@xmldom/xmldom';
import { SamlError } from '../errors.ts';
import { namespaces } from '../xml/names.ts';
import { decodeText } from '../xml/plain-markup.ts';
import { childElements, childrenNamed, hasName, parseXml } from '../xml/xml-reader.ts';
import { type BoundMessage, checkedXml, type MessageKind } from './bound-message.ts';

/** Puts a message into a SOAP envelope, for a request from server to server. */
export const soapEnvelope = (xml: string): string =>
  `<soap:Envelope xmlns:soap="${namespaces.soap}"><soap:Body>${xml}</soap:Body></soap:Envelope>`;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The answer to a request that cannot be processed. `reason` is text for an administrator. */
export const soapFault = (blamed: 'Client' | 'Server', reason: string): string => {
  const text = reason.replaceAll(/[&<>]/g, (character) => escapes[character] ?? '');
  return soapEnvelope(
    `<soap:Fault><faultcode>soap:${blamed}</faultcode><faultstring>${text}</faultstring></soap:Fault>`,
  );
};

/** Takes the only message out of a SOAP envelope. */
export const readSoap = (kind: MessageKind, bytes: Uint8Array): BoundMessage => {
  const root = parseXml(decodeText(bytes));
  const [body, second] = hasName(root, 'soap:Envelope') ? childrenNamed(root, 'soap:Body') : [];
  const [message, ...others] = body && !second ? childElements(body) : [];
  if (!message || others.length > 0)
    throw new SamlError('message_unexpected', { detail: 'It is not a SOAP envelope with one message.' });
  if (hasName(message, 'soap:Fault'))
    throw new SamlError('status_failure', { detail: (message.textContent ?? '').trim().slice(0, 300) });
  const xml = checkedXml(kind, new XMLSerializer().serializeToString(message));
  return { binding: 'soap', kind, xml, relayState: undefined, signature: undefined };
};
