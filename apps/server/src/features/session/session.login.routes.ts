import { isConsolePath } from '@opensocial/contract';
import {
  buildAuthnRequest,
  buildSpMetadata,
  nameIdFormats,
  newSamlId,
  readPost,
  readSignedResponse,
  redirectUrl,
  SamlError,
  type SignedIn,
} from '@opensocial/saml';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clearCookie, dropOldestCookies, readCookie, setCookie } from '../../http/cookies.ts';
import { PageError } from '../../http/errors.ts';
import { formFields, queryFields } from '../../http/fields.ts';
import { findSession } from '../../identity/console-sessions.ts';
import { mainNetworkName } from '../../identity/membership.ts';
import type { Parts } from '../../parts.ts';
import { newUid } from '../../secrets/tokens.ts';
import { findMainCertificates } from '../networks/networks.service.ts';
import { claimMessage, consoleAddresses, idpAddresses } from '../sign-in/sign-in.service.ts';
import { findUserByUid } from '../users/users.service.ts';
import { deleteSession, insertSession, lockIdentitySession } from './session.queries.ts';

/** The content of the encrypted cookie of a login, from the request until its response. */
const Login = z.object({ requestId: z.string(), next: z.string() });

/** The maximum number of logins that one browser may have in progress, each in its own tab. */
const maximumLogins = 5;

/** The console as a SAML service provider of the main network. It uses the same protocol, with the same checks, as any other site. */
export const sessionLoginRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { db, config, vault } = parts;
  const sp = consoleAddresses(config);
  const idp = idpAddresses(config, mainNetworkName);

  app.get('/server/saml/metadata', (_request, reply) =>
    reply
      .type('application/samlmetadata+xml')
      .send(buildSpMetadata({ ...sp, certificates: [parts.consoleKey.certificate] })),
  );

  app.get('/server/saml/login', async (request, reply) => {
    const query = queryFields(request);
    const next = nextScreen(query['next'], config.publicUrl);
    const isForced = query['force'] === 'yes';
    // Cookies belong to one host, so a request to another name of the server is redirected to PUBLIC_URL. This happens only once, because a
    // proxy may change the host and cause a loop.
    if (request.host.toLowerCase() !== new URL(config.publicUrl).host && query['moved'] === undefined) {
      const again = new URLSearchParams({ next, moved: 'yes', ...(isForced && { force: 'yes' }) });
      return reply.redirect(`${config.publicUrl}/server/saml/login?${again}`, 303);
    }
    const token = readCookie(config, request, 'session');
    if (token !== undefined && !isForced && (await findSession(db, token))) return reply.redirect(next, 303);
    dropOldestCookies(config, request, reply, { prefix: 'login-', maximum: maximumLogins });
    const requestId = newSamlId();
    const relayState = newUid();
    setCookie(config, reply, `login-${relayState}`, vault.seal({ requestId, next }), 30 * 60);
    const xml = buildAuthnRequest({
      id: requestId,
      issuer: sp.entityId,
      destination: idp.ssoUrl,
      acsUrl: sp.acsUrl,
      issueInstant: new Date(),
      nameIdFormat: nameIdFormats.emailAddress,
      forceAuthn: isForced,
    });
    const location = redirectUrl({ location: idp.ssoUrl, kind: 'SAMLRequest', xml, relayState, key: parts.consoleKey });
    return reply.redirect(location, 303);
  });

  app.post('/server/saml/acs', { bodyLimit: 512 * 1024 }, async (request, reply) => {
    const message = readPost(formFields(request));
    const relayState = /^[0-9a-f]{32}$/.test(message.relayState ?? '') ? message.relayState : undefined;
    const login = Login.safeParse(vault.open(readCookie(config, request, `login-${relayState}`) ?? ''));
    // The response does not belong to a login of this browser. Beginning a new login is harmless.
    if (!login.success) return reply.redirect('/server/saml/login', 303);
    const signedIn = readSignedResponse(message.xml, {
      certificates: await findMainCertificates(db),
      issuer: idp.entityId,
      destination: sp.acsUrl,
      audience: sp.entityId,
      inResponseTo: login.data.requestId,
      now: new Date(),
    });
    if (!(await claimMessage(db, signedIn.assertionId, signedIn.notOnOrAfter))) {
      throw new SamlError('expired', { detail: 'It was used before.' });
    }
    clearCookie(config, reply, `login-${relayState}`);
    const isOpen = await openSession(request, reply, signedIn);
    return reply.redirect(
      isOpen ? login.data.next : `/server/saml/login?${new URLSearchParams({ next: login.data.next })}`,
      303,
    );
  });

  /** Opens a session, unless the session at the identity provider has ended since. A response may arrive minutes after it was issued. */
  const openSession = async (request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn): Promise<boolean> => {
    const user = await findUserByUid(db, signedIn.attributes['uid']?.[0] ?? '');
    if (!user)
      throw new PageError(
        403,
        'This account no longer exists',
        'It was deleted while you were signing in. Ask your administrator.',
      );
    const former = readCookie(config, request, 'session');
    if (former !== undefined) await deleteSession(db, former);
    const session = {
      user_id: user.id,
      session_index: signedIn.sessionIndex ?? '',
      name_id: signedIn.nameId,
      selected_network_id: user.default_network_id,
      login_from: signedIn.attributes['login_from']?.[0] ?? '',
      authenticated_at: signedIn.authnInstant,
    };
    const token = await db.transaction(async (tx) =>
      (await lockIdentitySession(tx, session.session_index, user.id)) ? insertSession(tx, session) : undefined,
    );
    if (token === undefined) return false;
    setCookie(config, reply, 'session', token);
    return true;
  };
};

/** A longer path would not fit into the cookie. */
const maximumNextLength = 500;

/**
 * The path and query of the console to open after the login, or the start page if the given value is not valid. The value is an absolute
 * path or a URL with our own origin. It is resolved as a browser would before it is checked, and the resolved value is returned, so that
 * the browser cannot interpret it differently.
 */
const nextScreen = (next: string | undefined, publicUrl: string): string => {
  if (next === undefined || /\p{Cc}/u.test(next) || !(next.startsWith('/') || next.startsWith(`${publicUrl}/`)))
    return '/';
  const url = URL.parse(next, publicUrl);
  if (url?.origin !== publicUrl || !isConsolePath(url.pathname)) return '/';
  const screen = url.pathname + url.search;
  return screen.length > maximumNextLength ? '/' : screen;
};
