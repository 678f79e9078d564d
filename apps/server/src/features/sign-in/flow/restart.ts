import type { FastifyReply } from 'fastify';
import { clientOf } from '../../../http/address.ts';
import type { Parts } from '../../../parts.ts';
import { logFailure } from '../accounts/login-log.ts';
import { takesPassword } from '../accounts/login-types.ts';
import { findSiteAccountById, type SiteAccount } from '../accounts/site-accounts.queries.ts';
import { showSignInPage } from '../pages/sign-in-page.ts';
import { typedEmail } from './next-step.ts';
import { returnToSite } from './progress.ts';
import { type Exchange, nobodyIdentified, type SignInFlow } from './sign-in-flow.ts';

/** Returns to the first page of a sign-in, with no person identified. */
export const restartFlow = async (parts: Parts, reply: FastifyReply, flow: SignInFlow) => {
  await returnToSite(parts, flow, nobodyIdentified);
  return reply.redirect(`/signin/${flow.token}`, 303);
};

/** Restarts a sign-in that has to set up an authenticator and was not begun with a recent password. */
export const requirePassword = async (
  parts: Parts,
  { request, reply }: Exchange,
  flow: SignInFlow,
  user: SiteAccount,
) => {
  const returned = await returnToSite(parts, flow, nobodyIdentified);
  const reason = 'no second factor set up';
  // The account may have been read for the main network. Its membership in the site's network decides what the login log may contain.
  const member = await findSiteAccountById(parts.db, returned.destination, user.id);
  const typed = typedEmail(flow, user);
  await logFailure(parts, returned.destination, { user: member, typed, reason, ...clientOf(request) });
  const error = takesPassword(returned.destination)
    ? 'This network asks for an authenticator app. Sign in with your email and password to set one up.'
    : `This network asks for an authenticator app. Set one up in your profile at ${parts.config.publicUrl}, then sign in here again.`;
  return showSignInPage(parts, reply.status(403), returned, { email: '', error });
};
