import { SamlError } from '../errors.ts';
import { isSamlId } from '../xml/ids.ts';
import { requiredInstant } from '../xml/values.ts';
import {
  type Element,
  hasName,
  optionalAttribute,
  parseXml,
  type QualifiedName,
  requiredAttribute,
  requiredChild,
  textOf,
} from '../xml/xml-reader.ts';
import { element, type XmlElement } from '../xml/xml-writer.ts';

export type MessageHeader = { id: string; issuer: string; issueInstant: Date; destination: string | undefined };

/** A response that is sent over the connection of its request has no destination. */
export type MessageDraft = { id: string; issuer: string; issueInstant: Date; destination: string | undefined };

export const parseMessage = (xml: string, name: QualifiedName): Element => {
  const root = parseXml(xml);
  if (!hasName(root, name)) {
    throw new SamlError('message_unexpected', { detail: `Expected ${name}, received ${root.localName}.` });
  }
  return root;
};

export const readId = (message: Element): string => {
  const id = requiredAttribute(message, 'ID');
  if (!isSamlId(id)) throw new SamlError('message_unexpected', { detail: 'Its ID is not a valid xs:ID.' });
  if (requiredAttribute(message, 'Version') !== '2.0') {
    throw new SamlError('message_unexpected', { detail: 'Its version is not 2.0.' });
  }
  return id;
};

export const readIssuer = (message: Element): string => textOf(requiredChild(message, 'saml:Issuer')).trim();

export const readHeader = (message: Element): MessageHeader => ({
  id: readId(message),
  issuer: readIssuer(message),
  issueInstant: requiredInstant(message, 'IssueInstant'),
  destination: optionalAttribute(message, 'Destination'),
});

export const headerAttributes = ({ id, issueInstant, destination }: MessageDraft) => ({
  ID: id,
  Version: '2.0',
  IssueInstant: issueInstant.toISOString(),
  Destination: destination,
});

export const issuerElement = (issuer: string): XmlElement => element('saml:Issuer', {}, [issuer]);
