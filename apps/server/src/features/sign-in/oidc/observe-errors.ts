import type { EventEmitter } from 'node:events';
import type { FindingCode } from '@opensocial/contract';
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { addressOf, countedAddress } from '../../../http/address.ts';
import type { ExchangeDraft, ExchangeFacts } from '../../../identity/site-exchanges.ts';
import type { Network } from '../destination/destinations.queries.ts';
import type { SignInParts } from '../flow/sign-in-flow.ts';
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
const recordTokens = ({ exchanges }: SignInParts, ctx: KoaContextWithOIDC): void => {
  const { request, client } = exchangeOf(ctx);
  if (!client) return;
  exchanges.record({
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
  { exchanges }: SignInParts,
  network: Network,
  ctx: KoaContextWithOIDC,
  { step, error }: { step: Step; error: LibraryError },
): void => {
  if (ordinary.has(error.error)) return;
  const { request, client } = exchangeOf(ctx);
  const sender = countedAddress(addressOf(request));
  const facts = { ...requestFacts(ctx), error: error.error, detail: detailOf(error) };
  if (!client) {
    const { clientId = '', redirectUri = '' } = facts;
    exchanges.recordArrival({
      network: network.name,
      protocol: 'oidc',
      identity: clientId,
      address: redirectUri,
      sender,
    });
    return;
  }
  const authentication = client.site.oidc?.authentication;
  exchanges.record({
    site: client.site,
    step,
    outcome: 'refused',
    code: codeOf(step, error, facts, authentication),
    isVerified: isAuthenticated(ctx) && error.error !== 'invalid_client' && authentication !== 'none',
    sender,
    facts: () => facts,
  });
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
