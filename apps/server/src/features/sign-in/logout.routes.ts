import { type BoundMessage, readPost, readRedirect } from '@opensocial/saml';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, dropOldest, flowCookie, readCookie, setCookie } from '../../http/cookies.ts';
import { formFields, queryFields, rawQuery } from '../../http/fields.ts';
import type { Parts } from '../../parts.ts';
import { findIdentityOwner } from './identity.queries.ts';
import { minutesToSignOut } from './logout.queries.ts';
import { beginLogout, resumeLogout } from './logout.service.ts';
import { logoutKeyOf } from './logout-key.ts';
import { isBare, postAgain } from './post-again.ts';
import { chargeLogout } from './visitor-budget.ts';
import { sendForm } from './walk.ts';

/** The maximum number of unfinished logouts of one browser. */
const mostOpenLogouts = 8;

/** Single logout, by redirect and by post, asked for or answered. */
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
    const identity = readCookie(config, request, 'identity');
    const { go, key, isUnderWay, isOwn } = await (SAMLResponse === undefined
      ? beginLogout(parts, network, read(), identity)
      : resumeLogout(parts, network, logoutKeyOf(config, request, RelayState), read));
    const bound = flowCookie('logout-', key.token);
    // Only the end of this browser's own session deletes its cookie: anyone may send a browser here. A cookie whose session has ended
    // before is deleted too, because the sign-in page would still show whose it was.
    const isEnded = identity !== undefined && (await findIdentityOwner(db, identity)) === undefined;
    if (isOwn || isEnded) clearCookie(config, reply, 'identity');
    if (isOwn && isUnderWay) {
      dropOldest(config, request, reply, { prefix: 'logout-', most: mostOpenLogouts });
      setCookie(config, reply, bound, key.secret, minutesToSignOut * 60);
      // A site may keep the browser. The next sign-in page then names the sites that were not reached.
      setCookie(config, reply, 'logout', key.token, minutesToSignOut * 60);
    }
    if (!isUnderWay) {
      clearCookie(config, reply, bound);
      if (readCookie(config, request, 'logout') === key.token) clearCookie(config, reply, 'logout');
    }
    return 'redirect' in go ? reply.redirect(go.redirect, 303) : sendForm(reply, go.form, 'Signing you out…');
  };

  app.get<{ Params: { network: string } }>('/saml/:network/slo', (request, reply) =>
    handle(request, reply, queryFields(request), () => readRedirect(rawQuery(request))),
  );

  app.post<{ Params: { network: string } }>('/saml/:network/slo', { bodyLimit: 512 * 1024 }, (request, reply) => {
    const fields = formFields(request);
    // A request needs the session's cookie, an answer the cookie of its logout.
    const { SAMLResponse, RelayState = '' } = fields;
    const needed = SAMLResponse === undefined ? 'identity' : flowCookie('logout-', RelayState);
    if (isBare(config, request, needed)) return postAgain(config, request, reply, 'Signing you out…');
    return handle(request, reply, fields, () => readPost(fields));
  });
};
