import { type BoundMessage, readPost, readRedirect } from '@opensocial/saml';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressOf } from '../../../http/address.ts';
import { formFields, queryFields, rawQuery } from '../../../http/fields.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import type { SignInParts } from '../flow/sign-in-flow.ts';
import { handleSignOn, type ReadSignOn } from '../flow/sign-on.ts';
import { observeRequest } from './observe-request.ts';
import { lacksCookie, resubmit } from './resubmit.ts';
import { readSignOnRequest, unknownApplication } from './sign-on-request.ts';
import { startedHere } from './test-request.ts';

type NetworkRequest = FastifyRequest<{ Params: { network: string } }>;

/** Single sign-on, requested by a service provider or begun here from a tile of the desktop. */
export const ssoRoutes = (app: FastifyInstance, parts: SignInParts): void => {
  const { config } = parts;

  const readMessage =
    (request: NetworkRequest, message: BoundMessage): ReadSignOn =>
    (resolve, describe) => {
      const { network } = request.params;
      const observer = observeRequest(parts, network, message, { address: addressOf(request), describe });
      return readSignOnRequest(config, network, message, (identity) => resolve({ network, identity }), observer);
    };

  app.get<{ Params: { network: string } }>('/saml/:network/sso', async (request, reply) => {
    const message = readRedirect(rawQuery(request));
    return handleSignOn(parts, { request, reply }, readMessage(request, message));
  });

  app.post<{ Params: { network: string } }>('/saml/:network/sso', { bodyLimit: 512 * 1024 }, async (request, reply) => {
    if (lacksCookie(config, request, 'identity')) return resubmit(config, request, reply, 'Signing you in…');
    const { SAMLRequest = '', RelayState } = formFields(request);
    const fields = { SAMLRequest, ...(RelayState !== undefined && { RelayState }) };
    return handleSignOn(parts, { request, reply }, readMessage(request, readPost(fields)));
  });

  app.get<{ Params: { network: string; site: string } }>('/saml/:network/start/:site', async (request, reply) =>
    handleSignOn(parts, { request, reply }, async (resolve, describe) => {
      const id = Number(request.params.site);
      const resolved = Number.isSafeInteger(id) ? await resolve({ network: request.params.network, id }) : undefined;
      if (resolved?.destination.site.protocol !== 'saml') throw unknownApplication();
      describe(() => startedHere);
      return {
        ...resolved,
        message: {
          protocol: 'saml',
          requestId: undefined,
          acsUrl: resolved.destination.site.acs,
          nameIdFormat: undefined,
          attributeIndex: undefined,
          relayState: startTarget(resolved.destination, queryFields(request)['RelayState']),
          authnContext: undefined,
          subject: undefined,
        },
        requiredFactors: undefined,
        isForced: false,
        isPassive: false,
      };
    }),
  );
};

const maximumTargetLength = 1_000;

/**
 * The RelayState of a sign-on that was begun here: the page of the site to show afterwards. Anyone may write such a link, and many
 * service providers redirect to the RelayState, so only a URL on one of the site's registered origins is passed on. Any other value is
 * dropped, and the sign-on continues without it.
 */
const startTarget = ({ site }: Destination, relayState: string | undefined): string | undefined => {
  const url = relayState === undefined || relayState.length > maximumTargetLength ? null : URL.parse(relayState);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  const origins = [site.acs, site.login_url ?? '', `https://${site.domain}`].map(
    (address) => URL.parse(address)?.origin,
  );
  return origins.includes(url.origin) && url.href.length <= maximumTargetLength ? url.href : undefined;
};
