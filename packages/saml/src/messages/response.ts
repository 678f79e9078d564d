import type { SigningKey } from '../signature/keys.ts';
import { signElement } from '../signature/signing.ts';
import { element, write } from '../xml/xml-writer.ts';
import { type AssertionDraft, assertionElement } from './assertion.ts';
import { headerAttributes, issuerElement, type MessageDraft } from './message.ts';
import { type Status, type StatusCode, statusElement } from './status.ts';

export type ResponseDraft = MessageDraft & AssertionDraft;

export type StatusResponseDraft = MessageDraft & {
  inResponseTo?: string | undefined;
  status: Status & { code: Exclude<StatusCode, 'Success'> };
};

export const buildResponse = (draft: ResponseDraft, key: SigningKey): string => {
  const response = element('samlp:Response', { ...headerAttributes(draft), InResponseTo: draft.inResponseTo }, [
    issuerElement(draft.issuer),
    statusElement({ code: 'Success' }),
    signElement(assertionElement(draft), key),
  ]);
  return write(signElement(response, key));
};

export const buildStatusResponse = (draft: StatusResponseDraft, key: SigningKey): string => {
  const response = element('samlp:Response', { ...headerAttributes(draft), InResponseTo: draft.inResponseTo }, [
    issuerElement(draft.issuer),
    statusElement(draft.status),
  ]);
  return write(signElement(response, key));
};
