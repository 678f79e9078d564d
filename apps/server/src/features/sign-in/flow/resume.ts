import { noteSubject } from '../../../http/error-pages.ts';
import { formFields } from '../../../http/fields.ts';
import { keepOpener } from '../../../http/headers.ts';
import type { Parts } from '../../../parts.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { findAccountRefusal } from '../accounts/checks.ts';
import { acceptsOwnLogin, isOwnLogin } from '../accounts/login-types.ts';
import { findSiteAccountById, type SiteAccount } from '../accounts/site-accounts.queries.ts';
import { findConsole } from '../destination/destinations.queries.ts';
import { readStoredRequest } from './protocols.ts';
import {
  type Exchange,
  flowExpired,
  isCsrfTokenOf,
  type PageRequest,
  readSecrets,
  type SignInFlow,
  type SignInParts,
} from './sign-in-flow.ts';
import { findSignIn } from './sign-ins.queries.ts';

type PageExchange = Exchange & { request: PageRequest };

/** Resumes the sign-in in the path of a request. */
export const resumeFlow = (parts: SignInParts, exchange: PageExchange): Promise<SignInFlow> =>
  resumeFlowByToken(parts, exchange, exchange.request.params.token);

/** Resumes a sign-in by its token. Throws `flowExpired` in any browser other than the one that began it. */
export const resumeFlowByToken = async (
  { db, config, siteCache }: SignInParts,
  { request, reply }: Exchange,
  token: string,
): Promise<SignInFlow> => {
  const secrets = readSecrets(config, request, token);
  const found = await findSignIn(db, token, secrets.browser);
  const site = found && (await siteCache.siteOf(found.signIn, found.version));
  if (!site) throw flowExpired();
  noteSubject(request, { network: site.network.name, siteId: site.site.id });
  const { signIn } = found;
  const destination = signIn.network_id === site.network.id ? site : await findConsole(db);
  const signOn = {
    destination: site,
    ...readStoredRequest(signIn, site),
    isForced: signIn.is_forced,
    isPassive: false,
  };
  if (signOn.message.protocol === 'oidc') keepOpener(reply);
  return { token, signIn, destination, signOn, secrets };
};

/** Resumes a sign-in for a form. The form must be from a page that we sent to this browser. */
export const resumeFlowFromForm = async (parts: SignInParts, exchange: PageExchange): Promise<SignInFlow> => {
  const flow = await resumeFlow(parts, exchange);
  if (!isCsrfTokenOf(parts.vault, flow, formFields(exchange.request)['csrf'] ?? '')) throw flowExpired();
  return flow;
};

/** The account of the person who was identified in this browser, if it may still sign in, and by this login type. */
export const getFlowAccount = async (
  { db }: Parts,
  { signIn, destination, secrets }: SignInFlow,
): Promise<SiteAccount> => {
  const hasSecret = signIn.known_hash?.equals(hashToken(secrets.identified)) === true;
  const isAccepted = !isOwnLogin(signIn.login_from) || acceptsOwnLogin(destination);
  const user =
    signIn.user_id !== null && hasSecret && isAccepted
      ? await findSiteAccountById(db, destination, signIn.user_id)
      : undefined;
  if (!user || findAccountRefusal({ user, destination })) throw flowExpired();
  return user;
};
