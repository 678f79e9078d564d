import { type BoundMessage, readPost, readRedirect } from '@opensocial/saml';
import { renderFramedOutcome } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, readCookie } from '../../../http/cookies.ts';
import { formFields, queryFields, rawQuery } from '../../../http/fields.ts';
import { framedPolicy } from '../../../http/headers.ts';
import { isCsrfToken } from '../../../http/origin.ts';
import { sendPage } from '../../../http/pages.ts';
import type { Parts } from '../../../parts.ts';
import { findIdentityOwner } from '../accounts/identity-sessions.queries.ts';
import { chargeLogout } from '../credentials/visitor-budget.ts';
import { lacksCookie, resubmit } from '../saml/resubmit.ts';
import {
  beginLogout,
  continueLogout,
  logoutExpired,
  receiveInFrame,
  resumeLogout,
  showFrames,
} from './logout.service.ts';
import { logoutCookie, logoutKeyOf } from './logout-key.ts';
import { findLogoutSite } from './logouts.queries.ts';
import { sendLogoutStep } from './send-step.ts';

type OfNetwork = { Params: { network: string } };

/** How many pages of sites a browser can report as loaded. */
const maximumReported = 1_000;

/** Single logout with the redirect and the POST binding. Both requests and responses of sites come here. */
export const logoutRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { config, db } = parts;

  app.get<OfNetwork>('/saml/:network/slo', (request, reply) => {
    const { SAMLResponse, RelayState = '' } = queryFields(request);
    const read = () => readRedirect(rawQuery(request));
    return SAMLResponse === undefined ? begin(request, reply, read()) : receive(request, reply, RelayState, read);
  });

  app.post<OfNetwork>('/saml/:network/slo', { bodyLimit: 512 * 1024 }, (request, reply) => {
    const fields = formFields(request);
    const read = () => readPost(fields);
    if (fields['SAMLResponse'] !== undefined) return receive(request, reply, fields['RelayState'] ?? '', read);
    if (lacksCookie(config, request, 'identity')) return resubmit(config, request, reply, 'Signing you out…');
    return begin(request, reply, read());
  });

  app.get<OfNetwork>('/saml/:network/slo/continue', async (request, reply) => {
    // A site could load the page in its own frame, which would replace the requests that other frames have loaded.
    const purpose = request.headers['sec-fetch-dest'];
    if (purpose !== undefined && purpose !== 'document') throw logoutExpired();
    const key = logoutKeyOf(config, request, Number(queryFields(request)['logout']));
    return sendLogoutStep(parts, request, reply, await showFrames(parts, request.params.network, key));
  });

  app.post<OfNetwork>('/saml/:network/slo/continue', async (request, reply) => {
    const { logout, csrf, framed, loaded = '' } = formFields(request);
    const key = logoutKeyOf(config, request, Number(logout));
    if (!isCsrfToken(parts, key.secret, csrf)) throw logoutExpired();
    const report = { hasFrames: framed === 'yes', loaded: readIds(loaded) };
    return sendLogoutStep(parts, request, reply, await continueLogout(parts, key, report));
  });

  const begin = async (request: FastifyRequest<OfNetwork>, reply: FastifyReply, message: BoundMessage) => {
    await chargeLogout(parts, request);
    const identityToken = readCookie(config, request, 'identity');
    const step = await beginLogout(parts, request.params.network, message, identityToken);
    // Anyone may send a browser here, so the cookie is deleted only if the browser's own session has ended, now or before. The sign-in
    // page would otherwise still show the email address of its owner.
    const isEnded = identityToken !== undefined && (await findIdentityOwner(db, identityToken)) === undefined;
    if (step.endsOwnSession || isEnded) clearCookie(config, reply, 'identity');
    if (step.endsConsole) clearCookie(config, reply, 'session');
    return sendLogoutStep(parts, request, reply, step);
  };

  const receive = async (
    request: FastifyRequest<OfNetwork>,
    reply: FastifyReply,
    token: string,
    read: () => BoundMessage,
  ) => {
    const participant = await findLogoutSite(db, token);
    if (!participant) throw logoutExpired();
    const response = { token, network: request.params.network, read };
    if (participant.is_in_frame) {
      const outcome = await receiveInFrame(parts, participant, { ...response, isSameSite: isSameSite(request) });
      return sendPage(reply, renderFramedOutcome(outcome), framedPolicy);
    }
    const cookie = logoutCookie(participant.logout_id);
    if (request.method === 'POST' && lacksCookie(config, request, cookie))
      return resubmit(config, request, reply, 'Signing you out…');
    const key = logoutKeyOf(config, request, participant.logout_id);
    return sendLogoutStep(parts, request, reply, await resumeLogout(parts, participant, key, response));
  };
};

/** The ids in a field that the script of the page fills in. */
const readIds = (text: string): number[] => (text.match(/\d{1,15}/g) ?? []).slice(0, maximumReported).map(Number);

/** Whether every hop of the navigation was on our own site. Browsers without the header count as cross-site. */
const isSameSite = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'same-site' || headers['sec-fetch-site'] === 'same-origin';
