import { type BoundMessage, readPost, readRedirect } from '@opensocial/saml';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, readCookie, setCookie } from '../../http/cookies.ts';
import { formFields, queryFields, rawQuery } from '../../http/fields.ts';
import type { Parts } from '../../parts.ts';
import { newToken } from '../../secrets/tokens.ts';
import { minutesToSignOut } from './logout.queries.ts';
import { beginLogout, resumeLogout } from './logout.service.ts';
import { isBare, postAgain } from './post-again.ts';
import { sendForm } from './walk.ts';

/** Single logout, by redirect and by post, asked for or answered. */
export const logoutRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { config } = parts;

  const handle = async (
    request: FastifyRequest<{ Params: { network: string } }>,
    reply: FastifyReply,
    { SAMLResponse, RelayState = '' }: Partial<Record<string, string>>,
    read: () => BoundMessage,
  ) => {
    const { network } = request.params;
    const visitor = {
      identity: readCookie(config, request, 'identity'),
      browser: readCookie(config, request, 'browser') ?? newToken(),
    };
    const { go, token, isUnderWay, isOwn } = await (SAMLResponse === undefined
      ? beginLogout(parts, network, read(), visitor)
      : resumeLogout(parts, network, { token: RelayState, browser: visitor.browser }, read));
    // Only this browser's own session takes its cookie along: anyone may send a browser here.
    if (isOwn) clearCookie(config, reply, 'identity');
    if (isOwn && isUnderWay) {
      setCookie(config, reply, 'browser', visitor.browser);
      // Where a site keeps the browser, it is told at its next sign-in what was not reached.
      setCookie(config, reply, 'logout', token, minutesToSignOut * 60);
    }
    if (!isUnderWay && readCookie(config, request, 'logout') === token) clearCookie(config, reply, 'logout');
    return 'redirect' in go ? reply.redirect(go.redirect, 303) : sendForm(reply, go.form, 'Signing you out…');
  };

  app.get<{ Params: { network: string } }>('/saml/:network/slo', (request, reply) =>
    handle(request, reply, queryFields(request), () => readRedirect(rawQuery(request))),
  );

  app.post<{ Params: { network: string } }>('/saml/:network/slo', { bodyLimit: 512 * 1024 }, (request, reply) => {
    const fields = formFields(request);
    if (isBare(config, request, 'browser')) return postAgain(config, request, reply, 'Signing you out…');
    return handle(request, reply, fields, () => readPost(fields));
  });
};
