import {
  assertMessage,
  type BoundMessage,
  buildLogoutRequest,
  buildLogoutResponse,
  nameIdFormats,
  newSamlId,
  parseLogoutRequest,
  parseLogoutResponse,
  readPost,
  readRedirect,
  redirectUrl,
  verifyMessage,
} from '@opensocial/saml';
import { renderLogoutConfirm, renderSignedOut, type SiteStillSignedIn } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, readCookie } from '../../http/cookies.ts';
import { formFields, queryFields, rawQuery } from '../../http/fields.ts';
import { signOutPolicy } from '../../http/headers.ts';
import { csrfToken, isCsrfToken } from '../../http/origin.ts';
import { sendPage } from '../../http/pages.ts';
import { findSession } from '../../identity/console-sessions.ts';
import { mainNetworkName } from '../../identity/membership.ts';
import type { Parts } from '../../parts.ts';
import { findMainCertificates } from '../networks/networks.service.ts';
import {
  beginOwnLogout,
  consoleAddresses,
  findUnnotifiedSitesByKey,
  findUnnotifiedSitesByRequest,
  idpAddresses,
  latestLogout,
  sendLogoutStep,
} from '../sign-in/sign-in.service.ts';
import { deleteSession, deleteSessionsByIndex } from './session.queries.ts';

/** The logout from the console, requested by the person here or by the identity provider. */
export const sessionLogoutRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { db, config } = parts;
  const sp = consoleAddresses(config);
  const idp = idpAddresses(config, mainNetworkName);

  /** The session token that CSRF tokens are bound to. */
  const csrfSession = (request: FastifyRequest) =>
    readCookie(config, request, 'session') ?? readCookie(config, request, 'identity');

  app.get('/server/saml/logout', async (request, reply) => {
    const session = csrfSession(request);
    const fetchSite = request.headers['sec-fetch-site'];
    const isTrustedRequest =
      fetchSite === 'same-origin' || fetchSite === 'none' || isCsrfToken(parts, session, queryFields(request)['csrf']);
    if (session === undefined || isTrustedRequest) return signOut(request, reply);
    // A link on a page of another site must not sign the person out without a confirmation.
    const form = { action: '/server/saml/logout', csrf: csrfToken(parts, session), stayUrl: '/' };
    return sendPage(reply, renderLogoutConfirm(form), signOutPolicy);
  });

  app.post('/server/saml/logout', async (request, reply) => {
    if (!isCsrfToken(parts, csrfSession(request), formFields(request)['csrf'])) return reply.redirect('/', 303);
    return signOut(request, reply);
  });

  const signOut = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = readCookie(config, request, 'session');
    const session = token === undefined ? undefined : await findSession(db, token);
    clearCookie(config, reply, 'session');
    if (!session || token === undefined) return endIdentitySession(request, reply);
    await deleteSession(db, token);
    const xml = buildLogoutRequest({
      id: newSamlId(),
      issuer: sp.entityId,
      destination: idp.sloUrl,
      issueInstant: new Date(),
      nameId: { value: session.nameId, format: nameIdFormats.emailAddress },
      sessionIndex: session.sessionIndex,
    });
    return reply.redirect(redirectUrl({ location: idp.sloUrl, kind: 'SAMLRequest', xml, key: parts.consoleKey }), 303);
  };

  /** Signs out at the identity provider directly, if the session of the console has expired. All sites are notified as well. */
  const endIdentitySession = async (request: FastifyRequest, reply: FastifyReply) => {
    const identity = readCookie(config, request, 'identity');
    clearCookie(config, reply, 'identity');
    const step = identity === undefined ? undefined : await beginOwnLogout(parts, identity);
    if (step) return sendLogoutStep(parts, request, reply, step);
    return sendSignedOut(reply, await findUnnotifiedSitesByKey(db, latestLogout(config, request)));
  };

  app.get('/server/saml/sls', async (request, reply) => receiveLogout(reply, readRedirect(rawQuery(request))));

  app.post('/server/saml/sls', { bodyLimit: 512 * 1024 }, async (request, reply) =>
    receiveLogout(reply, readPost(formFields(request))),
  );

  const receiveLogout = async (reply: FastifyReply, message: BoundMessage) => {
    const xml = verifyMessage(message, await findMainCertificates(db));
    const expected = { destination: sp.slsUrl, issuer: idp.entityId, now: new Date() };
    if (message.kind === 'SAMLResponse') {
      const response = parseLogoutResponse(xml);
      assertMessage(response, expected);
      return sendSignedOut(reply, await findUnnotifiedSitesByRequest(db, response.inResponseTo ?? ''));
    }
    const request = parseLogoutRequest(xml);
    assertMessage(request, expected);
    await deleteSessionsByIndex(db, request.sessionIndexes, request.nameId);
    clearCookie(config, reply, 'session');
    const answer = buildLogoutResponse({
      id: newSamlId(),
      issuer: sp.entityId,
      destination: idp.sloUrl,
      inResponseTo: request.id,
      issueInstant: new Date(),
      status: 'Success',
    });
    const outgoing = {
      location: idp.sloUrl,
      kind: 'SAMLResponse' as const,
      xml: answer,
      relayState: message.relayState,
    };
    return reply.redirect(redirectUrl({ ...outgoing, key: parts.consoleKey }), 303);
  };

  const sendSignedOut = (reply: FastifyReply, sitesStillSignedIn: readonly SiteStillSignedIn[] = []) =>
    sendPage(reply, renderSignedOut({ signInUrl: '/server/saml/login', sitesStillSignedIn }));
};
