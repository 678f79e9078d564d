import { type BoundMessage, readPost, readRedirect } from '@opensocial/saml';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, flowCookie, readCookie } from '../../../http/cookies.ts';
import { formFields, queryFields, rawQuery } from '../../../http/fields.ts';
import type { Parts } from '../../../parts.ts';
import { findIdentityOwner } from '../accounts/identity-sessions.queries.ts';
import { chargeLogout } from '../credentials/visitor-budget.ts';
import { lacksCookie, resubmit } from '../saml/resubmit.ts';
import { beginLogout, resumeLogout } from './logout.service.ts';
import { logoutKeyOf } from './logout-key.ts';
import { sendLogoutStep } from './send-step.ts';

/** Single logout with the redirect and the POST binding. Both requests and responses of sites come here. */
export const logoutRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { config, db } = parts;

  const handle = async (
    request: FastifyRequest<{ Params: { network: string } }>,
    reply: FastifyReply,
    { SAMLResponse, RelayState = '' }: Partial<Record<string, string>>,
    read: () => BoundMessage,
  ) => {
    const { network } = request.params;
    if (SAMLResponse === undefined) await chargeLogout(parts, request);
    const identityToken = readCookie(config, request, 'identity');
    const step = await (SAMLResponse === undefined
      ? beginLogout(parts, network, read(), identityToken)
      : resumeLogout(parts, network, logoutKeyOf(config, request, RelayState), read));
    // Anyone may send a browser here, so the cookie is deleted only if the browser's own session has ended, now or before. The sign-in
    // page would otherwise still show the email address of its owner.
    const isEnded = identityToken !== undefined && (await findIdentityOwner(db, identityToken)) === undefined;
    if (step.endsOwnSession || isEnded) clearCookie(config, reply, 'identity');
    return sendLogoutStep(parts, request, reply, step);
  };

  app.get<{ Params: { network: string } }>('/saml/:network/slo', (request, reply) =>
    handle(request, reply, queryFields(request), () => readRedirect(rawQuery(request))),
  );

  app.post<{ Params: { network: string } }>('/saml/:network/slo', { bodyLimit: 512 * 1024 }, (request, reply) => {
    const fields = formFields(request);
    // A request needs the session cookie, a response the cookie of its logout.
    const { SAMLResponse, RelayState = '' } = fields;
    const needed = SAMLResponse === undefined ? 'identity' : flowCookie('logout-', RelayState);
    if (lacksCookie(config, request, needed)) return resubmit(config, request, reply, 'Signing you out…');
    return handle(request, reply, fields, () => readPost(fields));
  });
};
