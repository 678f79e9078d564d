import { type OpenApiDocument, renderApiReference } from '@opensocial/signin';
import type { FastifyInstance } from 'fastify';
import { sendPage } from '../../http/pages.ts';
import type { Parts } from '../../parts.ts';
import { describeApi } from './openapi.ts';

/** The description of the API, for programs and for people. */
export const referenceRoutes = (app: FastifyInstance, { config }: Parts): void => {
  const description = describeApi(config.publicUrl);
  app.get('/server/openapi.json', async () => description);
  app.get('/server/docs', (_request, reply) =>
    sendPage(reply, renderApiReference({ openapi: description as OpenApiDocument })),
  );
};
