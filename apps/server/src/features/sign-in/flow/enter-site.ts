import type { FastifyReply } from 'fastify';
import { clientOf } from '../../../http/address.ts';
import { PageError } from '../../../http/errors.ts';
import type { Parts } from '../../../parts.ts';
import { findSiteRefusal, type Refusal } from '../accounts/checks.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import { logFailure, unmetRequests } from '../accounts/login-log.ts';
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
    const requested = { contexts: requestedContexts(signOn), proven: identity.session.mfa };
    if (reason !== undefined) await logFailure(parts, destination, { user, typed, reason, requested, ...client });
    throw error;
  }
};

/** The authentication context classes that a request asks for. */
const requestedContexts = ({ message }: SignOnRequest): readonly string[] =>
  message.protocol === 'saml' ? (message.authnContext?.classes ?? []) : message.acr.values;

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
