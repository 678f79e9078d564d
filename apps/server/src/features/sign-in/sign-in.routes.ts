import { type BoundMessage, buildIdpMetadata, nameIdFormats, readPost, readRedirect } from '@opensocial/saml';
import type { FastifyInstance } from 'fastify';
import { PageError } from '../../http/errors.ts';
import { formFields, queryFields, rawQuery } from '../../http/fields.ts';
import type { Parts } from '../../parts.ts';
import { findCertificates, findNetworkByName } from '../networks/networks.service.ts';
import { idpAddresses } from './addresses.ts';
import type { Arrival } from './arrivals.ts';
import type { Destination, Whereto } from './destinations.queries.ts';
import { isBare, postAgain } from './post-again.ts';
import { readRequest, unknownApplication } from './request.ts';
import type { Walking } from './walk.ts';

/** Where service providers send people, and what they read of us. */
export const signInRoutes = (app: FastifyInstance, { db, config }: Parts, { receive }: Walking): void => {
  const readAt = (network: string, message: BoundMessage, arrive: (whereto: Whereto) => Promise<Arrival | undefined>) =>
    readRequest(config, network, message, (identity) => arrive({ network, identity }));

  app.get<{ Params: { network: string } }>('/saml/:network/metadata', async ({ params }, reply) => {
    const found = await findNetworkByName(db, params.network);
    if (!found) throw unknownNetwork();
    const metadata = buildIdpMetadata({
      ...idpAddresses(config, params.network),
      certificates: await findCertificates(db, found.network.id),
      nameIdFormats: [nameIdFormats.emailAddress, nameIdFormats.persistent, nameIdFormats.transient],
    });
    return reply.type('application/samlmetadata+xml').send(metadata);
  });

  app.get<{ Params: { network: string } }>('/saml/:network/sso', async (request, reply) => {
    const message = readRedirect(rawQuery(request));
    return receive(request, reply, (arrive) => readAt(request.params.network, message, arrive));
  });

  app.post<{ Params: { network: string } }>('/saml/:network/sso', { bodyLimit: 512 * 1024 }, async (request, reply) => {
    if (isBare(config, request, 'identity')) return postAgain(config, request, reply, 'Signing you in…');
    const { SAMLRequest = '', RelayState } = formFields(request);
    const fields = { SAMLRequest, ...(RelayState !== undefined && { RelayState }) };
    return receive(request, reply, (arrive) => readAt(request.params.network, readPost(fields), arrive));
  });

  app.get<{ Params: { network: string; site: string } }>('/saml/:network/start/:site', async (request, reply) =>
    receive(request, reply, async (arrive) => {
      const id = Number(request.params.site);
      const arrival = Number.isSafeInteger(id) ? await arrive({ network: request.params.network, id }) : undefined;
      if (!arrival) throw unknownApplication();
      return {
        ...arrival,
        requestId: undefined,
        nameIdFormat: nameIdFormats.emailAddress,
        relayState: targetOf(arrival.destination, queryFields(request)['RelayState']),
        isForced: false,
        isPassive: false,
      };
    }),
  );
};

const longestTarget = 1_000;

/**
 * The RelayState of a sign-on that no site asked for: the page of the site to show afterwards. Anyone may write such a link,
 * and many service providers redirect to its RelayState, so only an address on one of the site's own registered origins is
 * passed on. Anything else is dropped, and the sign-on goes on without it.
 */
const targetOf = ({ site }: Destination, relayState: string | undefined): string | undefined => {
  const url = relayState === undefined || relayState.length > longestTarget ? null : URL.parse(relayState);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  const own = [site.acs, site.login_url ?? '', `https://${site.domain}`].map((address) => URL.parse(address)?.origin);
  return own.includes(url.origin) && url.href.length <= longestTarget ? url.href : undefined;
};

const unknownNetwork = () =>
  new PageError(404, 'This network does not exist', 'Check the address, or ask whoever gave it to you.');
