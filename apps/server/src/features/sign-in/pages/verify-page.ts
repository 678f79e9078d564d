import { type Factor, renderVerify, verifyScript } from '@opensocial/signin';
import type { FastifyReply } from 'fastify';
import { canSendMail } from '../../../mail/mailer.ts';
import type { Parts } from '../../../parts.ts';
import { readSignInCode, signInTotpSetup } from '../../mfa/mfa.service.ts';
import { requestOwnPasskey } from '../../passkeys/passkeys.authentication.service.ts';
import type { SiteAccount } from '../accounts/site-accounts.queries.ts';
import { acceptedFactorsOf, provableFactors } from '../flow/next-step.ts';
import type { SignInFlow } from '../flow/sign-in-flow.ts';
import { showPage } from './show-page.ts';

/** Sends the page on which the person proves a second factor, or sets up an authenticator. */
export const showVerifyPage = async (
  parts: Parts,
  reply: FastifyReply,
  flow: SignInFlow,
  user: SiteAccount,
  { factor, isSent, error }: { factor: Factor; isSent: boolean; error?: string },
) => {
  const { destination, signIn, token } = flow;
  const shown =
    factor === 'setup' ? signInTotpSetup(parts, { signInId: signIn.id, userId: user.id }, user.email) : undefined;
  const isBeforeSetup = acceptedFactorsOf(parts, flow, user).includes('setup') && factor !== 'setup';
  const request = factor === 'passkey' ? await requestOwnPasskey(parts, signIn.passkey_challenge, user.id) : undefined;
  const resendIn =
    factor === 'email' && isSent ? ((await readSignInCode(parts, { signInId: signIn.id }))?.resendIn ?? 0) : 0;
  const provable = await provableFactors(parts, reply.request, flow, user);
  return showPage(
    parts,
    reply,
    flow,
    (look, csrf) =>
      renderVerify({
        look,
        factor,
        email: maskEmail(user.email),
        isSent,
        resendIn,
        sendsMail: canSendMail(parts.config),
        shown,
        request,
        isBeforeSetup,
        others: provable.filter((other) => other !== factor),
        rememberDays: isBeforeSetup ? 0 : destination.settings.mfa_remember_days,
        form: {
          action: `/signin/${token}/verify`,
          sendAction: `/signin/${token}/send`,
          againAction: `/signin/${token}/again`,
          csrf,
          error,
        },
      }),
    verifyScript({ request, resendIn }),
  );
};

const maskEmail = (email: string): string => {
  const [name = '', domain = ''] = email.split('@');
  return `${name.slice(0, 2)}…@${domain}`;
};
