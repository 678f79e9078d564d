import { assets, renderSignedOut, renderSigningOut } from '@opensocial/signin';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, dropOldestCookies, readCookie, setCookie } from '../../../http/cookies.ts';
import { framesPolicy } from '../../../http/headers.ts';
import { csrfToken } from '../../../http/origin.ts';
import { sendPage } from '../../../http/pages.ts';
import type { Parts } from '../../../parts.ts';
import { sendAutoPost } from '../saml/auto-post.ts';
import type { FramedSite, LogoutStep } from './logout.service.ts';
import { logoutCookie } from './logout-key.ts';
import { type LogoutKey, minutesToSignOut } from './logouts.queries.ts';

/** The maximum number of unfinished logouts of one browser. */
const maximumLogouts = 8;

/** Sends the browser to the next site of a logout, back to the site that requested it, or to a page of ours. */
export const sendLogoutStep = (
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  { next, key, isRunning, endsOwnSession }: LogoutStep,
) => {
  const { config } = parts;
  const cookie = logoutCookie(key.id);
  if (endsOwnSession && isRunning) {
    dropOldestCookies(config, request, reply, { prefix: 'logout-', maximum: maximumLogouts });
    setCookie(config, reply, cookie, key.secret, minutesToSignOut * 60);
    // If a site does not send the browser back, the next sign-in page names the sites that were not reached.
    setCookie(config, reply, 'logout', String(key.id), minutesToSignOut * 60);
  }
  if (!isRunning) {
    clearCookie(config, reply, cookie);
    if (readCookie(config, request, 'logout') === String(key.id)) clearCookie(config, reply, 'logout');
  }
  if ('redirect' in next) return reply.redirect(next.redirect, 303);
  if ('form' in next) return sendAutoPost(reply, next.form, 'Signing you out…');
  if ('framesIn' in next) return reply.redirect(`${framesPath(next.framesIn)}?logout=${key.id}`, 303);
  if ('sites' in next) return sendFrames(parts, reply, key, next);
  return sendPage(
    reply,
    renderSignedOut({ signInUrl: '/server/saml/login', sitesStillSignedIn: next.sitesStillSignedIn }),
  );
};

const framesPath = (network: string): string => `/saml/${encodeURIComponent(network)}/slo/continue`;

const sendFrames = (
  parts: Parts,
  reply: FastifyReply,
  { id, secret }: LogoutKey,
  { network, sites }: { network: string; sites: FramedSite[] },
) => {
  const html = renderSigningOut({
    action: framesPath(network),
    fields: { logout: String(id), csrf: csrfToken(parts, secret) },
    sites,
  });
  const requests = sites.flatMap(({ request }) => request ?? []);
  const pages = requests.flatMap((request) => ('page' in request ? [request.page] : []));
  const script = `${parts.config.publicUrl}${assets.logoutScript.path}`;
  // Sites that answer may redirect their frames anywhere before.
  const frames = pages.length === requests.length ? pages : undefined;
  return sendPage(reply, html, framesPolicy(parts.config, script, frames));
};
