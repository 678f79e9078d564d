import { isOwnLogin, mainLogin, offersMainLogin } from '../accounts/login-types.ts';
import type { SiteAccount } from '../accounts/site-accounts.queries.ts';
import { finishFlow } from './finish.ts';
import { refuseMainLogin } from './main-network.ts';
import { recordMissingFactor } from './missing-factor.ts';
import { needsFactor, nextPage, provableFactors } from './next-step.ts';
import { returnToSite, storeIdentification } from './progress.ts';
import { requirePassword } from './restart.ts';
import { getFlowAccount } from './resume.ts';
import { type Exchange, isAtMainNetwork, type SignInFlow, type SignInParts } from './sign-in-flow.ts';
import { type SignIn, updateIdentified } from './sign-ins.queries.ts';

/**
 * Takes the next step of a sign-in after a person was identified: a page that is still required, or the end. `proven` are the columns
 * that the current request has changed. They are stored only if there is another step.
 */
export const continueFlow = async (
  parts: SignInParts,
  exchange: Exchange,
  stored: SignInFlow,
  user: SiteAccount,
  proven?: Partial<SignIn>,
) => {
  const { request, reply } = exchange;
  const flow = { ...stored, signIn: { ...stored.signIn, ...proven } };
  const isFactorMissing = needsFactor(parts, request, flow, user);
  if (isFactorMissing && (await provableFactors(parts, request, flow, user)).length === 0)
    return requirePassword(parts, exchange, stored, user);
  if (isFactorMissing && !isAtMainNetwork(flow))
    recordMissingFactor(parts, request, {
      destination: flow.destination,
      user,
      proven: flow.signIn.mfa,
      required: flow.signOn.requiredFactors,
      isPassive: false,
    });
  const page = nextPage(parts, request, flow, user);
  if (page === undefined && !isAtMainNetwork(flow)) return finishFlow(parts, exchange, flow, user);
  const updated = proven
    ? await storeIdentification(parts, reply, stored, (known_hash) =>
        updateIdentified(parts.db, stored.signIn, user, { ...proven, known_hash }),
      )
    : flow;
  return page === undefined ? returnFromMainNetwork(parts, exchange, updated, user) : reply.redirect(page, 303);
};

/**
 * Continues at the site after the person has signed in at the main network. The site may require more, or not accept that login any
 * longer. A social login at the main network stays one, so that it does not count as our own login afterwards.
 */
const returnFromMainNetwork = async (
  parts: SignInParts,
  exchange: Exchange,
  flow: SignInFlow,
  user: SiteAccount,
): Promise<unknown> => {
  if (!offersMainLogin(flow.signOn.destination)) return refuseMainLogin(parts, exchange, flow, user);
  const { login_from } = flow.signIn;
  const returned = await returnToSite(parts, flow, { login_from: isOwnLogin(login_from) ? mainLogin : login_from });
  return continueFlow(parts, exchange, returned, await getFlowAccount(parts, returned));
};
