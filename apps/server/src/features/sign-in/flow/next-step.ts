import type { Factor } from '@opensocial/signin';
import type { FastifyRequest } from 'fastify';
import { canSendMail } from '../../../mail/mailer.ts';
import type { Parts } from '../../../parts.ts';
import { hasActivationProof } from '../../activation/activation.proofs.service.ts';
import { ownLogin } from '../accounts/login-types.ts';
import type { SiteAccount } from '../accounts/site-accounts.queries.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import { acceptedFactors, canEnrol, hasFactor, isFactorAccepted } from '../factors/accepted-factors.ts';
import { isBrowserTrusted } from '../factors/trusted-browser.ts';
import { isAtMainNetwork, type SignInFlow } from './sign-in-flow.ts';
import type { SignIn } from './sign-ins.queries.ts';

/** Whether a second factor is still missing: either no factor is proven, or one that is not accepted at the destination. */
export const isFactorMissing = (
  parts: Parts,
  request: FastifyRequest,
  destination: Destination,
  user: SiteAccount,
  { mfa, isForced, required }: { mfa: SignIn['mfa']; isForced: boolean; required: readonly Factor[] | undefined },
): boolean => {
  if (isFactorAccepted(acceptedFactors(parts.config, destination, user, required), mfa)) return false;
  return isForced || required !== undefined || !isBrowserTrusted(parts, request, destination, user);
};

/** Whether a second factor is still missing in a sign-in. */
export const needsFactor = (parts: Parts, request: FastifyRequest, flow: SignInFlow, user: SiteAccount): boolean =>
  isFactorMissing(parts, request, flow.destination, user, {
    mfa: flow.signIn.mfa,
    isForced: flow.signIn.is_forced,
    required: requiredFactorsOf(flow),
  });

/** The site's request does not concern the main network, where the person may sign in on the way. */
const requiredFactorsOf = (flow: SignInFlow): readonly Factor[] | undefined =>
  isAtMainNetwork(flow) ? undefined : flow.signOn.requiredFactors;

/** The second factors that are accepted in a sign-in. */
export const acceptedFactorsOf = ({ config }: Pick<Parts, 'config'>, flow: SignInFlow, user: SiteAccount) =>
  acceptedFactors(config, flow.destination, user, requiredFactorsOf(flow));

/**
 * The factors that may be proven next. The password alone must not add a factor: before an authenticator is set up, a mailed code has to be
 * proven in the same sign-in, unless the account was just activated in this browser. After an activation it may also be set up where a
 * mailed code would do, because nobody may be able to deliver one. Empty if an authenticator would have to be set up and this sign-in is
 * not allowed to.
 */
export const provableFactors = async (
  parts: Parts,
  request: FastifyRequest,
  flow: SignInFlow,
  user: SiteAccount,
): Promise<readonly Factor[]> => {
  const { signIn } = flow;
  const factors = acceptedFactorsOf(parts, flow, user);
  if (factors.length === 0 || hasFactor(user)) return factors;
  const isSetupNeeded = factors.includes('setup');
  if (!canEnrol(signIn, signIn.created_at)) return isSetupNeeded ? [] : factors;
  if (signIn.mfa === 'email') return factors;
  const takesAuthenticator = requiredFactorsOf(flow)?.includes('totp') ?? true;
  if (!takesAuthenticator || !(await hasActivationProof(parts.db, parts.config, request, user.id))) return ['email'];
  if (isSetupNeeded) return ['setup'];
  return canSendMail(parts.config) ? ['email', 'setup'] : ['setup', 'email'];
};

/** Whether the person has to change an expired password. */
export const needsNewPassword = (
  { signIn }: { signIn: Pick<SignIn, 'login_from'> },
  user: Pick<SiteAccount, 'isPasswordOld'>,
): boolean => user.isPasswordOld && signIn.login_from === ownLogin;

/** The path of the next page of a sign-in, or undefined if no step is left. */
export const nextPage = (
  parts: Parts,
  request: FastifyRequest,
  flow: SignInFlow,
  user: SiteAccount,
): string | undefined => {
  if (needsFactor(parts, request, flow, user)) return `/signin/${flow.token}/verify`;
  if (needsNewPassword(flow, user)) return `/signin/${flow.token}/password`;
  return undefined;
};

/**
 * The email address, if it was entered in this sign-in on a page of the site's own network. With a session, a passkey, another provider
 * or the main network the person did not enter it there.
 */
export const typedEmail = (flow: SignInFlow, user: SiteAccount): string | undefined => {
  const { login_from, authenticated_at, created_at } = flow.signIn;
  const isTyped = login_from === ownLogin && authenticated_at !== null && authenticated_at >= created_at;
  return isTyped && !isAtMainNetwork(flow) ? user.email : undefined;
};
