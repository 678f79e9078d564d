import type { FastifyRequest } from 'fastify';
import { readCookie } from '../../../http/cookies.ts';
import { noteSubject } from '../../../http/error-pages.ts';
import type { Parts } from '../../../parts.ts';
import { findAccountRefusal, findSiteRefusal, isNonMember } from '../accounts/checks.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import { acceptsOwnLogin, isOwnLogin } from '../accounts/login-types.ts';
import { renewDevice } from '../credentials/known-devices.ts';
import type { Destination, SiteLookup } from '../destination/destinations.queries.ts';
import type { ResolvedSite } from '../destination/site-cache.ts';
import { acceptedFactors, canEnrol } from '../factors/accepted-factors.ts';
import {
  type DescribeRequest,
  findTest,
  isOpen,
  type RequestDescription,
  recordRequest,
} from '../site-test/test-run.ts';
import { beginFlow } from './begin.ts';
import { enterSite, refusalError, sendSignOnErrors, type Tested } from './enter-site.ts';
import { recordMissingFactor } from './missing-factor.ts';
import { isFactorMissing } from './next-step.ts';
import type { Exchange, SignInParts } from './sign-in-flow.ts';
import { SignOnError, type SignOnRequest } from './sign-on-request.ts';

/**
 * Reads a request for single sign-on, with a function that resolves its site. `describe` gets the request as it was received, for a test
 * of the site.
 */
export type ReadSignOn = (
  resolve: (lookup: SiteLookup) => Promise<ResolvedSite | undefined>,
  describe: DescribeRequest,
) => Promise<SignOnRequest & ResolvedSite>;

/** Answers a request for single sign-on from the live session, or begins a sign-in if the site requires more than the session has proven. */
export const handleSignOn = (
  parts: SignInParts,
  exchange: Exchange,
  read: ReadSignOn,
  { method = 'session' }: { method?: string } = {},
) => {
  const { request, reply } = exchange;
  const tested: Tested = {};
  return sendSignOnErrors(parts, exchange, tested, async () => {
    const signOn = await readTested(parts, request, tested, read);
    const identity = usableIdentity(signOn);
    if (identity) refuseNonMember(signOn, identity);
    const isSufficient =
      identity !== undefined &&
      !isFactorMissing(parts, request, signOn.destination, identity.user, {
        mfa: identity.session.mfa,
        isForced: false,
        required: signOn.requiredFactors,
      });
    if (isSufficient) {
      renewDevice(parts, request, reply, identity.user);
      return enterSite(parts, exchange, signOn, identity, { method });
    }
    if (identity)
      recordMissingFactor(parts, request, {
        destination: signOn.destination,
        user: identity.user,
        proven: identity.session.mfa,
        required: signOn.requiredFactors,
        isPassive: signOn.isPassive,
      });
    if (signOn.isPassive) throw noPassive(signOn);
    return beginFlow(parts, exchange, signOn, identity && canStepUp(parts, signOn, identity) ? identity : undefined);
  });
};

const noteDestination = (request: FastifyRequest, { network, site }: Destination): void =>
  noteSubject(request, { network: network.name, siteId: site.id });

/** Reads a request, and records it if the owner of the browser tests the site. */
const readTested = async (parts: SignInParts, request: FastifyRequest, tested: Tested, read: ReadSignOn) => {
  let description: RequestDescription | undefined;
  const resolve = async (lookup: SiteLookup) => {
    const resolved = await parts.siteCache.resolve(lookup, readCookie(parts.config, request, 'identity'));
    if (resolved) noteDestination(request, resolved.destination);
    const test = resolved && (await findTest(parts, request, resolved));
    if (test && isOpen(test)) Object.assign(tested, { test, ...resolved });
    return resolved;
  };
  const describe: DescribeRequest = (toDescription) => {
    if (tested.test) description = toDescription();
  };
  try {
    return await read(resolve, describe);
  } finally {
    if (tested.test && description) {
      tested.test = await recordRequest(parts, tested.test, description);
      tested.isPassive = description.isPassive;
    }
  }
};

/** The live session of the browser, if the account may sign in and the site accepts the login type of the session. */
const usableIdentity = ({ identity, destination, isForced }: SignOnRequest & ResolvedSite): Identity | undefined => {
  if (!identity || isForced || findAccountRefusal({ user: identity.user, destination })) return undefined;
  return !isOwnLogin(identity.session.login_from) || acceptsOwnLogin(destination) ? identity : undefined;
};

/**
 * Refuses a person who is not a member of the network. Any web page can send a browser here, so the visit must not disclose to the network
 * who the person is: no line is written to its login log, and a passive request is answered as without a session. The refusal comes
 * before the second factor, because no factor would change it.
 */
const refuseNonMember = (signOn: SignOnRequest, { user }: Identity): void => {
  const candidate = { user, destination: signOn.destination };
  const refusal = isNonMember(candidate) ? findSiteRefusal(candidate) : undefined;
  if (refusal) throw signOn.isPassive ? noPassive(signOn) : refusalError(signOn, refusal);
};

const noPassive = (signOn: SignOnRequest) => new SignOnError(signOn, 'not_signed_in');

/** Whether a session can be stepped up. If it may not set up the authenticator that is required, the person has to sign in again. */
const canStepUp = (
  { config }: Parts,
  { destination, requiredFactors }: SignOnRequest,
  { user, session }: Identity,
): boolean =>
  !acceptedFactors(config, destination, user, requiredFactors).includes('setup') || canEnrol(session, new Date());
