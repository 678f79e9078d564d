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
import type { LogoutParticipant } from '../../database/schema.ts';
import { PageError } from '../../http/errors.ts';
import type { Parts } from '../../parts.ts';
import { hashToken } from '../../secrets/tokens.ts';
import { idpAddresses } from './addresses.ts';
import { certificatesOf } from './certificates.ts';
import { type Destination, findDestination, findSiteById } from './destinations.queries.ts';
import {
  endIdentitySessions,
  findLogout,
  findSessionsToEnd,
  findSiteNames,
  hasSession,
  insertLogout,
  type Logout,
  type LogoutKey,
  updateLogout,
} from './logout.queries.ts';
import { unknownApplication } from './request.ts';
import { takeMessage } from './sign-in.queries.ts';

/** Where the browser goes next: on to a site that is told, or, the sign-out being over, back to the one that asked. */
type Way = { go: { redirect: string } | { form: PostForm }; isUnderWay: boolean };

/** The same with the key of the logout, and whether the browser's own session has just ended. */
export type Next = Way & { key: LogoutKey; isOwn: boolean };

/**
 * A site asks to end the session. It ends at once; then the browser is led through every other site of it, one redirect
 * after the other, and back to the one that asked. Only the session's own browser is: the messages say where else somebody is
 * signed in, and as whom, and whoever else brings the request may be the site itself.
 */
export const beginLogout = async (
  parts: Parts,
  network: string,
  message: BoundMessage,
  identity: string | undefined,
): Promise<Next> => {
  const { db, config } = parts;
  const unverified = parseLogoutRequest(message.xml);
  const asking = await findDestination(db, { network, identity: unverified.issuer });
  if (!asking) throw unknownApplication();
  const { site } = asking;
  const certificates = certificatesOf(site);
  const request = certificates.length > 0 ? parseLogoutRequest(verifyMessage(message, certificates)) : unverified;
  const { entityId, sloUrl } = idpAddresses(config, network);
  assertMessage(request, { destination: sloUrl, issuer: site.identity, now: new Date() });
  if (!(await takeMessage(db, `${entityId} ${request.issuer} ${request.id}`, new Date(Date.now() + 600_000)))) {
    throw new SamlError('expired', { detail: 'It was used before.' });
  }
  const asked = { siteId: site.id, nameId: request.nameId, sessionIndexes: request.sessionIndexes };
  // A session's index is known to its sites only. Whoever neither signs nor knows it may be anyone.
  const isProven = certificates.length > 0 || request.sessionIndexes.length > 0;
  const sessions = isProven ? await findSessionsToEnd(db, asked) : [];
  const isOwn = identity !== undefined && sessions.some(({ tokenHash }) => tokenHash.equals(hashToken(identity)));
  const { key, logout } = await db.transaction(async (tx) => {
    const participants = await endIdentitySessions(
      tx,
      sessions.map(({ id }) => id),
    );
    const others = participants.filter(({ site_id }) => site_id !== site.id);
    const untold = isOwn ? [] : others.map(({ site_id }) => site_id);
    return insertLogout(tx, {
      network_id: asking.network.id,
      asking_site_id: site.id,
      asking_request_id: request.id,
      relay_state: message.relayState ?? null,
      is_post: message.binding === 'post',
      waiting: isOwn ? others : [],
      failed: await findSiteNames(tx, untold),
    });
  });
  const isRefused = sessions.length === 0 && (!isProven || (await hasSession(db, request.sessionIndexes)));
  const way = isRefused ? await answer(parts, logout, 'RequestDenied') : await tellNext(parts, key.token, logout);
  return { ...way, key, isOwn };
};

/**
 * A site that was told has answered. Whatever it says, the others are told too; the token proves it to be an answer, and the
 * browser that brings it to be the one that is led.
 */
export const resumeLogout = async (
  parts: Parts,
  network: string,
  key: LogoutKey,
  read: () => BoundMessage,
): Promise<Next> => {
  const logout = await findLogout(parts.db, key);
  const told = logout?.told_site_id ? await findSiteById(parts.db, logout.told_site_id) : undefined;
  if (!logout || !told) throw lost();
  const isDone = isSuccess(parts, network, { logout, told }, read);
  const failed = isDone ? logout.failed : [...logout.failed, told.site.site_name];
  return { ...(await tellNext(parts, key.token, { ...logout, failed })), key, isOwn: false };
};

/** What cannot be believed is no success. */
const isSuccess = (
  { config }: Parts,
  network: string,
  { logout, told: { site } }: { logout: Logout; told: Destination },
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

const tellNext = async (parts: Parts, token: string, logout: Logout): Promise<Way> => {
  const [participant, ...waiting] = logout.waiting;
  if (!participant) return answer(parts, logout, logout.failed.length > 0 ? 'PartialLogout' : 'Success');
  const told = await findSiteById(parts.db, participant.site_id);
  if (!told) return tellNext(parts, token, { ...logout, waiting });
  const requestId = newSamlId();
  await updateLogout(parts.db, logout.id, {
    waiting,
    failed: logout.failed,
    request_id: requestId,
    told_site_id: told.site.id,
  });
  return { go: { redirect: logoutRequestUrl(parts, told, participant, requestId, token) }, isUnderWay: true };
};

const logoutRequestUrl = (
  parts: Parts,
  { site, network, key }: Destination,
  participant: LogoutParticipant,
  id: string,
  relayState: string,
): string => {
  const issuer = idpAddresses(parts.config, network.name).entityId;
  const isQualified = !participant.name_id_format.endsWith(':emailAddress');
  const xml = buildLogoutRequest({
    id,
    issuer,
    destination: site.sls,
    issueInstant: new Date(),
    notOnOrAfter: new Date(Date.now() + 300_000),
    nameId: {
      value: participant.name_id,
      format: participant.name_id_format,
      ...(isQualified && { nameQualifier: issuer, spNameQualifier: site.identity }),
    },
    sessionIndex: participant.session_index,
  });
  return redirectUrl({ location: site.sls, kind: 'SAMLRequest', xml, relayState, key: parts.keyring(key) });
};

/** The last word goes to the site that asked. */
const answer = async (parts: Parts, logout: Logout, status: LogoutStatus): Promise<Way> => {
  await updateLogout(parts.db, logout.id, { waiting: [], failed: logout.failed, told_site_id: null });
  const asking = logout.asking_site_id ? await findSiteById(parts.db, logout.asking_site_id) : undefined;
  if (!asking) throw lost();
  const { site, network, key } = asking;
  const draft = {
    id: newSamlId(),
    issuer: idpAddresses(parts.config, network.name).entityId,
    destination: site.sls,
    inResponseTo: logout.asking_request_id ?? undefined,
    issueInstant: new Date(),
    status,
  };
  const signingKey = parts.keyring(key);
  const outgoing = { location: site.sls, kind: 'SAMLResponse' as const, relayState: logout.relay_state ?? undefined };
  const go = logout.is_post
    ? { form: postForm({ ...outgoing, xml: buildLogoutResponse(draft, signingKey) }) }
    : { redirect: redirectUrl({ ...outgoing, xml: buildLogoutResponse(draft), key: signingKey }) };
  return { go, isUnderWay: false };
};

const lost = () =>
  new PageError(
    400,
    'This sign-out goes no further',
    'It was begun too long ago, in another browser, or is already finished. The session here ended when it began; close the browser to be sure that every application is signed out too.',
  );
