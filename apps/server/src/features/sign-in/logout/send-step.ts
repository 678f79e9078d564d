import { renderSignedOut } from '@opensocial/signin';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, dropOldestCookies, flowCookie, readCookie, setCookie } from '../../../http/cookies.ts';
import { sendPage } from '../../../http/pages.ts';
import type { Parts } from '../../../parts.ts';
import { sendAutoPost } from '../saml/auto-post.ts';
import type { LogoutStep } from './logout.service.ts';
import { minutesToSignOut } from './logouts.queries.ts';

/** The maximum number of unfinished logouts of one browser. */
const maximumLogouts = 8;

/** Sends the browser to the next site of a logout, back to the site that requested it, or to a page that confirms it. */
export const sendLogoutStep = (
  { config }: Pick<Parts, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { next, key, isRunning, endsOwnSession }: LogoutStep,
) => {
  const cookie = flowCookie('logout-', key.token);
  if (endsOwnSession && isRunning) {
    dropOldestCookies(config, request, reply, { prefix: 'logout-', maximum: maximumLogouts });
    setCookie(config, reply, cookie, key.secret, minutesToSignOut * 60);
    // If a site does not send the browser back, the next sign-in page names the sites that were not reached.
    setCookie(config, reply, 'logout', key.token, minutesToSignOut * 60);
  }
  if (!isRunning) {
    clearCookie(config, reply, cookie);
    if (readCookie(config, request, 'logout') === key.token) clearCookie(config, reply, 'logout');
  }
  if ('redirect' in next) return reply.redirect(next.redirect, 303);
  if ('form' in next) return sendAutoPost(reply, next.form, 'Signing you out…');
  return sendPage(
    reply,
    renderSignedOut({ signInUrl: '/server/saml/login', sitesStillSignedIn: next.sitesStillSignedIn }),
  );
};
