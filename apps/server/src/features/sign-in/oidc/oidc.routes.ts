import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { readCookie } from '../../../http/cookies.ts';
import { PageError } from '../../../http/errors.ts';
import { queryFields } from '../../../http/fields.ts';
import { chargeVisitor } from '../credentials/visitor-budget.ts';
import type { Network } from '../destination/destinations.queries.ts';
import type { ResolvedSite } from '../destination/site-cache.ts';
import type { SignInParts } from '../flow/sign-in-flow.ts';
import { handleSignOn } from '../flow/sign-on.ts';
import { unknownApplication } from '../saml/sign-on-request.ts';
import { findArtifact } from './artifacts.queries.ts';
import { factorsFor } from './authentication.ts';
import { rememberExchange } from './exchanges.ts';
import { isForced, loginHintOf, type RequestParameters, requestedAcr } from './policy.ts';
import { cookieNames } from './provider.ts';
import { createProviders, findNetwork, type ProviderFor } from './providers.ts';
import { usableIdentity } from './session.ts';

type NetworkParams = { Params: { network: string } };
type InteractionParams = { Params: { network: string; uid: string } };

/** The OpenID Connect provider of each network. The library answers all requests, apart from sign-ins on our pages. */
export const oidcRoutes = (app: FastifyInstance, parts: SignInParts): void => {
  const providerFor = createProviders(parts);
  const serve = createLibraryRoute(parts, providerFor);

  app.get<InteractionParams>('/oidc/:network/interaction/:uid', (request, reply) =>
    continueInteraction(parts, request, reply),
  );

  /** Browsers send no SameSite=Lax cookies with a cross-site post, so that the request is repeated as a link. */
  app.post<NetworkParams>('/oidc/:network/auth', async (request, reply) => {
    const parameters = new URLSearchParams(request.body as Record<string, string>);
    if (parameters.size === 0 || parameters.toString().length > maximumQueryLength)
      throw new PageError(
        400,
        'This request is not valid',
        'The application sent a request that is empty or too long.',
      );
    return reply.redirect(`${parts.config.publicUrl}/oidc/${request.params.network}/auth?${parameters}`, 303);
  });

  // The library reads bodies itself.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    scope.all<{ Params: { network: string; '*': string } }>('/oidc/:network/*', (request, reply) =>
      serve(request, reply, request.params.network, request.params['*']),
    );
  });
};

const maximumQueryLength = 8_000;

const unknownNetwork = () =>
  new PageError(404, 'This network does not exist', 'Check the address, or ask the person who gave it to you.');

/** Hands a request over to the library. */
const createLibraryRoute =
  (parts: SignInParts, providerFor: ProviderFor) =>
  async (request: FastifyRequest, reply: FastifyReply, name: string, path: string) => {
    const network = await findNetwork(parts.db, name);
    if (!network) throw unknownNetwork();
    const isAuthorization = path === 'auth' || path.startsWith('auth/');
    const resolved = isAuthorization ? await resolveSite(parts, request, network, path) : undefined;
    if (isAuthorization && !(resolved && usableIdentity(resolved))) chargeVisitor(parts, request, 'signIns', undefined);
    const provider = await providerFor(network, resolved?.destination);
    rememberExchange({ request, reply, resolved });
    return callLibrary(parts, provider, { request, reply, name, isAuthorization });
  };

type Handed = { request: FastifyRequest; reply: FastifyReply; name: string; isAuthorization: boolean };

/**
 * The library sees the public address of the server, whatever proxies are in between, and below it the path of the issuer. It looks for
 * its session only if there is a cookie for it, so authorization requests get one.
 */
const callLibrary = async (
  { config }: SignInParts,
  provider: Provider,
  { request, reply, name, isAuthorization }: Handed,
): Promise<void> => {
  const { raw } = request;
  const { host, protocol } = new URL(config.publicUrl);
  const url = raw.url ?? '';
  Object.assign(raw, { originalUrl: url, url: url.slice(url.indexOf(`/oidc/${name}`) + `/oidc/${name}`.length) });
  Object.assign(raw.headers, { host, 'x-forwarded-proto': protocol.slice(0, -1) });
  delete raw.headers['x-forwarded-host'];
  if (isAuthorization) raw.headers.cookie = [`${cookieNames.session}=1`, raw.headers.cookie].filter(Boolean).join('; ');
  for (const [header, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined && header !== 'content-security-policy') reply.raw.setHeader(header, value);
  reply.hijack();
  await provider.callback()(raw, reply.raw);
};

/** The site of an authorization request, and the session of the browser. A request that is resumed is stored. */
const resolveSite = async (
  parts: SignInParts,
  request: FastifyRequest,
  network: Network,
  path: string,
): Promise<ResolvedSite | undefined> => {
  const uid = path.slice('auth/'.length);
  const clientId =
    uid === '' ? queryFields(request)['client_id'] : (await findRequest(parts, network, uid))?.['client_id'];
  if (typeof clientId !== 'string') return undefined;
  return parts.siteCache.resolve({ network: network.name, clientId }, readCookie(parts.config, request, 'identity'));
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
    const acr = requestedAcr(parameters);
    return {
      ...resolved,
      message: { protocol: 'oidc', interaction: uid, acr, loginHint: loginHintOf(parameters) },
      requiredFactors: factorsFor(acr),
      isForced: isForced(parameters, resolved.identity?.session.authenticated_at),
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
