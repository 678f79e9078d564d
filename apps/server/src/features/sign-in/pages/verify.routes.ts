import { ApiError } from '@opensocial/contract';
import { type Factor, renderRecoveryCodes } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { clientOf } from '../../../http/address.ts';
import { formFields, queryFields } from '../../../http/fields.ts';
import type { Parts } from '../../../parts.ts';
import { readSignInCode } from '../../mfa/mfa.service.ts';
import { logFailure } from '../accounts/login-log.ts';
import { findSiteAccountById } from '../accounts/site-accounts.queries.ts';
import { mailCode, proveFactor } from '../factors/prove-factor.ts';
import { trustBrowser } from '../factors/trusted-browser.ts';
import { continueFlow } from '../flow/continue.ts';
import { needsFactor, provableFactors, typedEmail } from '../flow/next-step.ts';
import { renewChallenge, updateFlow } from '../flow/progress.ts';
import { getFlowAccount, resumeFlow, resumeFlowFromForm } from '../flow/resume.ts';
import type { PageRequest, SignInFlow, SignInParts } from '../flow/sign-in-flow.ts';
import { showPage } from './show-page.ts';
import { showVerifyPage } from './verify-page.ts';

type PageParams = { Params: PageRequest['params'] };

const refusalTexts: Record<Factor, string> = {
  totp: 'This code is wrong or was already used. Enter the next code that the app shows.',
  setup: 'This code is wrong. Enter the next code that the app shows.',
  email: 'This code is wrong. Enter the code from the newest email.',
  recovery: 'This recovery code is wrong or was already used.',
  passkey: 'This passkey does not belong to your account, or is no longer valid. Try again, or confirm in another way.',
};
const deadCodeText = 'This code has expired, or was entered wrongly too often. Send a new code.';

/** The page on which the person proves a second factor, or sets up an authenticator. */
export const verifyRoutes = (app: FastifyInstance, parts: SignInParts): void => {
  app.get<PageParams>('/signin/:token/verify', async (request, reply) => {
    const flow = await resumeFlow(parts, { request, reply });
    const user = await getFlowAccount(parts, flow);
    const factors = await provableFactors(parts, request, flow, user);
    if (!needsFactor(parts, request, flow, user) || factors.length === 0)
      return continueFlow(parts, { request, reply }, flow, user);
    const { with: wanted, sent } = queryFields(request);
    const factor = chooseFactor(factors, wanted);
    return showVerifyPage(parts, reply, flow, user, { factor, isSent: sent === 'yes' });
  });

  app.post<PageParams>('/signin/:token/send', async (request, reply) => {
    const flow = await resumeFlowFromForm(parts, { request, reply });
    const user = await getFlowAccount(parts, flow);
    if (!(await provableFactors(parts, request, flow, user)).includes('email')) throw new ApiError('not_found');
    await mailCode(parts, request, flow, user);
    return reply.redirect(`/signin/${flow.token}/verify?with=email&sent=yes`, 303);
  });

  app.post<PageParams>('/signin/:token/verify', async (request, reply) => {
    const flow = await resumeFlowFromForm(parts, { request, reply });
    const user = await getFlowAccount(parts, flow);
    const { factor: wanted, code = '', answer = '', remember } = formFields(request);
    const provable = await provableFactors(parts, request, flow, user);
    const factor = provable.find((each) => each === wanted);
    // Another tab has continued in the meantime, or this factor was not requested. The page shows what is required now.
    if (factor === undefined) return reply.redirect(`/signin/${flow.token}/verify`, 303);
    const current = factor === 'passkey' ? await renewChallenge(parts, flow) : flow;
    const given = factor === 'passkey' ? answer : code.slice(0, 100);
    const { refusal, recoveryCodes } = await proveFactor(parts, request, flow, user, { factor, given });
    if (refusal !== undefined) {
      const typed = typedEmail(flow, user);
      await logFailure(parts, flow.destination, { typed, user, reason: refusal, mfa: factor, ...clientOf(request) });
      const isDead =
        factor === 'email' && (await readSignInCode(parts, { signInId: flow.signIn.id }))?.isUsable !== true;
      const error = isDead ? deadCodeText : refusalTexts[factor];
      return showVerifyPage(parts, reply.status(401), current, user, { factor, isSent: true, error });
    }
    const proven = await updateFlow(parts, current, { mfa: factor === 'setup' ? 'totp' : factor });
    const renewed = (await findSiteAccountById(parts.db, flow.destination, user.id)) ?? user;
    if (remember === 'yes' && !needsFactor(parts, request, proven, renewed))
      trustBrowser(parts, reply, flow.destination, renewed);
    if (recoveryCodes) return showRecoveryCodes(parts, reply, proven, recoveryCodes);
    return continueFlow(parts, { request, reply }, proven, renewed);
  });

  app.post<PageParams>('/signin/:token/go-on', async (request, reply) => {
    const flow = await resumeFlowFromForm(parts, { request, reply });
    return continueFlow(parts, { request, reply }, flow, await getFlowAccount(parts, flow));
  });
};

/** The wanted factor if it may be proven now, or else the first that may. */
const chooseFactor = (factors: readonly Factor[], wanted: string | undefined): Factor =>
  factors.find((factor) => factor === wanted) ?? factors[0] ?? 'email';

const showRecoveryCodes = (parts: Parts, reply: FastifyReply, flow: SignInFlow, codes: string[]) =>
  showPage(parts, reply, flow, (look, csrf) =>
    renderRecoveryCodes({ look, codes, action: `/signin/${flow.token}/go-on`, csrf }),
  );
