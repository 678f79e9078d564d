import { assertEqual, SamlError } from '../errors.ts';
import { bearerMethod } from '../xml/names.ts';
import { optionalInstant, requiredInstant } from '../xml/values.ts';
import {
  childrenNamed,
  type Element,
  optionalAttribute,
  optionalChild,
  requiredAttribute,
  requiredChild,
  textOf,
} from '../xml/xml-reader.ts';
import { assertNotBefore, assertNotOnOrAfter, type ResponseExpectations } from './expectations.ts';
import { readId, readIssuer } from './message.ts';
import { readNameId } from './name-id.ts';

export type SignedAssertion = {
  assertionId: string;
  nameId: string;
  nameIdFormat: string | undefined;
  sessionIndex: string | undefined;
  authnInstant: Date;
  sessionNotOnOrAfter: Date | undefined;
  /** The caller must remember the assertion's id until this time to detect replays. */
  notOnOrAfter: Date;
  attributes: Record<string, string[]>;
};

const checkConfirmation = (subject: Element, expectations: ResponseExpectations): Date => {
  const confirmation = requiredChild(subject, 'saml:SubjectConfirmation');
  if (requiredAttribute(confirmation, 'Method') !== bearerMethod) {
    throw new SamlError('message_unexpected', { detail: 'The subject is not confirmed as bearer.' });
  }
  const data = requiredChild(confirmation, 'saml:SubjectConfirmationData');
  assertEqual('recipient_mismatch', expectations.destination, optionalAttribute(data, 'Recipient'));
  assertEqual('in_response_to_mismatch', expectations.inResponseTo, optionalAttribute(data, 'InResponseTo'));
  const notBefore = optionalInstant(data, 'NotBefore');
  if (notBefore) assertNotBefore(notBefore, expectations);
  const notOnOrAfter = requiredInstant(data, 'NotOnOrAfter');
  assertNotOnOrAfter(notOnOrAfter, expectations);
  return notOnOrAfter;
};

const checkConditions = (assertion: Element, expectations: ResponseExpectations): Date => {
  const conditions = requiredChild(assertion, 'saml:Conditions');
  const restrictions = childrenNamed(conditions, 'saml:AudienceRestriction');
  const audiences = restrictions.flatMap((restriction) => childrenNamed(restriction, 'saml:Audience')).map(textOf);
  if (audiences.length !== 1) {
    throw new SamlError('audience_mismatch', { detail: `It names ${audiences.length} audiences.` });
  }
  assertEqual('audience_mismatch', expectations.audience, audiences[0]?.trim());
  assertNotBefore(requiredInstant(conditions, 'NotBefore'), expectations);
  const notOnOrAfter = requiredInstant(conditions, 'NotOnOrAfter');
  assertNotOnOrAfter(notOnOrAfter, expectations);
  return notOnOrAfter;
};

const readAttributes = (assertion: Element): Record<string, string[]> => {
  const statement = optionalChild(assertion, 'saml:AttributeStatement');
  const entries = (statement ? childrenNamed(statement, 'saml:Attribute') : []).map((attribute): [string, string[]] => [
    requiredAttribute(attribute, 'Name'),
    childrenNamed(attribute, 'saml:AttributeValue').map(textOf),
  ]);
  const attributes = Object.fromEntries(entries);
  if (Object.keys(attributes).length < entries.length) {
    throw new SamlError('message_unexpected', { detail: 'An attribute is given more than once.' });
  }
  return attributes;
};

const readStatement = (assertion: Element, expectations: ResponseExpectations) => {
  const statement = requiredChild(assertion, 'saml:AuthnStatement');
  const sessionNotOnOrAfter = optionalInstant(statement, 'SessionNotOnOrAfter');
  if (sessionNotOnOrAfter) assertNotOnOrAfter(sessionNotOnOrAfter, expectations);
  return {
    sessionIndex: optionalAttribute(statement, 'SessionIndex'),
    authnInstant: requiredInstant(statement, 'AuthnInstant'),
    sessionNotOnOrAfter,
  };
};

export const readAssertion = (assertion: Element, expectations: ResponseExpectations): SignedAssertion => {
  const assertionId = readId(assertion);
  assertEqual('issuer_mismatch', expectations.issuer, readIssuer(assertion));
  const subject = requiredChild(assertion, 'saml:Subject');
  const confirmedUntil = checkConfirmation(subject, expectations);
  const validUntil = checkConditions(assertion, expectations);
  return {
    assertionId,
    ...readNameId(requiredChild(subject, 'saml:NameID')),
    ...readStatement(assertion, expectations),
    notOnOrAfter: confirmedUntil < validUntil ? confirmedUntil : validUntil,
    attributes: readAttributes(assertion),
  };
};
