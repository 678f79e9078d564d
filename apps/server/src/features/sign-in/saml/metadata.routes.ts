import { buildIdpMetadata, nameIdFormats } from '@opensocial/saml';
import type { FastifyInstance } from 'fastify';
import { PageError } from '../../../http/errors.ts';
import type { Parts } from '../../../parts.ts';
import { findCertificates, findNetworkByName } from '../../networks/networks.service.ts';
import { idpAddresses } from './addresses.ts';

/** The SAML metadata of each network's identity provider. */
export const metadataRoutes = (app: FastifyInstance, { db, config }: Parts): void => {
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
};

const unknownNetwork = () =>
  new PageError(404, 'This network does not exist', 'Check the address, or ask the person who gave it to you.');
