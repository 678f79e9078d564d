import type { FastifyReply } from 'fastify';
import { clientOf } from '../../../http/address.ts';
import { PageError } from '../../../http/errors.ts';
import type { Parts } from '../../../parts.ts';
import { findSiteRefusal, type Refusal } from '../accounts/checks.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import { logFailure } from '../accounts/login-log.ts';
import { sendAutoPost } from '../saml/auto-post.ts';
import { type SignOnRequest, StatusError } from '../saml/sign-on-request.ts';
import { answerSignOn, answerWithStatus } from '../saml/sign-on-response.ts';
import type { Exchange } from './sign-in-flow.ts';

/** Checks whether the account may enter the site, and sends the SAML response. `method` is how the person signed in, for the login log. */
export const enterSite = async (
  parts: Parts,
  { request, reply }: Exchange,
  signOn: SignOnRequest,
  identity: Identity,
  { method, typed }: { method: string; typed?: string | undefined },
) => {
  const { destination } = signOn;
  const { user } = identity;
  const client = clientOf(request);
  const refusal = findSiteRefusal({ user, destination });
  if (refusal) {
    await logFailure(parts, destination, { user, typed, reason: refusal.reason, ...client });
    throw refusalError(signOn, refusal);
  }
  return sendAutoPost(reply, await answerSignOn(parts, signOn, identity, client, method), 'Signing you in…');
};

/** A refusal as a page for the person, or as a status for the service provider if the request is passive or there is no page. */
export const refusalError = (signOn: SignOnRequest, { page }: Refusal): StatusError | PageError =>
  signOn.isPassive || !page
    ? new StatusError(signOn, { code: 'Responder', subcode: 'RequestDenied' })
    : new PageError(403, page.title, page.message);

/** Sends a `StatusError` to the service provider as a SAML response. */
export const sendStatusErrors = async <T>(parts: Parts, reply: FastifyReply, work: () => Promise<T>) => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return sendAutoPost(reply, answerWithStatus(parts, error), 'Returning to the application…');
  }
};
