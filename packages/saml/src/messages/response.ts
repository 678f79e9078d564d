import { encryptAssertion } from '../encryption/encrypt-assertion.ts';
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

export type ResponseProtection = {
  /** Which elements are signed. */
  signs: 'assertion' | 'response' | 'both';
  /** The certificate that the assertion is encrypted for. */
  encryptFor?: string | undefined;
};

/** An assertion to look at. Service providers refuse it, because it has no signature. */
export const buildUnsignedAssertion = (draft: AssertionDraft): string => write(assertionElement(draft));

/** The assertion is signed before it is encrypted, and the response afterwards, as the standard says. */
export const buildResponse = (
  draft: ResponseDraft,
  key: SigningKey,
  { signs, encryptFor }: ResponseProtection = { signs: 'both' },
): string => {
  const plain = assertionElement(draft);
  const assertion = signs === 'response' ? plain : signElement(plain, key);
  const response = element('samlp:Response', { ...headerAttributes(draft), InResponseTo: draft.inResponseTo }, [
    issuerElement(draft.issuer),
    statusElement({ code: 'Success' }),
    encryptFor === undefined ? assertion : encryptAssertion(assertion, encryptFor),
  ]);
  return write(signs === 'assertion' ? response : signElement(response, key));
};

export const buildStatusResponse = (draft: StatusResponseDraft, key: SigningKey): string => {
  const response = element('samlp:Response', { ...headerAttributes(draft), InResponseTo: draft.inResponseTo }, [
    issuerElement(draft.issuer),
    statusElement(draft.status),
  ]);
  return write(signElement(response, key));
};
