import type { FindingCode, SiteTestCheck } from '@opensocial/contract';
import { SamlError } from '@opensocial/saml';
import { PageError } from '../../../http/errors.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import { toStoredRequest } from '../flow/protocols.ts';
import type { Exchange, SignInParts } from '../flow/sign-in-flow.ts';
import type { Granted } from '../flow/sign-on-protocol.ts';
import { SignOnError, type SignOnRefusal, type SignOnRequest } from '../flow/sign-on-request.ts';
import { describeOidcAnswer, describeOidcRefusal } from '../oidc/test-answer.ts';
import { describeSamlAnswer, describeSamlRefusal } from '../saml/test-answer.ts';
import type { AnswerDescription } from './answer.ts';
import { showTest } from './pause.ts';
import type { SiteTestRow } from './site-tests.queries.ts';

type GrantedSignOn = Granted<SignOnRequest['message']>;

const describeAnswer = async (parts: SignInParts, { signOn, identity }: GrantedSignOn): Promise<AnswerDescription> => {
  const { message, ...request } = signOn;
  return message.protocol === 'saml'
    ? describeSamlAnswer(parts, { signOn: { ...request, message }, identity })
    : describeOidcAnswer(parts, { signOn: { ...request, message }, identity });
};

/** Shows the answer to a request before it is sent. Throws a `SignOnError` if there is no such answer. */
export const showAnswer = async (parts: SignInParts, exchange: Exchange, test: SiteTestRow, granted: GrantedSignOn) => {
  const { signOn, identity, method } = granted;
  const { destination, message } = signOn;
  const answer = await describeAnswer(parts, granted);
  const checks = [...test.steps.flatMap((step) => step.checks), ...answer.checks];
  const notes = checks.filter(({ outcome }) => outcome === 'note').map(({ label }) => label);
  return showTest(parts, exchange, test, {
    destination,
    identity,
    answer,
    paused: { request: toStoredRequest(message), method, refusal: null },
    verdict: {
      outcome: 'yes',
      title: `Everything is right on our side${notes.length > 0 ? ', with notes' : ''}`,
      text: [
        ...(notes.length > 0 ? [`See the ${notes.length === 1 ? 'note' : 'notes'} on: ${notes.join(', ')}.`] : []),
        `Nothing has been sent to ${destination.site.site_name} yet. Look at the response, and then send it.`,
      ].join(' '),
    },
  });
};

/** Whether an error says that a sign-on is refused. Other errors are failures of the server, such as a database that does not answer. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof SignOnError ||
  error instanceof SamlError ||
  (error instanceof PageError && (error.status === 400 || error.status === 403));

/** The findings about refusals that come after the request was accepted. */
const laterFindings: Partial<Record<SignOnRefusal, FindingCode>> = {
  weak_authentication: 'authentication_weak',
  other_person: 'other_person',
};

type Refused = { destination: Destination; identity: Identity | undefined; error: unknown };

/** Shows why a request is refused, instead of the usual page. A refusal that the protocol sends to the application can be sent from there. */
export const showRefusal = async (
  parts: SignInParts,
  exchange: Exchange,
  test: SiteTestRow,
  { destination, identity, error }: Refused,
) => {
  const { site } = destination;
  const isRequestWrong = test.steps.some(
    ({ id, checks }) => id === 'request' && checks.some(({ outcome }) => outcome === 'no'),
  );
  const later = error instanceof SignOnError && !isRequestWrong ? laterFindings[error.refusal] : undefined;
  const sentence =
    later && (await parts.explainer.explainFailure(site.id, { code: later, facts: {}, isVerified: false }));
  const answer = describeRefused(error, sentence);
  void exchange.reply.status(error instanceof SignOnError ? 200 : 403);
  return showTest(parts, exchange, test, {
    destination,
    identity: isRequestWrong ? undefined : identity,
    answer,
    paused: toPaused(error),
    verdict: {
      outcome: 'no',
      title: isRequestWrong ? 'The request is not accepted' : `You cannot enter ${site.site_name}`,
      text: 'It is marked below. Correct it, and start the sign-in again.',
    },
  });
};

const describeRefused = (error: unknown, sentence: string | undefined): AnswerDescription | undefined => {
  if (!(error instanceof SignOnError)) return undefined;
  const { message } = error.signOn;
  const described =
    message.protocol === 'saml'
      ? describeSamlRefusal(error.refusal, message.acsUrl)
      : describeOidcRefusal(error.refusal);
  const reason: SiteTestCheck[] = sentence === undefined ? [] : [{ label: 'Reason', outcome: 'no', text: sentence }];
  return { ...described, checks: [...reason, ...described.checks] };
};

const toPaused = (error: unknown) => {
  if (!(error instanceof SignOnError)) return undefined;
  const { message } = error.signOn;
  const request =
    message.protocol === 'saml'
      ? toStoredRequest({
          nameIdFormat: undefined,
          attributeIndex: undefined,
          authnContext: undefined,
          subject: undefined,
          ...message,
        })
      : toStoredRequest(message);
  return { request, method: 'session', refusal: error.refusal };
};
