import type { SigningKey } from '../signature/keys.ts';
import { writeMessage } from '../signature/signing.ts';
import { bindings } from '../xml/names.ts';
import { flagAttribute, optionalIndex } from '../xml/values.ts';
import { childrenNamed, type Element, optionalAttribute, optionalChild, textOf } from '../xml/xml-reader.ts';
import { element } from '../xml/xml-writer.ts';
import {
  headerAttributes,
  issuerElement,
  type MessageDraft,
  type MessageHeader,
  parseMessage,
  readHeader,
} from './message.ts';

export type AuthnRequest = MessageHeader & {
  acsUrl: string | undefined;
  acsIndex: number | undefined;
  protocolBinding: string | undefined;
  forceAuthn: boolean;
  isPassive: boolean;
  nameIdFormat: string | undefined;
  requestedAuthnContext: string[] | undefined;
};

export type AuthnRequestDraft = MessageDraft & {
  acsUrl: string;
  forceAuthn?: boolean | undefined;
  isPassive?: boolean | undefined;
  nameIdFormat?: string | undefined;
};

const readRequestedContext = (request: Element): string[] | undefined => {
  const requested = optionalChild(request, 'samlp:RequestedAuthnContext');
  return (
    requested && childrenNamed(requested, 'saml:AuthnContextClassRef').map((reference) => textOf(reference).trim())
  );
};

export const parseAuthnRequest = (xml: string): AuthnRequest => {
  const request = parseMessage(xml, 'samlp:AuthnRequest');
  const policy = optionalChild(request, 'samlp:NameIDPolicy');
  return {
    ...readHeader(request),
    acsUrl: optionalAttribute(request, 'AssertionConsumerServiceURL'),
    acsIndex: optionalIndex(request, 'AssertionConsumerServiceIndex'),
    protocolBinding: optionalAttribute(request, 'ProtocolBinding'),
    forceAuthn: flagAttribute(request, 'ForceAuthn'),
    isPassive: flagAttribute(request, 'IsPassive'),
    nameIdFormat: policy && optionalAttribute(policy, 'Format'),
    requestedAuthnContext: readRequestedContext(request),
  };
};

export const buildAuthnRequest = (draft: AuthnRequestDraft, key?: SigningKey): string => {
  const attributes = {
    ...headerAttributes(draft),
    AssertionConsumerServiceURL: draft.acsUrl,
    ProtocolBinding: bindings.post,
    ForceAuthn: draft.forceAuthn ? 'true' : undefined,
    IsPassive: draft.isPassive ? 'true' : undefined,
  };
  const policy = element('samlp:NameIDPolicy', { AllowCreate: 'true', Format: draft.nameIdFormat });
  return writeMessage(element('samlp:AuthnRequest', attributes, [issuerElement(draft.issuer), policy]), key);
};
