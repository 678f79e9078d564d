import { XMLSerializer } from '@xmldom/xmldom';
import { SamlError } from '../errors.ts';
import { namespaces } from '../xml/names.ts';
import { childElements, childrenNamed, hasName, parseXml } from '../xml/xml-reader.ts';

/** Puts a message into a SOAP envelope, for a request from server to server. */
export const soapEnvelope = (xml: string): string =>
  `<soap:Envelope xmlns:soap="${namespaces.soap}"><soap:Body>${xml}</soap:Body></soap:Envelope>`;

/** Takes the only message out of a SOAP envelope. */
export const readSoap = (envelope: string): string => {
  const root = parseXml(envelope);
  const [body, second] = hasName(root, 'soap:Envelope') ? childrenNamed(root, 'soap:Body') : [];
  const [message, ...others] = body && !second ? childElements(body) : [];
  if (!message || others.length > 0)
    throw new SamlError('message_unexpected', { detail: 'It is not a SOAP envelope with one message.' });
  if (hasName(message, 'soap:Fault'))
    throw new SamlError('status_failure', { detail: (message.textContent ?? '').trim().slice(0, 300) });
  return new XMLSerializer().serializeToString(message);
};
