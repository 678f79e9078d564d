import type { SiteTestCheck } from '@opensocial/contract';
import type { SignInParts } from '../flow/sign-in-flow.ts';
import type { Granted } from '../flow/sign-on-protocol.ts';
import { type OidcRequest, SignOnError, type SignOnRefusal } from '../flow/sign-on-request.ts';
import type { AnswerDescription } from '../site-test/answer.ts';
import { lengthOf } from '../site-test/test-run.ts';
import { oidcAddresses } from './addresses.ts';
import { findArtifact } from './artifacts.queries.ts';
import { acrOf, amrOf, satisfies } from './authentication.ts';
import { claimsByScope, customClaimsIn, grantedClaims, grantedScopes, toClaims } from './claims.ts';
import { claimsInRequest, isOtherPerson } from './policy.ts';
import { errorOf } from './protocol.ts';
import { type RequestParameters, textOf } from './request-parameters.ts';
import { sidOf } from './sid.ts';
import { asksForIdToken } from './test-request.ts';

type ShownGranted = Pick<Granted<OidcRequest>, 'signOn' | 'identity'>;

const madeLater = 'created when the application redeems its code';

/** The names of the claims that a request gets by its scopes and by its `claims` parameter. */
const requestedNames = (parameters: RequestParameters): string[] => {
  const scopes = textOf(parameters, 'scope')?.split(' ') ?? [];
  const byScope = scopes
    .filter((scope) => grantedScopes.includes(scope))
    .flatMap((scope) => claimsByScope[scope] ?? []);
  const byName = Object.keys(claimsInRequest(parameters) ?? {}).filter((name) => grantedClaims.includes(name));
  return [...new Set([...byScope, ...byName])];
};

/** The claims of the ID token that the token endpoint will give. */
const idTokenClaims = (
  parts: Pick<SignInParts, 'config' | 'persistentNames'>,
  { signOn: { destination }, identity: { session, user } }: ShownGranted,
  parameters: RequestParameters,
) => {
  const { site, network } = destination;
  const available: Record<string, unknown> = toClaims(parts, destination, user);
  const names = requestedNames(parameters).filter((name) => available[name] !== undefined);
  const nonce = textOf(parameters, 'nonce');
  return {
    sub: user.uid,
    ...customClaimsIn(available),
    ...Object.fromEntries(names.map((name) => [name, available[name]])),
    acr: acrOf(session),
    amr: amrOf(session),
    auth_time: Math.floor(session.authenticated_at.getTime() / 1_000),
    sid: sidOf(parts, session.session_index, site.identity),
    ...(nonce !== undefined && { nonce: `${lengthOf(nonce)}, as received` }),
    iss: oidcAddresses(parts.config, network.name).issuer,
    aud: site.identity,
    iat: madeLater,
    exp: madeLater,
    at_hash: madeLater,
  };
};

/**
 * The redirect and the ID token that a client would get. The code is made when the answer is sent. Throws a `SignOnError` if the library
 * would refuse the person then.
 */
export const describeOidcAnswer = async (parts: SignInParts, granted: ShownGranted): Promise<AnswerDescription> => {
  const { destination, message } = granted.signOn;
  const { session, user } = granted.identity;
  const { issuer } = oidcAddresses(parts.config, destination.network.name);
  const found = await findArtifact(parts.db, {
    networkId: destination.network.id,
    kind: 'Interaction',
    id: message.interaction,
  });
  const parameters: RequestParameters = { ...(found?.['params'] as object | undefined) };
  if (isOtherPerson(parameters, user.uid)) throw new SignOnError(granted.signOn, 'other_person');
  if (!satisfies(session, message.acr)) throw new SignOnError(granted.signOn, 'weak_authentication');
  const redirectUri = textOf(parameters, 'redirect_uri') ?? '';
  const state = textOf(parameters, 'state');
  const claims = idTokenClaims(parts, granted, parameters);
  const unknown = (textOf(parameters, 'scope')?.split(' ') ?? []).filter((scope) => !grantedScopes.includes(scope));
  const checks: SiteTestCheck[] = [
    { label: 'Goes to', outcome: 'yes', text: redirectUri },
    { label: 'Person', outcome: 'yes', text: `The claim sub is ${claims.sub}.` },
    describeClaims(unknown, emptyIn(claims)),
  ];
  return {
    checks,
    messages: [
      {
        title: 'Redirect to the application',
        text: [
          redirectUri,
          'code: created when you send the response, valid for one minute',
          ...(state === undefined ? [] : [`state: ${lengthOf(state)}, as received`]),
          `iss: ${issuer}`,
        ].join('\n'),
      },
      ...(asksForIdToken(parameters)
        ? [{ title: 'Claims of the ID token', text: JSON.stringify(claims, undefined, 2) }]
        : []),
    ],
  };
};

const emptyIn = (claims: Record<string, unknown>): string[] =>
  Object.entries(claims).flatMap(([name, value]) =>
    value === '' || (Array.isArray(value) && value.length === 0) ? [name] : [],
  );

const describeClaims = (unknownScopes: readonly string[], empty: readonly string[]): SiteTestCheck => {
  const notes = [
    ...(unknownScopes.length > 0 ? [`These scopes give nothing here: ${unknownScopes.join(', ')}.`] : []),
    ...(empty.length > 0
      ? [
          `You have no value for: ${empty.join(', ')}. An application that needs ${empty.length === 1 ? 'it' : 'one of them'} may refuse the sign-in.`,
        ]
      : []),
  ];
  return {
    label: 'Claims',
    outcome: notes.length > 0 ? 'note' : 'yes',
    text: notes.join(' ') || 'All scopes are available.',
  };
};

/** The error that a client gets instead of a code. */
export const describeOidcRefusal = (refusal: SignOnRefusal): AnswerDescription => describeOidcError(errorOf(refusal));

export const describeOidcError = (error: string): AnswerDescription => ({
  checks: [
    {
      label: 'Response',
      outcome: 'no',
      text: `The application gets the error ${error} at its redirect URL, and no code.`,
    },
  ],
  messages: [],
});
