import {
  assertMessage,
  type BoundMessage,
  type LogoutStatus,
  newSamlId,
  parseLogoutRequest,
  SamlError,
  verifyMessage,
} from '@opensocial/saml';
import type { SiteStillSignedIn } from '@opensocial/signin';
import { PageError } from '../../../http/errors.ts';
import { consumeQuota } from '../../../http/throttle.ts';
import type { Parts } from '../../../parts.ts';
import { hashToken, newToken } from '../../../secrets/tokens.ts';
import { type Destination, findConsole, findDestination, findSiteById } from '../destination/destinations.queries.ts';
import { idpAddresses } from '../saml/addresses.ts';
import { certificatesOf } from '../saml/certificates.ts';
import { claimMessage } from '../saml/replays.queries.ts';
import { unknownApplication } from '../saml/sign-on-request.ts';
import { informByBackChannel } from './back-channel.ts';
import { framedAddress, framedPageOf, frontChannelOf, hasFrontChannel, isFrameable } from './front-channel.ts';
import { type BrowserMessage, isSuccess, requestMessage, responseMessage, responseXml } from './logout-messages.ts';
import {
  endIdentitySessions,
  endSteps,
  findLogout,
  findSessionByToken,
  findSessionsToEnd,
  findSitesToFrame,
  findUninformedSites,
  finishLogout,
  hasSession,
  insertLogout,
  type Logout,
  type LogoutKey,
  type LogoutSite,
  type LogoutSiteDraft,
  minutesToSignOut,
  type Participant,
  recordFramedRequest,
  recordLoaded,
  recordResponse,
  type SentRequest,
  takeNextVisit,
} from './logouts.queries.ts';

/** A request for a frame. A page of a site does not answer: `id` is how the script reports that the frame has loaded it. */
type FramedRequest = BrowserMessage | { page: string; id: number };

/** A site on our page that loads the logout requests in frames. A site without a request is visited later. */
export type FramedSite = { name: string; request: FramedRequest | undefined };

/**
 * The next step of the browser: our page with the frames, a site that it visits, and at the end the requesting site, or our own page if
 * the logout began here or that site has no address for the response.
 */
type Step = {
  next:
    | BrowserMessage
    | { framesIn: string }
    | { network: string; sites: FramedSite[] }
    | { sitesStillSignedIn: SiteStillSignedIn[] };
  isRunning: boolean;
};

/** A step with the key of the logout, and whether sessions of the browser itself have just ended. */
export type LogoutStep = Step & { key: LogoutKey; endsOwnSession: boolean; endsConsole: boolean };

/** The result of a verified logout request. `isRefused`: it proves no session that the site may end. */
type Begun = {
  key: LogoutKey;
  logout: Logout;
  isRefused: boolean;
  endsOwnSession: boolean;
  endsConsole: boolean;
};

/**
 * Handles the request of a site to end a session, which the browser brings. The session ends at once. Then the other sites of the session
 * are informed. They are visited only in the session's own browser, because the messages disclose where else the person is signed in
 * and under which name; another client that brings the request may be the site itself.
 */
export const beginLogout = async (
  parts: Parts,
  network: string,
  message: BoundMessage,
  identityToken: string | undefined,
): Promise<LogoutStep> => {
  const { key, logout, isRefused, ...ended } = await endSessions(parts, network, message, identityToken);
  const step = isRefused ? await finish(parts, logout, 'RequestDenied') : await beginVisits(parts, network, logout);
  return { ...(ended.endsOwnSession ? step : withoutNames(step)), ...ended, key };
};

/** Only the session's own browser learns which other sites the session has. */
const withoutNames = (step: Step): Step =>
  'sitesStillSignedIn' in step.next ? { ...step, next: { sitesStillSignedIn: [] } } : step;

/** Handles the request of a site's server, and returns the response. The other sites are informed from server to server only. */
export const answerServer = async (parts: Parts, network: string, message: BoundMessage): Promise<string> => {
  const { logout, isRefused } = await endSessions(parts, network, message, undefined);
  if (!isRefused) await informByBackChannel(parts, logout.id);
  await finishLogout(parts.db, logout.id);
  const requester = logout.requesting_site_id && (await findSiteById(parts.db, logout.requesting_site_id));
  if (!requester) throw unknownApplication();
  return responseXml(parts, requester, logout, isRefused ? 'RequestDenied' : await statusOf(parts, logout));
};

/** Ends the session of a browser and informs all of its sites. Undefined if the session has ended before. */
export const beginOwnLogout = async (parts: Parts, identityToken: string): Promise<LogoutStep | undefined> => {
  const { network } = await findConsole(parts.db);
  return endOwnSession(parts, identityToken, { network });
};

type OwnLogout = {
  network: { id: number; name: string };
  /** The site that has asked for the logout. It knows, so only a message between servers is sent to it. */
  requesterId?: number | undefined;
  /** The address that the browser returns to at the end, instead of our own page. */
  returnTo?: string | undefined;
};

/** Ends the session of a browser, and returns the browser to a site at the end if one has asked for it. */
export const endOwnSession = async (
  parts: Parts,
  identityToken: string,
  { network, requesterId, returnTo }: OwnLogout,
): Promise<LogoutStep | undefined> => {
  const begun = await parts.db.transaction(async (tx) => {
    const session = await findSessionByToken(tx, identityToken);
    if (!session) return undefined;
    const participants = await endIdentitySessions(tx, [session.id]);
    const informed = participants.filter(({ site, site_id }) => site_id !== requesterId || site.hasBackChannel);
    const draft = { network_id: network.id, post_logout_uri: returnTo ?? null };
    const inserted = await insertLogout(tx, parts, draft, toLogoutSites(parts, informed, true));
    return { ...inserted, endsConsole: participants.some(isConsole) };
  });
  if (!begun) return undefined;
  const { key, logout, endsConsole } = begun;
  return { ...(await beginVisits(parts, network.name, logout)), key, endsOwnSession: true, endsConsole };
};

/** Verifies a logout request and ends the sessions that it names. `identityToken` is the session of the client that brings it. */
const endSessions = async (
  parts: Parts,
  network: string,
  message: BoundMessage,
  identityToken: string | undefined,
): Promise<Begun> => {
  const { db } = parts;
  const { requester, request, isSigned } = await verifyRequest(parts, network, message);
  const { site } = requester;
  const subject = { siteId: site.id, nameId: request.nameId, sessionIndexes: request.sessionIndexes };
  // Only the sites of a session know its index. A request without a signature and without an index may come from anybody.
  const isProven = isSigned || request.sessionIndexes.length > 0;
  const sessions = isProven ? await findSessionsToEnd(db, subject) : [];
  const endsOwnSession =
    identityToken !== undefined && sessions.some(({ tokenHash }) => tokenHash.equals(hashToken(identityToken)));
  const begun = await db.transaction(async (tx) => {
    const participants = await endIdentitySessions(
      tx,
      sessions.map(({ id }) => id),
    );
    const others = participants.filter(({ site_id }) => site_id !== site.id);
    const draft = {
      network_id: requester.network.id,
      requesting_site_id: site.id,
      logout_request_id: request.id,
      relay_state: message.relayState ?? null,
      is_post: message.binding === 'post',
    };
    const inserted = await insertLogout(tx, parts, draft, toLogoutSites(parts, others, endsOwnSession));
    return { ...inserted, endsConsole: endsOwnSession && others.some(isConsole) };
  });
  const isRefused = sessions.length === 0 && (!isProven || (await hasSession(db, request.sessionIndexes)));
  return { ...begun, isRefused, endsOwnSession };
};

const verifyRequest = async (parts: Parts, network: string, message: BoundMessage) => {
  const unverified = parseLogoutRequest(message.xml);
  const requester = await findDestination(parts.db, { network, identity: unverified.issuer });
  if (!requester) throw unknownApplication();
  try {
    return { requester, ...(await checkRequest(parts, network, message, requester)) };
  } catch (error) {
    if (error instanceof SamlError) recordRefusedLogout(parts, requester, error);
    throw error;
  }
};

const recordRefusedLogout = ({ exchanges }: Parts, { site }: Destination, error: SamlError): void =>
  exchanges.record({
    site,
    step: 'logout',
    outcome: 'refused',
    code: 'logout_refused',
    isVerified: false,
    sender: '',
    facts: () => ({ error: error.code, detail: error.message }),
  });

const checkRequest = async ({ db, config }: Parts, network: string, message: BoundMessage, { site }: Destination) => {
  const certificates = certificatesOf(site);
  // A server has no session cookie, so its request is accepted with a signature only.
  const isSigned = certificates.length > 0;
  if (message.binding === 'soap' && !isSigned)
    throw new SamlError('signature_missing', { detail: 'The site needs a certificate for logouts between servers.' });
  const request = parseLogoutRequest(isSigned ? verifyMessage(message, certificates) : message.xml);
  const { entityId, sloUrl, soapUrl } = idpAddresses(config, network);
  const destination = message.binding === 'soap' ? soapUrl : sloUrl;
  assertMessage(request, { destination, issuer: site.identity, now: new Date() });
  if (!(await claimMessage(db, `${entityId} ${request.issuer} ${request.id}`, new Date(Date.now() + 600_000)))) {
    throw new SamlError('expired', { detail: 'It was used before.' });
  }
  return { request, isSigned };
};

const isConsole = ({ site }: Participant): boolean => site.kind === 'console';

/** The sites to inform. The console is not one of them: its sessions have ended with the others. */
const toLogoutSites = (
  { config }: Pick<Parts, 'config'>,
  participants: Participant[],
  isOwnBrowser: boolean,
): LogoutSiteDraft[] =>
  participants
    .filter((participant) => !isConsole(participant))
    .map(({ site, ...participant }) => ({
      ...participant,
      step: isOwnBrowser && hasFrontChannel(config, site) ? 'waiting' : 'done',
    }));

/** Leads to the page with the frames, unless no site is to be visited. */
const beginVisits = async (parts: Parts, network: string, logout: Logout): Promise<Step> => {
  await informByBackChannel(parts, logout.id);
  const waiting = await findSitesToFrame(parts.db, logout.id);
  return waiting.length > 0 ? { next: { framesIn: network }, isRunning: true } : visitNext(parts, logout);
};

/** How often the page of one logout is shown. Each time, a request for each of its sites is signed. */
const pageQuota = { limit: 20, minutes: minutesToSignOut };

const tooManyPages = () =>
  new PageError(
    429,
    'This page was loaded too often',
    'Your session here has ended. To be sure that you are signed out of every application, close the browser.',
    { retryAfter: minutesToSignOut * 60 },
  );

/**
 * Makes the requests for the page with the frames. The page has an address of its own, so that a person may reload it or return to it:
 * sites that have answered, and one that did not send the browser back, are not on it any more. If there are none that can be in a
 * frame, the browser visits the others.
 */
export const showFrames = async (parts: Parts, network: string, key: LogoutKey): Promise<LogoutStep> => {
  const { db, config } = parts;
  const logout = await findLogout(db, key);
  if (!logout || logout.is_finished) throw logoutExpired();
  if (!(await consumeQuota(db, [`logout:${logout.id}`], pageQuota))) throw tooManyPages();
  // The person has returned from a site that did not send the browser back.
  await endSteps(db, logout.id, ['visited']);
  const sites: FramedSite[] = [];
  for (const participant of await findSitesToFrame(db, logout.id)) {
    const destination = await findSiteById(db, participant.site_id);
    if (!destination || !hasFrontChannel(config, destination.site)) continue;
    const sent = { requestId: newSamlId(), token: newToken() };
    const request = framedRequest(parts, destination, participant, sent);
    if (request && !(await recordFramedRequest(db, participant.id, sent))) continue;
    sites.push({ name: destination.site.site_name, request });
  }
  const step: Step = sites.some(({ request }) => request)
    ? { next: { network, sites }, isRunning: true }
    : await visitNext(parts, logout);
  return { ...step, key, endsOwnSession: false, endsConsole: false };
};

/** The request to a site for a frame. Undefined if the site cannot be in a frame. */
const framedRequest = (
  parts: Parts,
  destination: Destination,
  participant: LogoutSite,
  sent: SentRequest,
): FramedRequest | undefined => {
  const { config } = parts;
  const { site, network } = destination;
  const page = framedPageOf(config, site);
  if (page !== undefined) {
    const session = { network: network.name, identity: site.identity, sessionIndex: participant.session_index };
    return { page: framedAddress(parts, page, session), id: participant.id };
  }
  const front = frontChannelOf(site);
  return front && isFrameable(config, front.url) ? requestMessage(parts, destination, participant, sent) : undefined;
};

type FrameReport = {
  /** Whether the page has loaded the frames. Without scripts it has not. */
  hasFrames: boolean;
  /** The pages of sites that frames have loaded. */
  loaded: readonly number[];
};

/**
 * Continues after the page with the frames, or after a visit that did not come back. A site that did not answer in its frame is not
 * visited. Without scripts there are no frames, and every site is visited that sends the browser back.
 */
export const continueLogout = async (
  parts: Parts,
  key: LogoutKey,
  { hasFrames, loaded }: FrameReport,
): Promise<LogoutStep> => {
  const logout = await findLogout(parts.db, key);
  if (!logout) throw logoutExpired();
  if (hasFrames && loaded.length > 0) await recordLoaded(parts.db, logout.id, loaded);
  await endSteps(parts.db, logout.id, hasFrames ? ['framed', 'visited'] : ['visited']);
  return { ...(await visitNext(parts, logout)), key, endsOwnSession: false, endsConsole: false };
};

type ReceivedResponse = { token: string; network: string; read: () => BoundMessage };

/**
 * Records the response of a site that has arrived in a frame. Frames may lack our cookies, so the RelayState alone authenticates the
 * response, besides the signature: it is known only to this site and the browser. Nothing but the outcome of this site changes.
 * A frame on another site than ours may have lacked the cookies of the site too, so the browser visits such a site afterwards.
 */
export const receiveInFrame = async (
  parts: Parts,
  participant: LogoutSite,
  { isSameSite, ...response }: ReceivedResponse & { isSameSite: boolean },
): Promise<'informed' | 'pending' | 'failed'> => {
  const isInformed = await isInformedBy(parts, participant, response);
  const step = isSameSite ? 'done' : 'returned';
  const recorded = await recordResponse(parts.db, response.token, { isInformed, step });
  if (recorded?.is_informed) return 'informed';
  return recorded?.step === 'returned' ? 'pending' : 'failed';
};

/**
 * Handles the response of a site that the browser has visited. The remaining sites are visited even if the response reports a failure. The
 * key proves that the response comes from the browser of the logout.
 */
export const resumeLogout = async (
  parts: Parts,
  participant: LogoutSite,
  key: LogoutKey,
  response: ReceivedResponse,
): Promise<LogoutStep> => {
  const logout = await findLogout(parts.db, key);
  if (!logout) throw logoutExpired();
  const isInformed = await isInformedBy(parts, participant, response);
  await recordResponse(parts.db, response.token, { isInformed, step: 'done' });
  return { ...(await visitNext(parts, logout)), key, endsOwnSession: false, endsConsole: false };
};

/** Whether a response reports success. A response that cannot be verified does not. */
const isInformedBy = async (
  parts: Parts,
  { site_id, request_id }: LogoutSite,
  { network, read }: ReceivedResponse,
): Promise<boolean> => {
  const destination = await findSiteById(parts.db, site_id);
  if (destination?.network.name !== network) return false;
  try {
    return isSuccess(parts, read(), { destination, requestId: request_id });
  } catch (error) {
    if (!(error instanceof SamlError)) throw error;
    recordRefusedLogout(parts, destination, error);
    parts.log.info({ site: site_id, reason: error.message }, 'The logout response of a site was not accepted.');
    return false;
  }
};

/** Sends the browser to the next site. Before that, sites that are reachable without the browser are informed. */
const visitNext = async (parts: Parts, logout: Logout): Promise<Step> => {
  await informByBackChannel(parts, logout.id);
  const sent = { requestId: newSamlId(), token: newToken() };
  const participant = await takeNextVisit(parts.db, logout.id, sent);
  if (!participant) return finish(parts, logout, await statusOf(parts, logout));
  const destination = await findSiteById(parts.db, participant.site_id);
  const next = destination && requestMessage(parts, destination, participant, sent);
  if (next) return { next, isRunning: true };
  // The site does not send the browser back, or its address was removed meanwhile.
  await recordResponse(parts.db, sent.token, { isInformed: false, step: 'done' });
  return visitNext(parts, logout);
};

const statusOf = async ({ db }: Parts, { id }: Logout): Promise<LogoutStatus> =>
  (await findUninformedSites(db, id)).length > 0 ? 'PartialLogout' : 'Success';

/** Ends the logout with a response to the requesting site. */
const finish = async (parts: Parts, logout: Logout, status: LogoutStatus): Promise<Step> => {
  await finishLogout(parts.db, logout.id);
  if (logout.post_logout_uri !== null) return { next: { redirect: logout.post_logout_uri }, isRunning: false };
  const requester = logout.requesting_site_id ? await findSiteById(parts.db, logout.requesting_site_id) : undefined;
  const response = requester && responseMessage(parts, requester, logout, status);
  const next = response ?? { sitesStillSignedIn: await findUninformedSites(parts.db, logout.id) };
  return { next, isRunning: false };
};

export const logoutExpired = () =>
  new PageError(
    400,
    'This sign-out could not be completed',
    'It was started too long ago or in another browser, or it is already complete. Your session here has ended. To be sure that you are signed out of every application, close the browser.',
  );
