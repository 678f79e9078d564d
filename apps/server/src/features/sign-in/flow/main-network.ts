import { clientOf } from '../../../http/address.ts';
import type { Parts } from '../../../parts.ts';
import { notOffered } from '../accounts/checks.ts';
import { logFailure } from '../accounts/login-log.ts';
import { offersMainLogin } from '../accounts/login-types.ts';
import { findSiteAccountById, type SiteAccount } from '../accounts/site-accounts.queries.ts';
import { countAddressAttempt } from '../credentials/attempt-limits.ts';
import { findConsole } from '../destination/destinations.queries.ts';
import { showSignInPage } from '../pages/sign-in-page.ts';
import { returnToSite, updateFlow } from './progress.ts';
import { type Exchange, nobodyIdentified, type SignInFlow } from './sign-in-flow.ts';

/** Continues a sign-in at the main network, which identifies the person for the site. */
export const goToMainNetwork = async (parts: Parts, exchange: Exchange, flow: SignInFlow) => {
  if (!offersMainLogin(flow.signOn.destination)) return refuseMainLogin(parts, exchange, flow);
  const { network } = await findConsole(parts.db);
  await updateFlow(parts, flow, { ...nobodyIdentified, network_id: network.id });
  return exchange.reply.redirect(`/signin/${flow.token}`, 303);
};

/** Shows the sign-in page of the site with the message that it does not accept a login at the main network any more. */
export const refuseMainLogin = async (
  parts: Parts,
  { request, reply }: Exchange,
  flow: SignInFlow,
  user?: SiteAccount,
) => {
  const client = clientOf(request);
  await countAddressAttempt(parts.db, client.address);
  const returned = await returnToSite(parts, flow, nobodyIdentified);
  const member = user && (await findSiteAccountById(parts.db, returned.destination, user.id));
  await logFailure(parts, returned.destination, { user: member, reason: notOffered, ...client });
  const error = 'This sign-in method is no longer offered here.';
  return showSignInPage(parts, reply.status(403), returned, { email: '', error });
};
