import type { EventEmitter } from 'node:events';
import type { FindingCode } from '@opensocial/contract';
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { addressOf, countedAddress } from '../../../http/address.ts';
import type { ExchangeDraft, ExchangeFacts } from '../../../identity/site-exchanges.ts';
import type { Destination, Network } from '../destination/destinations.queries.ts';
import type { SignInParts } from '../flow/sign-in-flow.ts';
import type { TestFailure } from '../site-test/explainer.ts';
import { recordRedemption } from '../site-test/redemption.ts';
import { exchangeOf } from './exchanges.ts';

type LibraryError = Pick<errors.OIDCProviderError, 'error' | 'error_description' | 'error_detail' | 'cause'>;
type Step = ExchangeDraft['step'];

/** The events with which the library reports a request that it has refused. */
const steps = {
  'authorization.error': 'request',
  'pushed_authorization_request.error': 'request',
  'grant.error': 'token',
  'introspection.error': 'token',
  'revocation.error': 'token',
  'userinfo.error': 'userinfo',
} as const satisfies Record<string, Step>;

/**
 * Answers that are no mistake of the application: it asked whether somebody is signed in, the person was refused, which is recorded with
 * the decision, or a limit was reached.
 */
const ordinary = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
  'access_denied',
  'unmet_authentication_requirements',
  'temporarily_unavailable',
]);

/** Records the requests that the library refuses, for the diagnosis of their sites. */
export const observeErrors = (parts: SignInParts, network: Network, provider: Provider): void => {
  const events: EventEmitter = provider;
  // An error in a listener would become the answer to the application.
  const quietly = (work: () => void): void => {
    try {
      work();
    } catch (cause) {
      parts.log.debug({ err: cause }, 'A request of OpenID Connect was not recorded.');
    }
  };
  events.on('grant.success', (ctx: KoaContextWithOIDC) => quietly(() => recordTokens(parts, ctx)));
  for (const [event, step] of Object.entries(steps))
    events.on(event, (ctx: KoaContextWithOIDC, error: LibraryError) =>
      quietly(() => recordError(parts, network, ctx, { step, error })),
    );
};

/** A client that gets tokens has proven who it is, so that earlier problems are solved. */
const recordTokens = (parts: SignInParts, ctx: KoaContextWithOIDC): void => {
  const { request, client } = exchangeOf(ctx);
  if (!client) return;
  reportRedemption(parts, ctx, client, undefined);
  parts.exchanges.record({
    site: client.site,
    step: 'token',
    outcome: 'accepted',
    code: 'signed_in',
    isVerified: client.site.oidc?.authentication !== 'none',
    sender: countedAddress(addressOf(request)),
    facts: () => requestFacts(ctx),
  });
};

const recordError = (
  parts: SignInParts,
  network: Network,
  ctx: KoaContextWithOIDC,
  { step, error }: { step: Step; error: LibraryError },
): void => {
  const exchange = exchangeOf(ctx);
  const { request, client } = exchange;
  exchange.error = error.error;
  const unmet = unmetFinding(ctx, error);
  if (unmet) exchange.failure = { code: unmet, facts: requestFacts(ctx), isVerified: false };
  if (ordinary.has(error.error)) return;
  const sender = countedAddress(addressOf(request));
  const facts = { ...requestFacts(ctx), error: error.error, detail: detailOf(error) };
  if (!client) {
    const { clientId = '', redirectUri = '' } = facts;
    parts.exchanges.recordArrival({
      network: network.name,
      protocol: 'oidc',
      identity: clientId,
      address: redirectUri,
      sender,
    });
    return;
  }
  const authentication = client.site.oidc?.authentication;
  const failure = {
    code: codeOf(step, error, facts, authentication),
    isVerified: isAuthenticated(ctx) && error.error !== 'invalid_client' && authentication !== 'none',
    facts,
  };
  exchange.failure = failure;
  if (ctx.oidc.route === 'token') reportRedemption(parts, ctx, client, failure);
  parts.exchanges.record({
    site: client.site,
    step,
    outcome: 'refused',
    sender,
    ...failure,
    facts: () => facts,
  });
};

/**
 * The finding about a person who does not meet the request, which a test shows. A request with pages gets `login_required` only after
 * somebody else than the requested person has signed in.
 */
const unmetFinding = ({ oidc }: KoaContextWithOIDC, { error }: LibraryError): FindingCode | undefined => {
  if (error === 'unmet_authentication_requirements') return 'authentication_weak';
  return error === 'login_required' && !oidc.prompts?.has('none') ? 'other_person' : undefined;
};

/** A test watches its site for as long as it runs. Its code can be redeemed for another minute. */
const redemptionMilliseconds = 2 * 60_000;

/** Records in a test how its code was redeemed. Only a watched site can have a test, so the tokens of other sites cause no query. */
const reportRedemption = (
  parts: SignInParts,
  { oidc }: KoaContextWithOIDC,
  { site }: Destination,
  failure: TestFailure | undefined,
): void => {
  const code = oidc.params?.['code'];
  const isWatched = site.watched_until !== null && site.watched_until.getTime() + redemptionMilliseconds > Date.now();
  if (!isWatched || typeof code !== 'string') return;
  recordRedemption(parts, site.id, { code, failure }).catch((error: unknown) =>
    parts.log.debug({ err: error }, 'The redemption of a code was not recorded.'),
  );
};

/** The endpoints at which a client proves who it is, before anything else is checked. */
const isAuthenticated = ({ oidc }: KoaContextWithOIDC): boolean =>
  ['token', 'introspection', 'revocation', 'pushed_authorization_request'].includes(oidc.route);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The parameters of a request that diagnosis shows. */
export const requestFacts = (ctx: KoaContextWithOIDC): ExchangeFacts => {
  const parameters: Record<string, unknown> = ctx.oidc.params ?? ctx.query;
  const given = {
    clientId: textOf(parameters['client_id']) ?? clientInHeader(ctx),
    redirectUri: textOf(parameters['redirect_uri']),
    scope: textOf(parameters['scope']),
    responseType: textOf(parameters['response_type']),
    challengeMethod: textOf(parameters['code_challenge_method']),
    grantType: textOf(parameters['grant_type']),
    authentication: isAuthenticated(ctx) ? methodOf(ctx) : undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
};

/** The library's own words. A detail that comes from another error may contain a part of the request, and is left out. */
const detailOf = ({ error_description, error_detail, cause }: LibraryError): string =>
  (cause === undefined ? error_detail : undefined) ?? error_description ?? '';

/** The client id in an Authorization header. Nothing after the colon is read. */
const clientInHeader = ({ headers: { authorization } }: KoaContextWithOIDC): string | undefined => {
  const [, encoded] = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? '') ?? [];
  const [id] = encoded === undefined ? [] : Buffer.from(encoded, 'base64').toString('utf8').split(':', 1);
  return id || undefined;
};

/** How a client proves who it is. */
const methodOf = ({ headers, oidc }: KoaContextWithOIDC): NonNullable<ExchangeFacts['authentication']> => {
  if (headers.authorization !== undefined) return 'header';
  if (oidc.params?.['client_secret'] !== undefined) return 'form';
  return oidc.params?.['client_assertion'] === undefined ? 'none' : 'assertion';
};

const codeOf = (
  step: Step,
  error: LibraryError,
  { grantType, authentication }: ExchangeFacts,
  registered: string | undefined,
): FindingCode => {
  const words = `${error.error_description ?? ''} ${error.error_detail ?? ''}`;
  if (step === 'userinfo') return 'token_refused';
  if (error.error === 'invalid_client') return authenticationCode(words, authentication, registered);
  // A pushed request gets the same words with a general code.
  if (words.includes('redirect_uri did not match')) return 'redirect_uri_unregistered';
  if (error.error === 'invalid_scope' || words.includes('openid scope')) return 'scope_refused';
  if (step === 'request') return /PKCE|code_challenge/.test(words) ? 'pkce_missing' : 'parameter_refused';
  if (/code_verifier/.test(words)) return 'code_verifier_wrong';
  if (error.error !== 'invalid_grant') return 'parameter_refused';
  if (words.includes('redirect_uri mismatch')) return 'redirect_uri_changed';
  return grantType === 'refresh_token' ? 'refresh_refused' : 'code_refused';
};

const authenticationCode = (words: string, used: string | undefined, registered: string | undefined): FindingCode => {
  if (words.includes('invalid secret')) return 'secret_wrong';
  if (!words.includes('does not match the registered')) return 'assertion_refused';
  if (registered === 'none') return 'secret_unexpected';
  return registered === 'secret' && used === 'none' ? 'secret_missing' : 'authentication_mismatch';
};
