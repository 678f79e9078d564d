import { type BoundMessage, readPost, readRedirect } from '@opensocial/saml';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, readCookie, setCookie } from '../../http/cookies.ts';
import { formFields, queryFields, rawQuery } from '../../http/fields.ts';
import type { Parts } from '../../parts.ts';
import { hashToken } from '../../secrets/tokens.ts';
import { minutesToSignOut } from './logout.queries.ts';
import { beginLogout, resumeLogout } from './logout.service.ts';
import { sendForm } from './walk.ts';

/** Single logout, by redirect and by post, asked for or answered. */
export const logoutRoutes = (app: FastifyInstance, parts: Parts): void => {
  const handle = async (
    request: FastifyRequest<{ Params: { network: string } }>,
    reply: FastifyReply,
    { SAMLResponse, RelayState = '' }: Partial<Record<string, string>>,
    read: () => BoundMessage,
  ) => {
    const { network } = request.params;
    const { go, underWay, ended } = await (SAMLResponse === undefined
      ? beginLogout(parts, network, read())
      : resumeLogout(parts, network, RelayState, read));
    // Only this browser's own session takes its cookie along: anyone may send a browser here.
    const token = readCookie(parts.config, request, 'identity');
    const isOurs = token !== undefined && ended.some((hash) => hash.equals(hashToken(token)));
    if (isOurs) clearCookie(parts.config, reply, 'identity');
    // Where a site keeps the browser, it is told at its next sign-in what was not reached.
    if (underWay === undefined) clearCookie(parts.config, reply, 'logout');
    else if (isOurs) setCookie(parts.config, reply, 'logout', underWay, minutesToSignOut * 60);
    return 'redirect' in go ? reply.redirect(go.redirect, 303) : sendForm(reply, go.form, 'Signing you out…');
  };

  app.get<{ Params: { network: string } }>('/saml/:network/slo', (request, reply) =>
    handle(request, reply, queryFields(request), () => readRedirect(rawQuery(request))),
  );

  app.post<{ Params: { network: string } }>('/saml/:network/slo', { bodyLimit: 512 * 1024 }, (request, reply) =>
    handle(request, reply, formFields(request), () => readPost(formFields(request))),
  );
};
