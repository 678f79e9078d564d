import { browserFamily } from '@opensocial/contract';
import { clientOf } from '../../../http/address.ts';
import { clearCookie, flowCookie, readCookie, setCookie } from '../../../http/cookies.ts';
import { deviceNotice } from '../../../mail/notices.ts';
import type { Parts } from '../../../parts.ts';
import { completeSocialLink } from '../../social/social.service.ts';
import { mainLogin, ownLogin, passkeyLogin } from '../accounts/login-types.ts';
import { openSession } from '../accounts/open-session.ts';
import type { SiteAccount } from '../accounts/site-accounts.queries.ts';
import { rememberDevice } from '../credentials/known-devices.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import { findTest, isOpen } from '../site-test/test-run.ts';
import { enterSite, sendSignOnErrors } from './enter-site.ts';
import { acceptedFactorsOf, typedEmail } from './next-step.ts';
import { type Exchange, flowExpired, type SignInFlow, type SignInParts } from './sign-in-flow.ts';
import { deleteSignIn } from './sign-ins.queries.ts';

/** Ends a sign-in: opens the session and sends the person to the site. */
export const finishFlow = async (parts: SignInParts, exchange: Exchange, flow: SignInFlow, user: SiteAccount) => {
  const { db, config } = parts;
  const { request, reply } = exchange;
  const { signIn, signOn, destination } = flow;
  if (!(await deleteSignIn(db, signIn.id))) throw flowExpired();
  const loginFrom = signIn.login_from ?? ownLogin;
  const isTrusted = signIn.mfa === null && acceptedFactorsOf(parts, flow, user).length > 0;
  const mfa = isTrusted ? 'device' : signIn.mfa;
  const identity = await openSession(parts, user, readCookie(config, request, 'identity'), {
    // A login at the main network and one with a passkey are our own logins.
    loginFrom: loginFrom === mainLogin || loginFrom === passkeyLogin ? ownLogin : loginFrom,
    mfa,
    authenticatedAt: signIn.authenticated_at ?? new Date(),
    ...clientOf(request),
  });
  if (!identity) throw flowExpired();
  setCookie(config, reply, 'identity', identity.token);
  clearCookie(config, reply, flowCookie('signin-', flow.token));
  clearCookie(config, reply, 'logout');
  await recogniseDevice(parts, exchange, user, destination);
  const linked = await completeSocialLink(parts, signIn, user);
  const method = [
    ...(loginFrom === passkeyLogin ? [] : [loginFrom === ownLogin ? 'password' : loginFrom]),
    ...(mfa ? [mfa] : []),
    ...(linked !== undefined ? [`linked to ${linked}`] : []),
  ].join(', ');
  const typed = typedEmail(flow, user);
  const test = await findTest(parts, request, { destination: signOn.destination, identity });
  const tested = test && isOpen(test) ? { test, destination: signOn.destination, identity } : {};
  return sendSignOnErrors(parts, exchange, tested, () =>
    enterSite(parts, exchange, signOn, identity, { method, typed }),
  );
};

/** Makes the browser a known device. If it was not one since the last change of the credentials, the person gets a mail. */
const recogniseDevice = async (
  parts: Parts,
  { request, reply }: Exchange,
  user: SiteAccount,
  { site }: Destination,
): Promise<void> => {
  const { isKnown } = rememberDevice(parts, request, reply, user);
  if (isKnown || user.lastLoginAt === null) return;
  const { address, userAgent } = clientOf(request);
  const where = { address, browser: browserFamily(userAgent), domain: user.isMember ? site.domain : undefined };
  const record = {
    kind: 'new_device' as const,
    ...(user.isMember && site.kind !== 'console' && { networkId: site.network_id }),
  };
  await parts.jobs.sendMail(parts.db, { to: user.email, ...deviceNotice(parts.config.publicUrl, where), record });
};
