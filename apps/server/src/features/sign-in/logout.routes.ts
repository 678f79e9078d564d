import { type BoundMessage, readPost, readRedirect } from '@opensocial/saml';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, readCookie } from '../../http/cookies.ts';
import { formFields, rawQuery } from '../../http/fields.ts';
import type { Parts } from '../../parts.ts';
import { hashToken } from '../../secrets/tokens.ts';
import { beginLogout, resumeLogout } from './logout.service.ts';
import { sendForm } from './walk.ts';

/** Single logout, by redirect and by post, asked for or answered. */
export const logoutRoutes = (app: FastifyInstance, parts: Parts): void => {
  const handle = async (request: FastifyRequest, reply: FastifyReply, network: string, message: BoundMessage) => {
    const { go, ended } = await (message.kind === 'SAMLRequest' ? beginLogout : resumeLogout)(parts, network, message);
    // Only this browser's own session takes its cookie along: anyone may send a browser here.
    const token = readCookie(parts.config, request, 'identity');
    const isOurs = token !== undefined && ended.some((hash) => hash.equals(hashToken(token)));
    if (isOurs) clearCookie(parts.config, reply, 'identity');
    return 'redirect' in go ? reply.redirect(go.redirect, 303) : sendForm(reply, go.form, 'Signing you out…');
  };

  app.get<{ Params: { network: string } }>('/saml/:network/slo', (request, reply) =>
    handle(request, reply, request.params.network, readRedirect(rawQuery(request))),
  );

  app.post<{ Params: { network: string } }>('/saml/:network/slo', { bodyLimit: 512 * 1024 }, (request, reply) =>
    handle(request, reply, request.params.network, readPost(formFields(request))),
  );
};
