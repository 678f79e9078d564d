import { renderError } from '@opensocial/signin';
import { type Configuration, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { addressOf, clientOf, countedAddress } from '../../../http/address.ts';
import { errorPageRecorder } from '../../../http/error-pages.ts';
import { newReference } from '../../../http/errors.ts';
import { newUid } from '../../../secrets/tokens.ts';
import { findAccountRefusal, findSiteRefusal, isNonMember } from '../accounts/checks.ts';
import { findSiteAccountByUid } from '../accounts/site-accounts.queries.ts';
import { renewDevice } from '../credentials/known-devices.ts';
import type { Network } from '../destination/destinations.queries.ts';
import type { SignInParts } from '../flow/sign-in-flow.ts';
import { createAdapterFactory } from './adapter.ts';
import { oidcAddresses } from './addresses.ts';
import { upsertGrant } from './artifacts.queries.ts';
import { acrOf, acrValues } from './authentication.ts';
import { claimsByScope, customClaimsIn, grantedClaims, grantedScopes, toClaims } from './claims.ts';
import { currentExchange, exchangeOf } from './exchanges.ts';
import { answerFailures, isForPeople, type ShowPage } from './failures.ts';
import { type OidcKey, toJwks } from './keys.ts';
import { fetchForLibrary } from './library-fetch.ts';
import { observeErrors, requestFacts } from './observe-errors.ts';
import { writePage } from './pages.ts';
import { createPolicy, signedInOf } from './policy.ts';
import { hasSecret } from './secrets.queries.ts';
import { usableIdentity } from './session.ts';
import { pauseTestedError, recordTestedCode } from './tested-answer.ts';

/** The name under which a sign-on is kept for the logout. SAML has the format of the NameID in its place. */
const oidcNameFormat = 'oidc';

/** Lifetimes in seconds. */
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const lifetimes = {
  AuthorizationCode: minute,
  AccessToken: 15 * minute,
  IdToken: hour,
  /** Sign-ins on our pages end after half an hour. */
  Interaction: hour,
  PushedAuthorizationRequest: 5 * minute,
  Session: hour,
};

/** A refresh token that is not used for so long ends. */
const refreshDays = 30;
/** The longest time that a grant lasts, however often its tokens are refreshed. */
const grantDays = 365;

/** The cookies of the library. The session is not kept in a cookie, but the library looks for one. */
export const cookieNames = { session: 'oidc-session', interaction: 'oidc-interaction', resume: 'oidc-resume' };

type ProviderDraft = { network: Network; keys: readonly OidcKey[] };

/** Makes the OpenID Connect provider of a network. */
export const createProvider = (parts: SignInParts, { network, keys }: ProviderDraft): Provider => {
  const provider = new Provider(oidcAddresses(parts.config, network.name).issuer, {
    ...configurationOf(parts, network),
    jwks: toJwks(keys),
    claims: {
      ...Object.fromEntries(Object.entries(claimsByScope).map(([scope, names]) => [scope, [...names]])),
      // How and when the person signed in is in every ID token, so that applications need not ask for it.
      openid: ['sub', 'acr', 'amr', 'auth_time', 'sid'],
      iss: null,
    },
  });
  provider.proxy = true;
  adaptModels(parts, provider);
  answerFailures(provider, (ctx, page) => showPage(parts, ctx, page));
  provider.use(allowCaching);
  provider.use((ctx, next) => recordSignOn(parts, ctx as KoaContextWithOIDC, next));
  observeErrors(parts, network, provider);
  return provider;
};

/** Applications read the discovery document and the keys often. A new key is published a day before it signs. */
const allowCaching: Parameters<Provider['use']>[0] = async (ctx, next) => {
  await next();
  if (/^\/(?:\.well-known\/|jwks)/.test(ctx.path) && ctx.status === 200)
    ctx.set('cache-control', `public, max-age=${10 * minute}`);
};

/** Three answers of the library's models that depend on what is stored here. */
const adaptModels = ({ db }: SignInParts, provider: Provider): void => {
  addCustomClaims(provider);
  Object.assign(provider.Client.prototype, {
    compareClientSecret(this: { clientId: string }, given: string) {
      return hasSecret(db, this.clientId, given);
    },
    // The hint of a logout request has to name the session, also of a client without a back channel.
    includeSid: () => true,
  });
  // Without consent, the library would not issue refresh tokens. Registering the site is the consent.
  const context = Reflect.get(provider, 'OIDCContext') as { prototype: object };
  Object.defineProperty(context.prototype, 'prompts', {
    get(this: { params?: { prompt?: string } }) {
      const prompts = new Set(this.params?.prompt?.split(' ') ?? []);
      return prompts.has('none') ? prompts : prompts.add('consent');
    },
  });
};

/**
 * The library releases only claims that it knows by name since it was started. The claims of sites change, and each process has a provider
 * of its own, so the names are not part of its configuration.
 */
const addCustomClaims = (provider: Provider): void => {
  const { prototype } = provider.Claims;
  const result: () => Promise<object> = Reflect.get(prototype, 'result');
  prototype.result = async function () {
    return { ...customClaimsIn(Reflect.get(this, 'available')), ...(await result.call(this)) };
  };
};

const configurationOf = (parts: SignInParts, network: Network): Configuration => {
  const { logout } = oidcAddresses(parts.config, network.name);
  return {
    adapter: createAdapterFactory(parts, network),
    acrValues: [...acrValues],
    scopes: grantedScopes,
    // Applications such as Grafana and Argo CD read name, email and groups from the ID token only.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    enabledJWA: {
      idTokenSigningAlgValues: ['RS256', 'ES256'],
      userinfoSigningAlgValues: ['RS256', 'ES256'],
      introspectionSigningAlgValues: ['RS256', 'ES256'],
      clientAuthSigningAlgValues: ['RS256', 'PS256', 'ES256'],
    },
    cookies: { names: cookieNames, long: { path: '/' }, short: { httpOnly: true, sameSite: 'lax' } },
    ttl: { ...lifetimes, RefreshToken: refreshDays * day, Grant: grantDays * day },
    allowOmittingSingleRegisteredRedirectUri: false,
    rotateRefreshToken: true,
    issueRefreshToken: (_ctx, _client, source) => source.scopes.has('offline_access'),
    // Grants end with our session, so the library need not look for its own.
    expiresWithSession: () => false,
    extraClientMetadata: { properties: ['requires_pkce'] },
    pkce: { required: (_ctx, client) => client['requires_pkce'] === true },
    interactions: {
      policy: createPolicy(parts),
      url: (_ctx, { uid }) => `${oidcAddresses(parts.config, network.name).issuer}/interaction/${uid}`,
    },
    findAccount: (ctx, uid) => findAccount(parts, ctx, network, uid),
    loadExistingGrant: (ctx) => loadGrant(parts, ctx),
    clientBasedCORS: (_ctx, origin, client) =>
      (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      backchannelLogout: { enabled: false },
      resourceIndicators: { enabled: false },
      dPoP: { enabled: false },
      claimsParameter: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      introspection: {
        enabled: true,
        allowedPolicy: (ctx, _client, token) => mayIntrospect(parts, ctx, network, token),
      },
    },
    routes: {
      authorization: '/auth',
      token: '/token',
      userinfo: '/userinfo',
      jwks: '/jwks',
      revocation: '/revoke',
      introspection: '/introspect',
      pushed_authorization_request: '/par',
    },
    discovery: {
      end_session_endpoint: logout,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
    },
    fetch: fetchForLibrary(parts.config),
    renderError: (ctx, { error, error_description }) => {
      if (error !== 'server_error') showError(parts, ctx, `${error}: ${error_description ?? ''}`);
    },
  };
};

/** A page for a person whose request cannot be sent back to the application. */
const showError = (parts: SignInParts, ctx: KoaContextWithOIDC, reason: string): void => {
  const message = `The application sent a request that is not valid (${reason.replace(/[:\s]+$/, '')}). Go back to it and try again. If the problem persists, show this page to its administrator.`;
  const reference = newReference();
  const exchange = exchangeOf(ctx);
  exchange.isErrorShown = true;
  exchange.request.log.info({ reference, message }, 'An OpenID Connect request was refused.');
  showPage(parts, ctx, { title: 'This request is not valid', message, reference });
};

const showPage = (parts: SignInParts, ctx: KoaContextWithOIDC, page: Parameters<ShowPage>[1]): void => {
  errorPageRecorder(parts.exchanges)(exchangeOf(ctx).request, page);
  writePage(ctx, renderError({ ...page, homeUrl: '/' }));
};

/** The account of a person, with the same checks as a sign-on: who may not enter the site any more gets no tokens either. */
const findAccount = async (parts: SignInParts, ctx: KoaContextWithOIDC, network: Network, uid: string) => {
  const { resolved } = exchangeOf(ctx);
  const clientId = ctx.oidc.client?.clientId ?? '';
  const destination =
    resolved?.destination ??
    (await parts.siteCache.resolve({ network: network.name, clientId }, undefined))?.destination;
  if (!destination) return undefined;
  const held = resolved?.identity?.user;
  const user = held?.uid === uid ? held : await findSiteAccountByUid(parts.db, destination, uid);
  if (!user) return undefined;
  const candidate = { user, destination };
  // During an authorization request, the policy refuses people, so that the refusal gets into the log and the person sees why.
  if (!resolved && (findAccountRefusal(candidate) ?? findSiteRefusal(candidate))) return undefined;
  return { accountId: uid, claims: async () => toClaims(parts, destination, user) };
};

/** A client learns only about its own tokens. Those of a person who may not enter the site any more are not active. */
const mayIntrospect = async (
  parts: SignInParts,
  ctx: KoaContextWithOIDC,
  network: Network,
  token: { clientId?: string | undefined; accountId?: unknown },
): Promise<boolean> =>
  token.clientId === ctx.oidc.client?.clientId &&
  typeof token.accountId === 'string' &&
  (await findAccount(parts, ctx, network, token.accountId)) !== undefined;

/** The grant of the session at the site. With offline access, it is a new one that outlives the session. */
const loadGrant = async ({ db }: SignInParts, { oidc }: KoaContextWithOIDC) => {
  const { resolved } = currentExchange();
  const identity = resolved && usableIdentity(resolved);
  if (!identity || !oidc.client || isNonMember({ user: identity.user, destination: resolved.destination }))
    return undefined;
  const { site } = resolved.destination;
  const isOffline = site.oidc?.allows_offline === true && oidc.requestParamScopes.has('offline_access');
  const uid = await upsertGrant(db, {
    uid: newUid(),
    siteId: site.id,
    userId: identity.user.id,
    sessionId: identity.session.id,
    isOffline,
    days: grantDays,
  });
  if (uid === undefined) throw new errors.LoginRequired('the session has ended');
  const grant = new oidc.provider.Grant({ accountId: identity.user.uid, clientId: oidc.client.clientId });
  grant.jti = uid;
  grant.addOIDCScope(grantedScopes.join(' '));
  grant.addOIDCClaims([...grantedClaims]);
  return grant;
};

/** Writes the line of the login log before the code leaves. Without the line there is no code. */
const recordSignOn = async (parts: SignInParts, ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
  await next();
  dropSessionCookie(ctx);
  if (await pauseTestedError(parts, ctx)) return;
  if (!ctx.oidc?.entities?.AuthorizationCode || !isForPeople(ctx)) return;
  try {
    await recordSuccess(parts, ctx);
  } catch (error) {
    const reference = newReference();
    parts.log.error({ err: error, reference }, 'A sign-on was not recorded, so it was refused.');
    ctx.remove('location');
    ctx.status = 503;
    showPage(parts, ctx, {
      title: 'Something went wrong',
      message: 'You could not be signed in. Please try again in a moment.',
      reference,
    });
  }
};

/** Takes the cookie back that the library sets for its session. */
const dropSessionCookie = (ctx: KoaContextWithOIDC): void => {
  const cookies = [ctx.response.get('set-cookie') ?? []].flat().filter(Boolean);
  const kept = cookies.filter((cookie) => !cookie.startsWith(`${cookieNames.session}=`));
  if (kept.length === cookies.length) return;
  ctx.remove('set-cookie');
  if (kept.length > 0) ctx.set('set-cookie', kept);
};

const recordSuccess = async (parts: SignInParts, ctx: KoaContextWithOIDC): Promise<void> => {
  const { request, reply, resolved, test } = exchangeOf(ctx);
  const identity = resolved && usableIdentity(resolved);
  if (!identity) throw new Error('A code was issued without a session.');
  const { session, user } = identity;
  const signedIn = signedInOf(ctx);
  await parts.recordLoginAttempt({
    status: 'Success',
    site: resolved.destination.site,
    user,
    email: user.email,
    assertion: { sessionId: session.id, nameId: { value: user.uid, format: oidcNameFormat } },
    mfa: session.mfa,
    reason: signedIn?.session === session.id ? signedIn.method : 'session',
    ...clientOf(request),
  });
  parts.exchanges.record({
    site: resolved.destination.site,
    userId: user.id,
    step: 'answer',
    outcome: 'accepted',
    code: 'signed_in',
    isVerified: false,
    sender: countedAddress(addressOf(request)),
    facts: () => ({ ...requestFacts(ctx), context: acrOf(session) }),
  });
  if (test) await recordTestedCode(parts, test, ctx.oidc.entities.AuthorizationCode?.jti ?? '');
  renewDevice(parts, request, reply, user);
};
