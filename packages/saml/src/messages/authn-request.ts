import { SamlError } from '../errors.ts';
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
import { type ReceivedNameId, readNameId } from './name-id.ts';

export const comparisons = ['exact', 'minimum', 'maximum', 'better'] as const;

/** The authentication that a service provider asks for. `classes` is empty if it names declarations, which we do not have. */
export type RequestedAuthnContext = { comparison: (typeof comparisons)[number]; classes: string[] };

export type AuthnRequest = MessageHeader & {
  acsUrl: string | undefined;
  acsIndex: number | undefined;
  attributeServiceIndex: number | undefined;
  protocolBinding: string | undefined;
  forceAuthn: boolean;
  isPassive: boolean;
  /** The person who has to be signed in. */
  subject: ReceivedNameId | undefined;
  nameIdFormat: string | undefined;
  spNameQualifier: string | undefined;
  /** Whether a name may be created for a person who has none at this service provider yet. Undefined if the request has no policy. */
  allowCreate: boolean | undefined;
  requestedAuthnContext: RequestedAuthnContext | undefined;
};

export type AuthnRequestDraft = MessageDraft & {
  acsUrl: string;
  forceAuthn?: boolean | undefined;
  isPassive?: boolean | undefined;
  nameIdFormat?: string | undefined;
  requestedAuthnContext?: RequestedAuthnContext | undefined;
};

const readRequestedContext = (request: Element): RequestedAuthnContext | undefined => {
  const requested = optionalChild(request, 'samlp:RequestedAuthnContext');
  if (!requested) return undefined;
  const given = optionalAttribute(requested, 'Comparison') ?? 'exact';
  const comparison = comparisons.find((each) => each === given);
  if (!comparison) throw new SamlError('message_unexpected', { detail: 'Its Comparison is none that SAML defines.' });
  const references = childrenNamed(requested, 'saml:AuthnContextClassRef');
  return { comparison, classes: references.map((reference) => textOf(reference).trim()) };
};

/** Only a name can be compared. Other kinds of identifiers, and encrypted ones, name a person whom we do not know. */
const readSubject = (request: Element): ReceivedNameId | undefined => {
  const subject = optionalChild(request, 'saml:Subject');
  const nameId = subject && optionalChild(subject, 'saml:NameID');
  return subject && (nameId ? readNameId(nameId) : { nameId: '', nameIdFormat: undefined });
};

export const parseAuthnRequest = (xml: string): AuthnRequest => {
  const request = parseMessage(xml, 'samlp:AuthnRequest');
  const policy = optionalChild(request, 'samlp:NameIDPolicy');
  return {
    ...readHeader(request),
    acsUrl: optionalAttribute(request, 'AssertionConsumerServiceURL'),
    acsIndex: optionalIndex(request, 'AssertionConsumerServiceIndex'),
    attributeServiceIndex: optionalIndex(request, 'AttributeConsumingServiceIndex'),
    protocolBinding: optionalAttribute(request, 'ProtocolBinding'),
    forceAuthn: flagAttribute(request, 'ForceAuthn'),
    isPassive: flagAttribute(request, 'IsPassive'),
    subject: readSubject(request),
    nameIdFormat: policy && optionalAttribute(policy, 'Format'),
    spNameQualifier: policy && optionalAttribute(policy, 'SPNameQualifier'),
    allowCreate: policy && flagAttribute(policy, 'AllowCreate'),
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
  const { requestedAuthnContext: requested } = draft;
  const context =
    requested &&
    element(
      'samlp:RequestedAuthnContext',
      { Comparison: requested.comparison },
      requested.classes.map((each) => element('saml:AuthnContextClassRef', {}, [each])),
    );
  return writeMessage(element('samlp:AuthnRequest', attributes, [issuerElement(draft.issuer), policy, context]), key);
};
