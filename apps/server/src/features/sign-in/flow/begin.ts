import { dropOldestCookies } from '../../../http/cookies.ts';
import type { Parts } from '../../../parts.ts';
import { hashToken, newToken } from '../../../secrets/tokens.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import { chargeVisitor } from '../credentials/visitor-budget.ts';
import { toStoredRequest } from './protocols.ts';
import { type Exchange, setSecrets } from './sign-in-flow.ts';
import { insertSignIn } from './sign-ins.queries.ts';
import type { SignOnRequest } from './sign-on-request.ts';

/** The maximum number of sign-ins that one browser may have in progress, each in its own tab. */
const maximumSignIns = 8;

/** Begins a sign-in. With the identity of a live session it is a step-up, which begins with the second factor. */
export const beginFlow = async (
  parts: Parts,
  { request, reply }: Exchange,
  signOn: SignOnRequest,
  identity: Identity | undefined,
) => {
  chargeVisitor(parts, request, 'signIns', identity?.user.id);
  const secrets = { browser: newToken(), identified: identity ? newToken() : '' };
  const token = await insertSignIn(parts.db, {
    browser_hash: hashToken(secrets.browser),
    known_hash: identity ? hashToken(secrets.identified) : null,
    network_id: signOn.destination.network.id,
    site_id: signOn.destination.site.id,
    ...toStoredRequest(signOn.message),
    is_forced: signOn.isForced,
    user_id: identity?.user.id ?? null,
    login_from: identity?.session.login_from ?? null,
    authenticated_at: identity?.session.authenticated_at ?? null,
  });
  dropOldestCookies(parts.config, request, reply, { prefix: 'signin-', maximum: maximumSignIns });
  setSecrets(parts.config, reply, token, secrets);
  return reply.redirect(`/signin/${token}${identity ? '/verify' : ''}`, 303);
};
