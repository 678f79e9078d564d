import type { FindingCode, SiteTestCheck } from '@opensocial/contract';
import type { Destination } from '../destination/destinations.queries.ts';
import { lengthOf, markChecks, type RequestDescription } from '../site-test/test-run.ts';
import { type RequestParameters, textOf } from './request-parameters.ts';

const checkIds = ['client', 'parameters', 'scope', 'redirect_uri', 'pkce', 'prompt', 'context'] as const;
type CheckId = (typeof checkIds)[number];

/** The check that a finding is about, in the order of the library. */
const checkOfFinding: Partial<Record<FindingCode, CheckId>> = {
  scope_refused: 'scope',
  redirect_uri_unregistered: 'redirect_uri',
  pkce_missing: 'pkce',
  authentication_weak: 'context',
};

/** Parameters that are values of one sign-in, or that may contain secrets, are shown by their length. */
const hidden = new Set([
  'state',
  'nonce',
  'code_challenge',
  'request',
  'request_uri',
  'id_token_hint',
  'client_secret',
  'client_assertion',
]);

const toText = (parameters: RequestParameters): string =>
  Object.entries(parameters)
    .flatMap(([name, value]) => {
      if (value === undefined || value === null) return [];
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [`${name}: ${hidden.has(name) ? lengthOf(text) : text}`];
    })
    .join('\n');

const describePkce = (parameters: RequestParameters): SiteTestCheck => {
  const method = textOf(parameters, 'code_challenge_method');
  if (textOf(parameters, 'code_challenge') !== undefined)
    return {
      label: 'PKCE',
      outcome: 'yes',
      text: `The request uses PKCE${method ? ` with the method ${method}` : ''}.`,
    };
  return {
    label: 'PKCE',
    outcome: 'note',
    text: 'The request does not use PKCE. The site does not require it.',
  };
};

export const asksForIdToken = (parameters: RequestParameters): boolean =>
  textOf(parameters, 'scope')?.split(' ').includes('openid') ?? false;

const describeScope = (parameters: RequestParameters): SiteTestCheck => {
  const scope = textOf(parameters, 'scope') ?? '';
  return asksForIdToken(parameters)
    ? { label: 'Scope', outcome: 'yes', text: `The request asks for: ${scope}.` }
    : {
        label: 'Scope',
        outcome: 'note',
        text: `The request asks for: ${scope || 'no scope'}. Without the scope openid, the application gets no ID token.`,
      };
};

const checksOf = (destination: Destination, parameters: RequestParameters): (SiteTestCheck & { id: CheckId })[] => {
  const passed = (label: string, text: string): SiteTestCheck => ({ label, outcome: 'yes', text });
  const prompt = textOf(parameters, 'prompt');
  const acr = textOf(parameters, 'acr_values');
  const described: Record<CheckId, SiteTestCheck> = {
    client: passed(
      'Client ID',
      `${textOf(parameters, 'client_id') ?? ''} is registered for ${destination.site.site_name}.`,
    ),
    parameters: passed('Parameters', `The response type is ${textOf(parameters, 'response_type') ?? 'code'}.`),
    scope: describeScope(parameters),
    redirect_uri: passed(
      'Redirect URL',
      `The response goes to ${textOf(parameters, 'redirect_uri') ?? ''}, which is registered.`,
    ),
    pkce: describePkce(parameters),
    prompt: passed('Prompt', prompt ? `The request asks for: ${prompt}.` : 'The request asks for no particular page.'),
    context: passed(
      'Kind of sign-in',
      acr ? `The request asks for: ${acr}.` : 'The request asks for no particular kind of sign-in.',
    ),
  };
  return checkIds.map((id) => ({ id, ...described[id] }));
};

/** Describes an authorization request for a test. `failure` is what diagnosis found, if the library refused the request. */
export const describeOidcRequest = (
  destination: Destination,
  parameters: RequestParameters,
  failure: RequestDescription['failure'],
): RequestDescription => ({
  text: toText(parameters),
  checks: markChecks(checksOf(destination, parameters), failure && (checkOfFinding[failure.code] ?? 'parameters')),
  failure,
  isPassive: textOf(parameters, 'prompt')?.split(' ').includes('none') ?? false,
});
