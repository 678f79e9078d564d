import { ApiError } from '@opensocial/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { readCookie } from '../../../http/cookies.ts';
import { noteSubject } from '../../../http/error-pages.ts';
import { PageError } from '../../../http/errors.ts';
import { formFields, queryFields, rawQuery } from '../../../http/fields.ts';
import { keepOpener, unscriptedPolicy } from '../../../http/headers.ts';
import { chargeVisitor } from '../credentials/visitor-budget.ts';
import type { Network } from '../destination/destinations.queries.ts';
import type { ResolvedSite } from '../destination/site-cache.ts';
import type { SignInParts } from '../flow/sign-in-flow.ts';
import { handleSignOn } from '../flow/sign-on.ts';
import { unknownApplication } from '../saml/sign-on-request.ts';
import { findTest } from '../site-test/test-run.ts';
import { oidcAddresses } from './addresses.ts';
import { findArtifact } from './artifacts.queries.ts';
import { factorsFor } from './authentication.ts';
import { rememberExchange } from './exchanges.ts';
import { answerProgram } from './failures.ts';
import { isForced, isOtherPerson, loginHintOf, requestedAcr } from './policy.ts';
import { cookieNames } from './provider.ts';
import { createProviders, findNetwork, type ProviderFor } from './providers.ts';
import type { RequestParameters } from './request-parameters.ts';
import { usableIdentity } from './session.ts';

type NetworkParams = { Params: { network: string } };
type InteractionParams = { Params: { network: string; uid: string } };
type LibraryParams = { Params: { network: string; uid?: string } };

/**
 * The endpoints of the library, with their methods. It would also accept other spellings of the paths, such as capital letters, which
 * checks that depend on the path would not recognise. So only these reach it.
 */
const endpoints = {
  '.well-known/openid-configuration': ['GET', 'HEAD', 'OPTIONS'],
  jwks: ['GET', 'HEAD', 'OPTIONS'],
  auth: ['GET'],
  token: ['POST', 'OPTIONS'],
  userinfo: ['GET', 'HEAD', 'POST', 'OPTIONS'],
  revoke: ['POST', 'OPTIONS'],
  introspect: ['POST', 'OPTIONS'],
  par: ['POST', 'OPTIONS'],
};
type Endpoint = keyof typeof endpoints;

/** The OpenID Connect provider of each network. The library answers all requests, apart from sign-ins on our pages. */
export const oidcRoutes = (app: FastifyInstance, parts: SignInParts): void => {
  const providerFor = createProviders(parts);
  const serve = createLibraryRoute(parts, providerFor);

  app.get<InteractionParams>('/oidc/:network/interaction/:uid', (request, reply) =>
    continueInteraction(parts, request, reply),
  );

  /** Browsers send no SameSite=Lax cookies with a cross-site post, so that the request is repeated as a link. */
  app.post<NetworkParams>('/oidc/:network/auth', async (request, reply) => {
    const parameters = new URLSearchParams(formFields(request) as Record<string, string>);
    if (parameters.size === 0 || parameters.toString().length > maximumQueryLength)
      throw new PageError(
        400,
        'This request is not valid',
        'The application sent a request that is empty or too long.',
      );
    const { authorization } = oidcAddresses(parts.config, encodeURIComponent(request.params.network));
    return keepOpener(reply).redirect(`${authorization}?${parameters}`, 303);
  });

  app.all('/oidc/*', () => {
    throw new ApiError('not_found');
  });

  // The library reads bodies itself.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    for (const [endpoint, method] of Object.entries(endpoints))
      scope.route<LibraryParams>({
        method,
        url: `/oidc/:network/${endpoint}`,
        handler: (request, reply) => serve(request, reply, endpoint as Endpoint),
        ...(endpoint !== 'auth' && { errorHandler: answerProgram }),
      });
    scope.get<LibraryParams>('/oidc/:network/auth/:uid', (request, reply) => serve(request, reply, 'auth'));
  });
};

const maximumQueryLength = 8_000;

const unknownNetwork = () =>
  new PageError(404, 'This network does not exist', 'Check the address, or ask the person who gave it to you.');

/** Hands a request over to the library. */
const createLibraryRoute =
  (parts: SignInParts, providerFor: ProviderFor) =>
  async (request: FastifyRequest<LibraryParams>, reply: FastifyReply, endpoint: Endpoint) => {
    const network = await findNetwork(parts.db, request.params.network);
    if (!network) throw unknownNetwork();
    const resolved = endpoint === 'auth' ? await resolveSite(parts, request, network) : undefined;
    if (resolved) {
      keepOpener(reply);
      noteSubject(request, { network: network.name, siteId: resolved.destination.site.id });
    }
    if (endpoint === 'auth' && !(resolved && usableIdentity(resolved)))
      chargeVisitor(parts, request, 'signIns', undefined);
    const provider = await providerFor(network);
    const test = resolved && (await findTest(parts, request, resolved));
    rememberExchange({ request, reply, resolved, test });
    return callLibrary(parts, provider, { request, reply, network, endpoint });
  };

type Handed = {
  request: FastifyRequest<LibraryParams>;
  reply: FastifyReply;
  network: Network;
  endpoint: Endpoint;
};

/**
 * The library sees the public address of the server, whatever proxies are in between, and below it the path of the issuer. Of the
 * cookies it sees only the ones that were checked here: the one of the request that is resumed, and one for its session, because it
 * looks for a session only if there is a cookie for it.
 */
const callLibrary = async (
  { config }: SignInParts,
  provider: Provider,
  { request, reply, network, endpoint }: Handed,
): Promise<void> => {
  const { raw } = request;
  const { uid } = request.params;
  const { host, protocol } = new URL(config.publicUrl);
  const query = rawQuery(request);
  const url = `/${endpoint}${uid === undefined ? '' : `/${uid}`}${query && `?${query}`}`;
  Object.assign(raw, { originalUrl: `/oidc/${network.name}${url}`, url });
  Object.assign(raw.headers, { host, 'x-forwarded-proto': protocol.slice(0, -1) });
  delete raw.headers['x-forwarded-host'];
  raw.headers.cookie =
    endpoint === 'auth' ? `${cookieNames.session}=1${uid === undefined ? '' : `; ${cookieNames.resume}=${uid}`}` : '';
  for (const [header, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(header, value);
  reply.raw.setHeader('content-security-policy', unscriptedPolicy);
  reply.hijack();
  await provider.callback()(raw, reply.raw);
};

/** The site of an authorization request, and the session of the browser. A request that is resumed is stored. */
const resolveSite = async (
  parts: SignInParts,
  request: FastifyRequest<LibraryParams>,
  network: Network,
): Promise<ResolvedSite | undefined> => {
  const { uid } = request.params;
  const clientId =
    uid === undefined ? queryFields(request)['client_id'] : await resumedClient(parts, request, network, uid);
  if (typeof clientId !== 'string') return undefined;
  return parts.siteCache.resolve({ network: network.name, clientId }, readCookie(parts.config, request, 'identity'));
};

/** The library finds the request by the cookie. It has to be the one of the address, whose site is checked. */
const resumedClient = async (parts: SignInParts, { cookies }: FastifyRequest, network: Network, uid: string) => {
  const parameters = cookies[cookieNames.resume] === uid ? await findRequest(parts, network, uid) : undefined;
  if (!parameters) throw interactionExpired();
  return parameters['client_id'];
};

const findRequest = async (
  { db }: SignInParts,
  { id }: Network,
  uid: string,
): Promise<RequestParameters | undefined> => {
  const interaction = await findArtifact(db, { networkId: id, kind: 'Interaction', id: uid });
  const params = interaction?.['params'];
  return typeof params === 'object' && params !== null ? { ...params } : undefined;
};

/** Signs a person in on our pages, because the library cannot answer a request with the session of the browser. */
const continueInteraction = async (
  parts: SignInParts,
  request: FastifyRequest<InteractionParams>,
  reply: FastifyReply,
) => {
  const { network: name, uid } = request.params;
  const network = await findNetwork(parts.db, name);
  // The cookie binds the request to the browser that began it.
  const isOwn = request.cookies[cookieNames.interaction] === uid;
  const parameters = network && isOwn ? await findRequest(parts, network, uid) : undefined;
  if (!parameters) throw interactionExpired();
  return handleSignOn(parts, { request, reply }, async (resolve) => {
    const resolved = await resolve({ network: name, clientId: String(parameters['client_id']) });
    if (!resolved) throw unknownApplication();
    keepOpener(reply);
    const acr = requestedAcr(parameters);
    return {
      ...resolved,
      message: { protocol: 'oidc', interaction: uid, acr, loginHint: loginHintOf(parameters) },
      requiredFactors: factorsFor(acr),
      isForced:
        isForced(parameters, resolved.identity?.session.authenticated_at) ||
        isOtherPerson(parameters, resolved.identity?.user.uid),
      isPassive: false,
    };
  });
};

const interactionExpired = () =>
  new PageError(
    400,
    'This sign-in has ended',
    'It took too long, or it was begun in another browser. Go back to the application and try again.',
  );
