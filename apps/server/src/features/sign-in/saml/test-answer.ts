import { formatXml, type SiteTestCheck } from '@opensocial/contract';
import { buildUnsignedAssertion } from '@opensocial/saml';
import type { SignOnRefusal } from '../flow/sign-on-request.ts';
import type { AnswerDescription } from '../site-test/answer.ts';
import { lengthOf, plural } from '../site-test/test-run.ts';
import { prepareSuccess, statuses } from './sign-on-response.ts';

const signed = {
  assertion: 'The assertion is signed.',
  response: 'The response is signed.',
  both: 'The response and the assertion are signed.',
};

/**
 * The id in the shown assertion. Ids, times and signatures are made when the answer is sent, so the page never contains a signed assertion
 * that somebody could copy.
 */
const shownId = '_made-when-it-is-sent';

/**
 * Describes the response that a service provider would get. The content comes from `prepareSuccess`, which also makes the real response,
 * so that both agree. Throws a `SignOnError` if the request cannot be granted.
 */
export const describeSamlAnswer = (
  parts: Parameters<typeof prepareSuccess>[0],
  granted: Parameters<typeof prepareSuccess>[1],
): AnswerDescription => {
  const { content, authnContext, protection } = prepareSuccess(parts, granted);
  const { message } = granted.signOn;
  const xml = buildUnsignedAssertion({ ...content, assertionId: shownId, issueInstant: new Date(), authnContext });
  const empty = content.attributes
    .filter(({ values }) => values.every((value) => value === ''))
    .map(({ name }) => name);
  const checks: SiteTestCheck[] = [
    { label: 'Goes to', outcome: 'yes', text: message.acsUrl },
    { label: 'NameID', outcome: 'yes', text: `${content.nameId.value} (${content.nameId.format})` },
    {
      label: 'Attributes',
      outcome: empty.length > 0 ? 'note' : 'yes',
      text:
        empty.length > 0
          ? `You have no value for: ${empty.join(', ')}. An application that needs ${empty.length === 1 ? 'it' : 'one of them'} may refuse the sign-in.`
          : `The assertion contains ${plural(content.attributes.length, 'attribute')}.`,
    },
    {
      label: 'Protection',
      outcome: 'yes',
      text: `${signed[protection.signs]} ${protection.encryptFor === undefined ? 'The assertion is not encrypted.' : 'The assertion is encrypted for the application; it is shown here before the encryption.'}`,
    },
  ];
  const parameters = [
    `POST ${message.acsUrl}`,
    'SAMLResponse: the response with this assertion',
    ...(message.relayState === undefined ? [] : [`RelayState: ${lengthOf(message.relayState)}, as received`]),
  ];
  return {
    checks,
    messages: [
      { title: 'Assertion, before it is signed', text: formatXml(xml) },
      { title: 'Form that your browser posts', text: parameters.join('\n') },
    ],
  };
};

/** The status that a service provider gets instead of an assertion. */
export const describeSamlRefusal = (refusal: SignOnRefusal, acsUrl: string): AnswerDescription => {
  const { code, subcode } = statuses[refusal];
  return {
    checks: [
      {
        label: 'Response',
        outcome: 'no',
        text: `The application gets a response without an assertion, with the status ${code}, ${subcode}, at ${acsUrl}.`,
      },
    ],
    messages: [],
  };
};
