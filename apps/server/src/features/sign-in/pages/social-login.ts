import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientOf } from '../../../http/address.ts';
import { findAccountRefusal, isNonMember } from '../accounts/checks.ts';
import { logFailure } from '../accounts/login-log.ts';
import { findSiteAccountById, type SiteAccount } from '../accounts/site-accounts.queries.ts';
import { countAddressAttempt } from '../credentials/attempt-limits.ts';
import { continueFlow } from '../flow/continue.ts';
import { storeIdentification } from '../flow/progress.ts';
import { resumeFlowByToken, resumeFlowFromForm } from '../flow/resume.ts';
import type { PageRequest, SignInFlow, SignInParts } from '../flow/sign-in-flow.ts';
import { updateSignIn } from '../flow/sign-ins.queries.ts';
import { showPage } from './show-page.ts';
import { showSignInPage } from './sign-in-page.ts';

/** The steps of a sign-in that the routes of social logins use. `features/social` declares them, so that it does not import this feature. */
export const socialLoginSteps = (parts: SignInParts) => {
  const refuse = async (
    request: FastifyRequest,
    reply: FastifyReply,
    flow: SignInFlow,
    { message, reason }: { message: string; reason: string },
    user?: SiteAccount,
  ) => {
    const client = clientOf(request);
    await countAddressAttempt(parts.db, client.address);
    await logFailure(parts, flow.destination, { user, reason, ...client });
    return showSignInPage(parts, reply.status(403), flow, { email: '', error: message });
  };

  const continueAs = async (
    request: FastifyRequest,
    reply: FastifyReply,
    flow: SignInFlow,
    { userId, loginFrom }: { userId: number; loginFrom: string },
  ) => {
    const { destination } = flow;
    const user = await findSiteAccountById(parts.db, destination, userId);
    const refusal = user && findAccountRefusal({ user, destination });
    if (!user || refusal) {
      const message = 'This account cannot sign in here.';
      // In a network that the person does not belong to, the line is the same as for a person without an account.
      if (user && isNonMember({ user, destination }))
        return refuse(request, reply, flow, { message, reason: `${loginFrom}: no account` });
      return refuse(request, reply, flow, { message, reason: refusal?.reason ?? 'account gone' }, user);
    }
    const proven = { user_id: user.id, login_from: loginFrom, authenticated_at: new Date(), mfa: null };
    const updated = await storeIdentification(parts, reply, flow, (known_hash) =>
      updateSignIn(parts.db, flow.signIn, { ...proven, known_hash }),
    );
    return continueFlow(parts, { request, reply }, updated, user);
  };

  return {
    resumeByToken: (request: FastifyRequest, reply: FastifyReply, token: string) =>
      resumeFlowByToken(parts, { request, reply }, token),
    resumeFromForm: (request: PageRequest, reply: FastifyReply) => resumeFlowFromForm(parts, { request, reply }),
    show: (reply: FastifyReply, flow: SignInFlow, render: Parameters<typeof showPage>[3]) =>
      showPage(parts, reply, flow, render),
    refuse,
    continueAs,
  };
};
