import type { FastifyReply } from 'fastify';
import { clientOf } from '../../../http/address.ts';
import { PageError } from '../../../http/errors.ts';
import type { Parts } from '../../../parts.ts';
import { findSiteRefusal, type Refusal } from '../accounts/checks.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import { logFailure } from '../accounts/login-log.ts';
import { sendRefusal, sendSuccess } from './protocols.ts';
import type { Exchange } from './sign-in-flow.ts';
import { SignOnError, type SignOnRefusal, type SignOnRequest } from './sign-on-request.ts';

/** Checks whether the account may enter the site, and sends the person there. `method` is how the person signed in, for the login log. */
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
  try {
    return await sendSuccess(parts, reply, { signOn, identity, client, method });
  } catch (error) {
    const reasons: Partial<Record<SignOnRefusal, string>> = unmetRequests;
    const reason = error instanceof SignOnError ? reasons[error.refusal] : undefined;
    if (reason !== undefined) await logFailure(parts, destination, { user, typed, reason, ...client });
    throw error;
  }
};

/** The reasons in the login log for requests that ask for more than the person can satisfy. */
export const unmetRequests = {
  other_person: 'the application asked for another person',
  weak_authentication: 'the application asked for a stronger sign-in',
} satisfies Partial<Record<SignOnRefusal, string>>;

/** A refusal as a page for the person, or as a status for the service provider if the request is passive or there is no page. */
export const refusalError = (signOn: SignOnRequest, { page }: Refusal): SignOnError | PageError =>
  signOn.isPassive || !page ? new SignOnError(signOn, 'denied') : new PageError(403, page.title, page.message);

/** Sends a `SignOnError` to the site as an answer of its protocol. */
export const sendSignOnErrors = async <T>(parts: Parts, reply: FastifyReply, work: () => Promise<T>) => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SignOnError)) throw error;
    return sendRefusal(parts, reply, error);
  }
};
