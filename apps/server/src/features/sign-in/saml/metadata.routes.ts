import { buildIdpMetadata, nameIdFormats } from '@opensocial/saml';
import type { FastifyInstance } from 'fastify';
import { PageError } from '../../../http/errors.ts';
import type { Parts } from '../../../parts.ts';
import { findNetworkByName, findPublishedKeys } from '../../networks/networks.service.ts';
import { idpAddresses } from './addresses.ts';

/** Service providers that read the metadata by its address learn of a new key within this time. */
const cacheHours = 6;

/** The SAML metadata of each network's identity provider. */
export const metadataRoutes = (app: FastifyInstance, { db, config }: Parts): void => {
  app.get<{ Params: { network: string } }>('/saml/:network/metadata', async ({ params }, reply) => {
    const found = await findNetworkByName(db, params.network);
    if (!found) throw unknownNetwork();
    const keys = await findPublishedKeys(db, found.network.id);
    const metadata = buildIdpMetadata({
      ...idpAddresses(config, params.network),
      certificates: keys.map(({ certificate }) => certificate),
      nameIdFormats: [nameIdFormats.emailAddress, nameIdFormats.persistent, nameIdFormats.transient],
      validUntil: validUntilOf(keys),
      cacheDuration: `PT${cacheHours}H`,
    });
    return reply.type('application/samlmetadata+xml').send(metadata);
  });
};

/**
 * The metadata is valid until the certificates of the current and the next key have expired. Many service providers import it only once, so a shorter time would lock people
 * out. After the end it is extended by a day on each reading: a service provider that ignores the dates of certificates keeps working.
 */
const validUntilOf = (keys: Awaited<ReturnType<typeof findPublishedKeys>>): Date => {
  const ends = keys.filter(({ state }) => state !== 'retired').map(({ not_after }) => not_after.getTime());
  return new Date(Math.max(Date.now() + 86_400_000, ...ends));
};

const unknownNetwork = () =>
  new PageError(404, 'This network does not exist', 'Check the address, or ask the person who gave it to you.');
