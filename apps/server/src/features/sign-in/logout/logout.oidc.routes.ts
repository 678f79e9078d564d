import { renderLogoutConfirm, renderSignedOut } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, readCookie } from '../../../http/cookies.ts';
import { type Fields, formFields, queryFields } from '../../../http/fields.ts';
import { signOutPolicy } from '../../../http/headers.ts';
import { csrfToken, isCsrfToken } from '../../../http/origin.ts';
import { sendPage } from '../../../http/pages.ts';
import type { Parts } from '../../../parts.ts';
import { findNetworkByName } from '../../networks/networks.service.ts';
import { chargeLogout } from '../credentials/visitor-budget.ts';
import { lacksCookie, resubmit } from '../saml/resubmit.ts';
import { unknownApplication } from '../saml/sign-on-request.ts';
import { type ClientLogout, decideLogout, readClientLogout } from './logout.oidc.service.ts';
import { endOwnSession } from './logout.service.ts';
import { latestLogout } from './logout-key.ts';
import { findUnnotifiedSitesByKey } from './logouts.queries.ts';
import { sendLogoutStep } from './send-step.ts';

type OfNetwork = { Params: { network: string } };
type Visit = { request: FastifyRequest<OfNetwork>; reply: FastifyReply; fields: Fields };

/**
 * The logout that a client of OpenID Connect begins. Without the ID token of the very session of the browser, the person is asked, so
 * that another site cannot sign anybody out.
 */
export const oidcLogoutRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { config, db } = parts;

  app.get<OfNetwork>('/oidc/:network/logout', (request, reply) =>
    begin({ request, reply, fields: queryFields(request) }),
  );

  app.post<OfNetwork>('/oidc/:network/logout', (request, reply) =>
    lacksCookie(config, request, 'identity')
      ? resubmit(config, request, reply, 'Signing you out…')
      : begin({ request, reply, fields: formFields(request) }),
  );

  /** The form of our own page. It names the client and its address again, and both are checked again. */
  app.post<OfNetwork>('/oidc/:network/logout/confirm', async (request, reply) => {
    const fields = formFields(request);
    const identityToken = readCookie(config, request, 'identity');
    const isConfirmed = isCsrfToken(parts, identityToken, fields['csrf']);
    return begin({ request, reply, fields: { ...fields, id_token_hint: undefined } }, isConfirmed);
  });

  const begin = async ({ request, reply, fields }: Visit, isConfirmed = false) => {
    await chargeLogout(parts, request);
    const found = await findNetworkByName(db, request.params.network);
    if (!found) throw unknownApplication();
    const identityToken = readCookie(config, request, 'identity');
    const logout = await readClientLogout(parts, found.network.name, fields);
    const decision = await decideLogout(parts, identityToken, logout);
    if (identityToken === undefined || decision === 'ended') return sendEnded(request, reply, logout);
    if (decision === 'ask' && !isConfirmed)
      return sendQuestion(reply, found.network.name, identityToken, { ...logout, fields });
    const requesterId = decision === 'end' ? logout.client?.site.id : undefined;
    const own = { network: found.network, requesterId, returnTo: logout.returnTo };
    const step = await endOwnSession(parts, identityToken, own);
    clearCookie(config, reply, 'identity');
    if (!step) return sendEnded(request, reply, logout);
    if (step.endsConsole) clearCookie(config, reply, 'session');
    return sendLogoutStep(parts, request, reply, step);
  };

  /** The session has ended before. Its cookie is deleted, because the sign-in page would still show the email address of its owner. */
  const sendEnded = async (request: FastifyRequest, reply: FastifyReply, { returnTo }: ClientLogout) => {
    if (readCookie(config, request, 'identity') !== undefined) clearCookie(config, reply, 'identity');
    if (returnTo !== undefined) return reply.redirect(returnTo, 303);
    const sitesStillSignedIn = await findUnnotifiedSitesByKey(db, latestLogout(config, request));
    return sendPage(reply, renderSignedOut({ signInUrl: '/server/saml/login', sitesStillSignedIn }));
  };

  const sendQuestion = (
    reply: FastifyReply,
    network: string,
    identityToken: string,
    { client, returnTo, fields }: ClientLogout & { fields: Fields },
  ) => {
    const { post_logout_redirect_uri = '', state } = fields;
    const page = renderLogoutConfirm({
      action: `/oidc/${encodeURIComponent(network)}/logout/confirm`,
      csrf: csrfToken(parts, identityToken),
      fields: {
        ...(client && { client_id: client.site.identity }),
        ...(returnTo !== undefined && { post_logout_redirect_uri }),
        ...(returnTo !== undefined && state !== undefined && { state }),
      },
      stayUrl: '/',
    });
    return sendPage(reply, page, signOutPolicy);
  };
};
