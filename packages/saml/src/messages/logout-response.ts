import type { SigningKey } from '../signature/keys.ts';
import { writeMessage } from '../signature/signing.ts';
import { optionalAttribute } from '../xml/xml-reader.ts';
import { element } from '../xml/xml-writer.ts';
import {
  headerAttributes,
  issuerElement,
  type MessageDraft,
  type MessageHeader,
  parseMessage,
  readHeader,
} from './message.ts';
import { type ReceivedStatus, readStatus, type Status, statusElement } from './status.ts';

/** `PartialLogout` is a subcode of Success: the user is signed out here, but not at every site. */
const logoutStatuses = {
  Success: { code: 'Success' },
  PartialLogout: { code: 'Success', subcode: 'PartialLogout' },
  Requester: { code: 'Requester' },
  Responder: { code: 'Responder' },
  RequestDenied: { code: 'Requester', subcode: 'RequestDenied' },
  UnknownPrincipal: { code: 'Requester', subcode: 'UnknownPrincipal' },
} as const satisfies Record<string, Status>;

export type LogoutStatus = keyof typeof logoutStatuses;

export type LogoutResponse = MessageHeader & {
  inResponseTo: string | undefined;
  success: boolean;
  partial: boolean;
  status: ReceivedStatus;
};

export type LogoutResponseDraft = MessageDraft & { inResponseTo: string | undefined; status: LogoutStatus };

export const parseLogoutResponse = (xml: string): LogoutResponse => {
  const response = parseMessage(xml, 'samlp:LogoutResponse');
  const status = readStatus(response);
  return {
    ...readHeader(response),
    inResponseTo: optionalAttribute(response, 'InResponseTo'),
    success: status.code === 'Success',
    partial: status.subcode === 'PartialLogout',
    status,
  };
};

/** Pass a key for the POST binding. With the redirect binding the URL is signed instead of the XML. */
export const buildLogoutResponse = (draft: LogoutResponseDraft, key?: SigningKey): string => {
  const attributes = { ...headerAttributes(draft), InResponseTo: draft.inResponseTo };
  const children = [issuerElement(draft.issuer), statusElement(logoutStatuses[draft.status])];
  return writeMessage(element('samlp:LogoutResponse', attributes, children), key);
};
