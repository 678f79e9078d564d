import { clientOf } from '../../../http/address.ts';
import { PageError } from '../../../http/errors.ts';
import { findSiteRefusal, type Refusal } from '../accounts/checks.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import { logRefusal, unmetRequests } from '../accounts/login-log.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import { isRefusal, showAnswer, showRefusal } from '../site-test/show.ts';
import type { SiteTestRow } from '../site-test/site-tests.queries.ts';
import { asTested, findTest, isOpen, recordUnpaused } from '../site-test/test-run.ts';
import { sendRefusal, sendSuccess } from './protocols.ts';
import type { Exchange, SignInParts } from './sign-in-flow.ts';
import { SignOnError, type SignOnRefusal, type SignOnRequest } from './sign-on-request.ts';

/** Checks whether the account may enter the site, and sends the person there. `method` is how the person signed in, for the login log. */
export const enterSite = async (
  parts: SignInParts,
  exchange: Exchange,
  signOn: SignOnRequest,
  identity: Identity,
  { method, typed }: { method: string; typed?: string | undefined },
) => {
  const { request, reply } = exchange;
  const { destination } = signOn;
  const { user } = identity;
  const client = clientOf(request);
  const refusal = findSiteRefusal({ user, destination });
  if (refusal) {
    await logRefusal(parts, request, destination, { user, typed, reason: refusal.reason });
    throw refusalError(signOn, refusal);
  }
  try {
    const found = await findTest(parts, request, { destination, identity });
    const test = found && isOpen(found) ? found : undefined;
    const tested = test ? { ...signOn, destination: asTested(destination, test) } : signOn;
    const granted = { signOn: tested, identity, client, method };
    if (test && !signOn.isPassive) return await showAnswer(parts, exchange, test, granted);
    const sent = await sendSuccess(parts, reply, granted);
    if (test) await recordUnpaused(parts, test, { state: 'sent' });
    return sent;
  } catch (error) {
    const reasons: Partial<Record<SignOnRefusal, string>> = unmetRequests;
    const reason = error instanceof SignOnError ? reasons[error.refusal] : undefined;
    const requested = { contexts: requestedContexts(signOn), proven: identity.session.mfa };
    if (reason !== undefined) await logRefusal(parts, request, destination, { user, typed, reason, requested });
    throw error;
  }
};

/** The authentication context classes that a request asks for. */
const requestedContexts = ({ message }: SignOnRequest): readonly string[] =>
  message.protocol === 'saml' ? (message.authnContext?.classes ?? []) : message.acr.values;

/** A refusal as a page for the person, or as a status for the service provider if the request is passive or there is no page. */
export const refusalError = (signOn: SignOnRequest, { page }: Refusal): SignOnError | PageError =>
  signOn.isPassive || !page ? new SignOnError(signOn, 'denied') : new PageError(403, page.title, page.message);

/** The test that runs at the site of a request, once it is known. */
export type Tested = {
  test?: SiteTestRow;
  destination?: Destination;
  identity?: Identity | undefined;
  isPassive?: boolean;
};

/** Sends a `SignOnError` to the site as an answer of its protocol. During a test, every refusal is shown first. */
export const sendSignOnErrors = async <T>(
  parts: SignInParts,
  exchange: Exchange,
  tested: Tested,
  work: () => Promise<T>,
) => {
  try {
    return await work();
  } catch (error) {
    const { test, destination, identity, isPassive = false } = tested;
    if (test && destination && !isPassive && isRefusal(error))
      return showRefusal(parts, exchange, test, { destination, identity, error });
    if (!(error instanceof SignOnError)) throw error;
    if (test) await recordUnpaused(parts, test, { state: 'refused' });
    return sendRefusal(parts, exchange.reply, error);
  }
};
