import { type BoundMessage, readPost, readRedirect } from '@opensocial/saml';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { clearCookie } from '../../http/cookies.ts';
import type { Parts } from '../../parts.ts';
import { beginLogout, resumeLogout } from './logout.service.ts';
import { sendForm } from './sign-in.routes.ts';

/** Single logout, by redirect and by post, asked for or answered. */
export const logoutRoutes = (app: FastifyInstance, parts: Parts): void => {
  const handle = async (reply: FastifyReply, network: string, message: BoundMessage) => {
    const next = await (message.kind === 'SAMLRequest' ? beginLogout : resumeLogout)(parts, network, message);
    clearCookie(parts.config, reply, 'identity');
    return 'redirect' in next ? reply.redirect(next.redirect, 303) : sendForm(reply, next.form, 'Signing you out…');
  };

  app.get<{ Params: { network: string } }>('/saml/:network/slo', (request, reply) =>
    handle(reply, request.params.network, readRedirect(request.raw.url?.split('?')[1] ?? '')),
  );

  app.post<{ Params: { network: string }; Body: Record<string, string> }>(
    '/saml/:network/slo',
    { bodyLimit: 512 * 1024 },
    (request, reply) => handle(reply, request.params.network, readPost(request.body ?? {})),
  );
};
