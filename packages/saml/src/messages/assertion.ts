import { attributeNameFormats, authnContexts, bearerMethod } from '../xml/names.ts';
import { element, type XmlElement } from '../xml/xml-writer.ts';
import { issuerElement } from './message.ts';
import { type NameId, nameIdElement } from './name-id.ts';

export type AttributeDraft = {
  name: string;
  values: readonly string[];
  nameFormat?: keyof typeof attributeNameFormats | undefined;
  friendlyName?: string | undefined;
};

export type AssertionDraft = {
  assertionId: string;
  issuer: string;
  /** The assertion consumer service of the service provider. */
  destination: string;
  audience: string;
  inResponseTo?: string | undefined;
  issueInstant: Date;
  authnInstant: Date;
  sessionIndex: string;
  sessionNotOnOrAfter?: Date | undefined;
  /** How the person was authenticated; a password by default. */
  authnContext?: string | undefined;
  nameId: NameId;
  attributes: readonly AttributeDraft[];
};

const validBeforeSeconds = 30;
const validAfterSeconds = 300;

const shifted = (instant: Date, seconds: number) => new Date(instant.getTime() + seconds * 1000).toISOString();

/** The bearer profile forbids NotBefore in SubjectConfirmationData, and strict service providers refuse it. */
const subjectElement = ({ nameId, inResponseTo, destination, issueInstant }: AssertionDraft): XmlElement =>
  element('saml:Subject', {}, [
    nameIdElement(nameId),
    element('saml:SubjectConfirmation', { Method: bearerMethod }, [
      element('saml:SubjectConfirmationData', {
        InResponseTo: inResponseTo,
        NotOnOrAfter: shifted(issueInstant, validAfterSeconds),
        Recipient: destination,
      }),
    ]),
  ]);

const conditionsElement = ({ issueInstant, audience }: AssertionDraft): XmlElement =>
  element(
    'saml:Conditions',
    { NotBefore: shifted(issueInstant, -validBeforeSeconds), NotOnOrAfter: shifted(issueInstant, validAfterSeconds) },
    [element('saml:AudienceRestriction', {}, [element('saml:Audience', {}, [audience])])],
  );

const statementElement = ({
  authnInstant,
  sessionIndex,
  sessionNotOnOrAfter,
  authnContext = authnContexts.passwordProtectedTransport,
}: AssertionDraft): XmlElement =>
  element(
    'saml:AuthnStatement',
    {
      AuthnInstant: authnInstant.toISOString(),
      SessionIndex: sessionIndex,
      SessionNotOnOrAfter: sessionNotOnOrAfter?.toISOString(),
    },
    [element('saml:AuthnContext', {}, [element('saml:AuthnContextClassRef', {}, [authnContext])])],
  );

const attributeElement = ({ name, values, nameFormat = 'basic', friendlyName }: AttributeDraft): XmlElement =>
  element(
    'saml:Attribute',
    { Name: name, NameFormat: attributeNameFormats[nameFormat], FriendlyName: friendlyName },
    values.map((value) => element('saml:AttributeValue', { 'xsi:type': 'xs:string' }, [value])),
  );

const attributesElement = ({ attributes }: AssertionDraft): XmlElement | undefined => {
  const withValues = attributes.filter(({ values }) => values.length > 0);
  return withValues.length === 0 ? undefined : element('saml:AttributeStatement', {}, withValues.map(attributeElement));
};

export const assertionElement = (draft: AssertionDraft): XmlElement =>
  element(
    'saml:Assertion',
    { ID: draft.assertionId, IssueInstant: draft.issueInstant.toISOString(), Version: '2.0' },
    [
      issuerElement(draft.issuer),
      subjectElement(draft),
      conditionsElement(draft),
      statementElement(draft),
      attributesElement(draft),
    ],
    ['xs'],
  );
