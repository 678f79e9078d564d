import { readSoap, SamlError, soapEnvelope, soapFault } from '@opensocial/saml';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { PageError } from '../../../http/errors.ts';
import type { Parts } from '../../../parts.ts';
import { chargeLogout } from '../credentials/visitor-budget.ts';
import { answerServer } from './logout.service.ts';

const maximumBytes = 64 * 1024;

/** Single logout with the SOAP binding: requests from the servers of sites. */
export const soapLogoutRoutes = (app: FastifyInstance, parts: Parts): void => {
  // In a scope of its own, so that no other route accepts XML.
  void app.register(async (scope) => {
    const types = ['text/xml', 'application/xml'];
    scope.addContentTypeParser(types, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

    scope.post<{ Params: { network: string }; Body: unknown }>(
      '/saml/:network/slo/soap',
      { bodyLimit: maximumBytes },
      async (request, reply) => {
        try {
          await chargeLogout(parts, request);
          if (!Buffer.isBuffer(request.body)) throw new SamlError('message_missing');
          const message = readSoap('SAMLRequest', request.body);
          return await sendXml(reply, soapEnvelope(await answerServer(parts, request.params.network, message)));
        } catch (error) {
          return refuse(reply, error);
        }
      },
    );
  });
};

const sendXml = (reply: FastifyReply, xml: string) =>
  reply.header('cache-control', 'no-store').type('text/xml; charset=utf-8').send(xml);

/** The standard lets a server that refuses a message answer 403. Our own failures are answered by the common error handler. */
const refuse = (reply: FastifyReply, error: unknown) => {
  if (error instanceof SamlError) return sendXml(reply.status(403), soapFault('Client', error.message));
  if (!(error instanceof PageError)) throw error;
  if (error.retryAfter) void reply.header('retry-after', error.retryAfter);
  return sendXml(reply.status(error.status), soapFault('Client', error.message));
};
