import type { SigningKey } from '../signature/keys.ts';
import { writeMessage } from '../signature/signing.ts';
import { optionalInstant } from '../xml/values.ts';
import { childrenNamed, requiredChild, textOf } from '../xml/xml-reader.ts';
import { element } from '../xml/xml-writer.ts';
import {
  headerAttributes,
  issuerElement,
  type MessageDraft,
  type MessageHeader,
  parseMessage,
  readHeader,
} from './message.ts';
import { type NameId, nameIdElement, type ReceivedNameId, readNameId } from './name-id.ts';

export type LogoutRequest = MessageHeader &
  ReceivedNameId & { sessionIndexes: string[]; notOnOrAfter: Date | undefined };

export type LogoutRequestDraft = MessageDraft & {
  nameId: NameId;
  sessionIndex?: string | undefined;
  notOnOrAfter?: Date | undefined;
};

export const parseLogoutRequest = (xml: string): LogoutRequest => {
  const request = parseMessage(xml, 'samlp:LogoutRequest');
  return {
    ...readHeader(request),
    ...readNameId(requiredChild(request, 'saml:NameID')),
    sessionIndexes: childrenNamed(request, 'samlp:SessionIndex').map(textOf),
    notOnOrAfter: optionalInstant(request, 'NotOnOrAfter'),
  };
};

/** Pass a key for the POST binding. With the redirect binding the URL is signed instead of the XML. */
export const buildLogoutRequest = (draft: LogoutRequestDraft, key?: SigningKey): string => {
  const attributes = { ...headerAttributes(draft), NotOnOrAfter: draft.notOnOrAfter?.toISOString() };
  const children = [
    issuerElement(draft.issuer),
    nameIdElement(draft.nameId),
    draft.sessionIndex === undefined ? undefined : element('samlp:SessionIndex', {}, [draft.sessionIndex]),
  ];
  return writeMessage(element('samlp:LogoutRequest', attributes, children), key);
};
