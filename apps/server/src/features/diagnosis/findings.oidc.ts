import type { FindingCode, FindingPlace } from '@opensocial/contract';
import { describeDifference, nearestAddress } from './address-difference.ts';
import { type Explain, type Explanation, isUsableAddress, untilSuccess } from './finding.ts';

/** The maximum of the form of the site (`OidcParameters`). */
const maximumRedirectUris = 20;

const compare = (label: string, received = '', registered = '') => ({ label, received, registered });

const explainRedirectUri: Explain = ({ site: { oidc }, facts, isVerified }) => {
  const { redirectUri = '' } = facts;
  const registered = oidc?.redirect_uris ?? [];
  const nearest = nearestAddress(redirectUri, registered);
  const isCurrent = !registered.includes(redirectUri);
  const isSafe = isVerified && isUsableAddress(redirectUri) && registered.length < maximumRedirectUris;
  return {
    sentence: isCurrent
      ? `The request asks for the response at ${redirectUri}, but ${nearest} is registered: ${describeDifference(redirectUri, nearest)}.`
      : `The request asked for the response at ${redirectUri}, which was not registered at that time.`,
    advice: !isCurrent
      ? ''
      : isSafe
        ? 'The client has proven who it is, so you can use its address.'
        : 'Anybody could have sent this request. Compare the address with the settings of the application before you use it.',
    compared: [compare('Redirect URL', redirectUri, registered.join('\n'))],
    isCurrent,
    place: 'parameters',
    ...(isSafe &&
      oidc && {
        fix: {
          label: 'Add the address of the request',
          before: registered.join('\n'),
          after: [...registered, redirectUri].join('\n'),
          changes: { oidc: { ...oidc, redirect_uris: [...registered, redirectUri] } },
        },
      }),
  };
};

const explainClient: Explain = (exchange) => {
  const { site, facts } = exchange;
  return {
    sentence:
      site.identity === facts.clientId
        ? `The request said that it comes from the client ID ${facts.clientId}, which was not registered at that time.`
        : `The request says that it comes from the client ID ${facts.clientId ?? ''}, but ${site.identity} is registered for its address.`,
    advice: 'Enter the registered client ID in the application.',
    compared: [
      compare('Client ID', facts.clientId, site.identity),
      compare('Redirect URL', facts.redirectUri, site.oidc?.redirect_uris.join('\n')),
    ],
    isCurrent: site.identity !== facts.clientId && untilSuccess(exchange),
    place: 'none',
  };
};

const methods = {
  header: 'A secret in the Authorization header',
  form: 'A secret in the form',
  assertion: 'A signed assertion',
  none: 'Nothing',
} as const;

const registeredMethods = {
  secret: 'A secret, in the header or in the form',
  private_key_jwt: 'An assertion that is signed with the key of the application',
  none: 'Nothing, as the application cannot keep a secret',
} as const;

/** How the client should prove who it is, and how it did. */
const authentication =
  (sentence: string, advice: string, place: FindingPlace = 'parameters'): Explain =>
  (exchange): Explanation => {
    const { site, facts } = exchange;
    const registered = site.oidc?.authentication;
    return {
      sentence,
      advice,
      compared: [
        compare(
          'Authentication of the client',
          facts.authentication && methods[facts.authentication],
          registered && registeredMethods[registered],
        ),
      ],
      isCurrent: untilSuccess(exchange),
      place,
    };
  };

const explainSecret: Explain = (exchange) => ({
  sentence: 'The application sent a client secret that is not one of the secrets of the site.',
  advice:
    'Copy the secret again. If you no longer have it, create another one under Secrets and enter it in the application.',
  compared: [
    compare(
      'Client secret',
      'Another secret, which is not stored',
      exchange.secretHints.map((hint) => `One that ends in ${hint}`).join('\n') || 'None',
    ),
  ],
  isCurrent: untilSuccess(exchange),
  place: 'secrets',
});

/** A refusal that the details of the library explain. */
const detailed =
  (
    sentence: string,
    advice: string,
    label: string,
    key: 'scope' | 'challengeMethod' | 'redirectUri' | 'detail',
  ): Explain =>
  (exchange) => ({
    sentence,
    advice,
    compared: [compare(label, exchange.facts[key], '')],
    isCurrent: untilSuccess(exchange),
    place: 'none',
  });

const explainPkce: Explain = (exchange) => {
  const { site, facts } = exchange;
  const isRequired = site.oidc?.requires_pkce === true || site.oidc?.authentication === 'none';
  return {
    sentence: `The request does not use PKCE as the site ${isRequired ? 'requires' : 'required'} it.`,
    advice: 'Switch on PKCE with the method S256 in the application.',
    compared: [
      compare('PKCE', facts.challengeMethod ?? 'Not used', isRequired ? 'Required, method S256' : 'Not required'),
    ],
    isCurrent: isRequired && untilSuccess(exchange),
    place: 'parameters',
  };
};

export const oidcFindings = {
  client_unknown: explainClient,
  redirect_uri_unregistered: explainRedirectUri,
  scope_refused: detailed(
    'The request asks for a scope that does not exist, or lacks the scope openid.',
    'Use the scopes openid, profile, email, groups and, if the site allows it, offline_access.',
    'Scope',
    'scope',
  ),
  pkce_missing: explainPkce,
  parameter_refused: detailed(
    'A parameter of the request is missing or not supported.',
    'Compare the settings of the application with its documentation.',
    'Reason',
    'detail',
  ),
  secret_wrong: explainSecret,
  secret_missing: authentication(
    'The application sent no client secret, but the site is registered with one.',
    'Enter the client secret in the application. If you no longer have it, create another one under Secrets.',
    'secrets',
  ),
  secret_unexpected: authentication(
    'The application sent a client secret, but the site is registered as a public client without one.',
    'Remove the secret from the application, or register the site with a secret.',
  ),
  authentication_mismatch: authentication(
    'The application proves who it is in another way than the one that is registered.',
    'Choose the same method on both sides.',
  ),
  assertion_refused: authentication(
    'The signed assertion with which the application proves who it is was not accepted.',
    'Compare the keys of the application with those of the site, and check its clock.',
  ),
  code_refused: detailed(
    'The application sent a code that is not valid: it was used before, is older than a minute, or belongs to another client.',
    'Codes work once and for one minute. Check the clock of the application, and that only one of its servers uses each code.',
    'Reason',
    'detail',
  ),
  code_verifier_wrong: detailed(
    'The code verifier of the application does not match the challenge of its request.',
    'The application must send the code verifier that belongs to the same sign-in.',
    'Reason',
    'detail',
  ),
  redirect_uri_changed: detailed(
    'The application exchanged the code with another redirect URL than the one in its request.',
    'The application must use the same address in both steps. Behind a proxy it often does not know its public address.',
    'Redirect URL',
    'redirectUri',
  ),
  refresh_refused: detailed(
    'The application sent a refresh token that is not valid any more.',
    'The person has signed out, or the token was used before. The application must send the person to sign in again.',
    'Reason',
    'detail',
  ),
  token_refused: detailed(
    'The application asked for the claims of a person with an access token that is not valid any more.',
    'Access tokens work for 15 minutes, and end with the session of the person.',
    'Reason',
    'detail',
  ),
} as const satisfies Partial<Record<FindingCode, Explain>>;
