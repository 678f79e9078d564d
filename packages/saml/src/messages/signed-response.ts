import { assertEqual, SamlError } from '../errors.ts';
import { signedBytes, verifyPostSignature } from '../signature/verify-signature.ts';
import { childrenNamed, descendants, type Element, optionalAttribute } from '../xml/xml-reader.ts';
import type { ResponseExpectations } from './expectations.ts';
import { parseMessage, readId, readIssuer } from './message.ts';
import { readAssertion, type SignedAssertion } from './signed-assertion.ts';
import { assertSuccess } from './status.ts';

export type SignedIn = SignedAssertion & { responseId: string; inResponseTo: string | undefined };

const assertResponse = (response: Element, expectations: ResponseExpectations): void => {
  assertEqual('issuer_mismatch', expectations.issuer, readIssuer(response));
  assertEqual('destination_mismatch', expectations.destination, optionalAttribute(response, 'Destination'));
  assertEqual('in_response_to_mismatch', expectations.inResponseTo, optionalAttribute(response, 'InResponseTo'));
  assertSuccess(response);
};

const requireAssertion = (response: Element): Element => {
  const everywhere = descendants(response).filter(({ localName }) => /^(Encrypted)?Assertion$/.test(localName ?? ''));
  const [assertion] = childrenNamed(response, 'saml:Assertion');
  if (!assertion || everywhere.length !== 1) throw new SamlError('assertion_count');
  return assertion;
};

/**
 * Verifies the signature of the response and then the signature of the assertion. The response is read only from the
 * bytes that its signature covers, and the assertion only from the bytes that its own signature covers. The caller must
 * remember the assertion's id to detect replays.
 */
export const readSignedResponse = (xml: string, expectations: ResponseExpectations): SignedIn => {
  const { certificates, inResponseTo } = expectations;
  const responseXml = verifyPostSignature(xml, certificates);
  const response = parseMessage(responseXml, 'samlp:Response');
  const responseId = readId(response);
  assertResponse(response, expectations);

  const assertionXml = signedBytes(responseXml, requireAssertion(response), certificates);
  const assertion = parseMessage(assertionXml, 'saml:Assertion');
  return { ...readAssertion(assertion, expectations), responseId, inResponseTo };
};
