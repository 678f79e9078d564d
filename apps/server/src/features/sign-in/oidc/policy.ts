import { decodeJwt } from 'jose';
import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { z } from 'zod';
import { clientOf } from '../../../http/address.ts';
import { findSiteRefusal, isNonMember } from '../accounts/checks.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import { logFailure, unmetRequests } from '../accounts/login-log.ts';
import { recordMissingFactor } from '../flow/missing-factor.ts';
import { isFactorMissing } from '../flow/next-step.ts';
import type { SignInParts } from '../flow/sign-in-flow.ts';
import type { RequestedAcr } from '../flow/sign-on-request.ts';
import { isOpen, recordRequest } from '../site-test/test-run.ts';
import { factorsFor, satisfies } from './authentication.ts';
import { exchangeOf } from './exchanges.ts';
import { type RequestParameters, textOf } from './request-parameters.ts';
import { usableIdentity } from './session.ts';
import { describeOidcRequest } from './test-request.ts';

const { Check, Prompt } = interactionPolicy;

/** What `oidcProtocol` has stored about a sign-in on our pages. */
const SignedIn = z.object({ signedIn: z.object({ session: z.number(), method: z.string() }) });

/** The outcome of the sign-in on our pages that the request was interrupted for; undefined if the session was sufficient. */
export const signedInOf = ({ oidc }: KoaContextWithOIDC) => SignedIn.safeParse(oidc.result).data?.signedIn;

const ClaimRequest = z
  .looseObject({
    essential: z.boolean().optional(),
    value: z.string().optional(),
    values: z.array(z.string()).optional(),
  })
  .nullish()
  .catch(null);
const ClaimsParameter = z.looseObject({ id_token: z.looseObject({ acr: ClaimRequest, sub: ClaimRequest }).nullish() });

/** The library has checked the parameter before. */
const claimsOf = (parameters: RequestParameters) => {
  const text = textOf(parameters, 'claims');
  return text === undefined ? undefined : ClaimsParameter.parse(JSON.parse(text)).id_token;
};

/** The claims of the ID token that a request names one by one. */
export const claimsInRequest = (parameters: RequestParameters): object | undefined => claimsOf(parameters) ?? undefined;

/** The classes that a request asks for: those of an essential claim, otherwise those of `acr_values`. */
export const requestedAcr = (parameters: RequestParameters): RequestedAcr => {
  const claim = claimsOf(parameters)?.acr;
  if (claim?.essential) return { values: claim.values ?? (claim.value ? [claim.value] : []), isEssential: true };
  return { values: textOf(parameters, 'acr_values')?.split(' ').filter(Boolean) ?? [], isEssential: false };
};

export const loginHintOf = (parameters: RequestParameters): string | undefined =>
  textOf(parameters, 'login_hint')?.slice(0, 254);

/** Whether a request wants the person to sign in again, although there is a session. */
export const isForced = (parameters: RequestParameters, authenticatedAt: Date | undefined): boolean => {
  const prompts = textOf(parameters, 'prompt')?.split(' ') ?? [];
  if (prompts.includes('login') || prompts.includes('select_account')) return true;
  const maxAge = parameters['max_age'];
  if (maxAge === undefined || maxAge === null || authenticatedAt === undefined) return false;
  return Date.now() - authenticatedAt.getTime() > Number(maxAge) * 1_000;
};

/** The person that a request names by the hint of an ID token or by a claim. The library has verified the ID token when the request came. */
const namedPerson = (parameters: RequestParameters): string | undefined => {
  const hint = textOf(parameters, 'id_token_hint');
  return hint === undefined ? claimsOf(parameters)?.sub?.value : decodeJwt(hint).sub;
};

/** Whether a request names another person than the one who is signed in. */
export const isOtherPerson = (parameters: RequestParameters, uid: string | undefined): boolean => {
  const named = namedPerson(parameters);
  return named !== undefined && uid !== undefined && named !== uid;
};

/** Whether the session of the browser is not sufficient, so that the person has to go to our sign-in pages. */
const needsSignIn = async (parts: SignInParts, ctx: KoaContextWithOIDC): Promise<boolean> => {
  const { request, resolved } = exchangeOf(ctx);
  const identity = resolved && usableIdentity(resolved);
  if (!identity) return true;
  const { destination } = resolved;
  const candidate = { user: identity.user, destination };
  const parameters = ctx.oidc.params ?? {};
  const acr = requestedAcr(parameters);
  const proven = { mfa: identity.session.mfa, isForced: false, required: factorsFor(acr) };
  if (isNonMember(candidate) || isStale(ctx, identity)) return true;
  if (isFactorMissing(parts, request, destination, identity.user, proven)) {
    const missing = { destination, user: identity.user, proven: proven.mfa, required: proven.required };
    // Otherwise the sign-in pages record it.
    if (ctx.oidc.prompts.has('none')) recordMissingFactor(parts, request, { ...missing, isPassive: true });
    return true;
  }
  if (isOtherPerson(parameters, identity.user.uid)) return refuseOtherPerson(ctx);
  const refuse = async (reason: string, error: Error) => {
    const requested = { contexts: acr.values, proven: identity.session.mfa };
    await logFailure(parts, destination, { user: identity.user, reason, requested, ...clientOf(request) });
    throw error;
  };
  if (!satisfies(identity.session, acr))
    return refuse(unmetRequests.weak_authentication, new errors.UnmetAuthenticationRequirements());
  const refusal = findSiteRefusal(candidate);
  if (!refusal) return false;
  return ctx.oidc.prompts.has('none') ? refuse(refusal.reason, new errors.AccessDenied()) : true;
};

/**
 * Whether the person has to go to our pages: to sign in, or because an owner tests the site, so that the answer is shown before it is sent.
 * The library comes back after the pages, and then answers.
 */
const needsPages = async (parts: SignInParts, ctx: KoaContextWithOIDC): Promise<boolean> => {
  const exchange = exchangeOf(ctx);
  const { test, resolved } = exchange;
  const isTested = test !== undefined && isOpen(test) && !signedInOf(ctx);
  if (isTested && resolved && ctx.oidc.route === 'authorization')
    exchange.test = await recordRequest(
      parts,
      test,
      describeOidcRequest(resolved.destination, ctx.oidc.params ?? {}, undefined),
    );
  if (await needsSignIn(parts, ctx)) return true;
  return isTested && !ctx.oidc.prompts.has('none');
};

/** Whether the request wants a sign-in that is newer than the session, and that has not taken place for this request. */
const isStale = (ctx: KoaContextWithOIDC, { session }: Identity): boolean => {
  if (!isForced(ctx.oidc.params ?? {}, session.authenticated_at)) return false;
  const begunAt = (ctx.oidc.entities.Interaction?.iat ?? Number.POSITIVE_INFINITY) * 1_000;
  return signedInOf(ctx)?.session !== session.id || session.authenticated_at.getTime() < begunAt;
};

/** The person may sign in as the one that the request names. If that has been tried, the request ends. */
const refuseOtherPerson = (ctx: KoaContextWithOIDC): boolean => {
  if (signedInOf(ctx)) throw new errors.LoginRequired('another person is signed in');
  return true;
};

/** A value of `prompt` that requests may have. The check that the library adds is removed, because ours decides alone. */
const requestable = (name: string, ...checks: interactionPolicy.Check[]): interactionPolicy.Prompt => {
  const prompt = new Prompt({ name, requestable: true });
  prompt.checks.clear();
  for (const check of checks) prompt.checks.add(check);
  return prompt;
};

/**
 * When the library interrupts a request for our sign-in pages. There is no consent: an owner has registered the site, so `consent` is
 * accepted and asks nothing. `select_account` is a new sign-in.
 */
export const createPolicy = (parts: SignInParts): interactionPolicy.Prompt[] => [
  requestable(
    'login',
    new Check('no_session', 'End-User authentication is required', 'login_required', (ctx) => needsPages(parts, ctx)),
  ),
  requestable('consent'),
  requestable('select_account'),
];
