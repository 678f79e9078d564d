import {
  assertMessage,
  type BoundMessage,
  buildLogoutRequest,
  buildLogoutResponse,
  type LogoutStatus,
  newSamlId,
  type PostForm,
  parseLogoutRequest,
  parseLogoutResponse,
  postForm,
  redirectUrl,
  SamlError,
  verifyMessage,
} from '@opensocial/saml';
import type { LogoutParticipant } from '../../../database/schema.ts';
import { PageError } from '../../../http/errors.ts';
import type { Parts } from '../../../parts.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { type Destination, findConsole, findDestination, findSiteById } from '../destination/destinations.queries.ts';
import { idpAddresses } from '../saml/addresses.ts';
import { certificatesOf } from '../saml/certificates.ts';
import { claimMessage } from '../saml/replays.queries.ts';
import { unknownApplication } from '../saml/sign-on-request.ts';
import {
  endIdentitySessions,
  findLogout,
  findSessionByToken,
  findSessionsToEnd,
  findSiteNames,
  hasSession,
  insertLogout,
  type Logout,
  type LogoutKey,
  updateLogout,
} from './logouts.queries.ts';

/**
 * The next step of the browser: to a site that is notified, and at the end back to the requesting site, or to our own page if the logout
 * began here or that site has no address for the response.
 */
type Step = { next: { redirect: string } | { form: PostForm } | { sitesStillSignedIn: string[] }; isRunning: boolean };

/** A step with the key of the logout. `endsOwnSession` tells whether the browser's own session has just ended. */
export type LogoutStep = Step & { key: LogoutKey; endsOwnSession: boolean };

/**
 * Handles the request of a site to end a session. The session ends at once. Then the browser visits every other site of the session, one
 * redirect after the other, and returns to the requesting site. This happens only in the session's own browser, because the messages
 * disclose where else the person is signed in and under which name; another client that brings the request may be the site itself.
 */
export const beginLogout = async (
  parts: Parts,
  network: string,
  message: BoundMessage,
  identityToken: string | undefined,
): Promise<LogoutStep> => {
  const { db, config } = parts;
  const unverified = parseLogoutRequest(message.xml);
  const requester = await findDestination(db, { network, identity: unverified.issuer });
  if (!requester) throw unknownApplication();
  const { site } = requester;
  const certificates = certificatesOf(site);
  const request = certificates.length > 0 ? parseLogoutRequest(verifyMessage(message, certificates)) : unverified;
  const { entityId, sloUrl } = idpAddresses(config, network);
  assertMessage(request, { destination: sloUrl, issuer: site.identity, now: new Date() });
  if (!(await claimMessage(db, `${entityId} ${request.issuer} ${request.id}`, new Date(Date.now() + 600_000)))) {
    throw new SamlError('expired', { detail: 'It was used before.' });
  }
  const subject = { siteId: site.id, nameId: request.nameId, sessionIndexes: request.sessionIndexes };
  // Only the sites of a session know its index. A request without a signature and without an index may come from anybody.
  const isProven = certificates.length > 0 || request.sessionIndexes.length > 0;
  const sessions = isProven ? await findSessionsToEnd(db, subject) : [];
  const endsOwnSession =
    identityToken !== undefined && sessions.some(({ tokenHash }) => tokenHash.equals(hashToken(identityToken)));
  const { key, logout } = await db.transaction(async (tx) => {
    const participants = await endIdentitySessions(
      tx,
      sessions.map(({ id }) => id),
    );
    const others = participants.filter(({ site_id }) => site_id !== site.id);
    const unnotified = endsOwnSession ? [] : others.map(({ site_id }) => site_id);
    return insertLogout(tx, {
      network_id: requester.network.id,
      requesting_site_id: site.id,
      logout_request_id: request.id,
      relay_state: message.relayState ?? null,
      is_post: message.binding === 'post',
      waiting: endsOwnSession ? others : [],
      failed: await findSiteNames(tx, unnotified),
    });
  });
  const isRefused = sessions.length === 0 && (!isProven || (await hasSession(db, request.sessionIndexes)));
  const step = isRefused
    ? await sendLogoutResponse(parts, logout, 'RequestDenied')
    : await notifyNext(parts, key.token, logout);
  return { ...step, key, endsOwnSession };
};

/** Ends the session of a browser and notifies all of its sites. Undefined if the session has ended before. */
export const beginOwnLogout = async (parts: Parts, identityToken: string): Promise<LogoutStep | undefined> => {
  const { network } = await findConsole(parts.db);
  const begun = await parts.db.transaction(async (tx) => {
    const session = await findSessionByToken(tx, identityToken);
    if (!session) return undefined;
    const waiting = await endIdentitySessions(tx, [session.id]);
    return insertLogout(tx, { network_id: network.id, waiting });
  });
  if (!begun) return undefined;
  return { ...(await notifyNext(parts, begun.key.token, begun.logout)), key: begun.key, endsOwnSession: true };
};

/**
 * Handles the response of a site that was notified. The remaining sites are notified even if the response reports a failure. The key
 * proves that the response belongs to this logout and comes from its browser.
 */
export const resumeLogout = async (
  parts: Parts,
  network: string,
  key: LogoutKey,
  read: () => BoundMessage,
): Promise<LogoutStep> => {
  const logout = await findLogout(parts.db, key);
  const notified = logout?.notified_site_id ? await findSiteById(parts.db, logout.notified_site_id) : undefined;
  if (!logout || !notified) throw logoutExpired();
  const isDone = isSuccess(parts, network, { logout, notified }, read);
  const failed = isDone ? logout.failed : [...logout.failed, notified.site.site_name];
  return { ...(await notifyNext(parts, key.token, { ...logout, failed })), key, endsOwnSession: false };
};

/** Whether a response reports success. A response that cannot be verified does not. */
const isSuccess = (
  { config }: Parts,
  network: string,
  { logout, notified: { site } }: { logout: Logout; notified: Destination },
  read: () => BoundMessage,
): boolean => {
  try {
    const message = read();
    const certificates = certificatesOf(site);
    const xml = certificates.length > 0 ? verifyMessage(message, certificates) : message.xml;
    const response = parseLogoutResponse(xml);
    const { sloUrl } = idpAddresses(config, network);
    assertMessage(response, { destination: sloUrl, issuer: site.identity, now: new Date() });
    return response.success && response.inResponseTo === logout.request_id;
  } catch (error) {
    if (!(error instanceof SamlError)) throw error;
    return false;
  }
};

const notifyNext = async (parts: Parts, token: string, logout: Logout): Promise<Step> => {
  const [participant, ...waiting] = logout.waiting;
  if (!participant) return sendLogoutResponse(parts, logout, logout.failed.length > 0 ? 'PartialLogout' : 'Success');
  const destination = await findSiteById(parts.db, participant.site_id);
  if (!destination) return notifyNext(parts, token, { ...logout, waiting });
  const { sls, site_name } = destination.site;
  if (sls === null) return notifyNext(parts, token, { ...logout, waiting, failed: [...logout.failed, site_name] });
  const requestId = newSamlId();
  await updateLogout(parts.db, logout.id, {
    waiting,
    failed: logout.failed,
    request_id: requestId,
    notified_site_id: destination.site.id,
  });
  return {
    next: { redirect: logoutRequestUrl(parts, { ...destination, sls }, participant, requestId, token) },
    isRunning: true,
  };
};

const logoutRequestUrl = (
  parts: Parts,
  { site, network, key, sls }: Destination & { sls: string },
  participant: LogoutParticipant,
  id: string,
  relayState: string,
): string => {
  const issuer = idpAddresses(parts.config, network.name).entityId;
  const isQualified = /:(?:persistent|transient)$/.test(participant.name_id_format);
  const xml = buildLogoutRequest({
    id,
    issuer,
    destination: sls,
    issueInstant: new Date(),
    notOnOrAfter: new Date(Date.now() + 300_000),
    nameId: {
      value: participant.name_id,
      format: participant.name_id_format,
      ...(isQualified && { nameQualifier: issuer, spNameQualifier: site.identity }),
    },
    sessionIndex: participant.session_index,
  });
  return redirectUrl({ location: sls, kind: 'SAMLRequest', xml, relayState, key: parts.keyring(key) });
};

/** Ends the logout with a response to the requesting site. */
const sendLogoutResponse = async (parts: Parts, logout: Logout, status: LogoutStatus): Promise<Step> => {
  await updateLogout(parts.db, logout.id, { waiting: [], failed: logout.failed, notified_site_id: null });
  const requester = logout.requesting_site_id ? await findSiteById(parts.db, logout.requesting_site_id) : undefined;
  const { sls: location = null } = requester?.site ?? {};
  if (!requester || location === null) return { next: { sitesStillSignedIn: logout.failed }, isRunning: false };
  const { network, key } = requester;
  const draft = {
    id: newSamlId(),
    issuer: idpAddresses(parts.config, network.name).entityId,
    destination: location,
    inResponseTo: logout.logout_request_id ?? undefined,
    issueInstant: new Date(),
    status,
  };
  const signingKey = parts.keyring(key);
  const outgoing = { location, kind: 'SAMLResponse' as const, relayState: logout.relay_state ?? undefined };
  const next = logout.is_post
    ? { form: postForm({ ...outgoing, xml: buildLogoutResponse(draft, signingKey) }) }
    : { redirect: redirectUrl({ ...outgoing, xml: buildLogoutResponse(draft), key: signingKey }) };
  return { next, isRunning: false };
};

const logoutExpired = () =>
  new PageError(
    400,
    'This sign-out could not be completed',
    'It was started too long ago or in another browser, or it is already complete. Your session here has ended. To be sure that you are signed out of every application, close the browser.',
  );
