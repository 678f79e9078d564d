import {
  assertMessage,
  type BoundMessage,
  buildLogoutRequest,
  buildLogoutResponse,
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
import { idpAddresses } from './addresses.ts';
import {
  endIdentitySession,
  findLogout,
  findParticipant,
  insertLogout,
  type Logout,
  updateLogout,
} from './logout.queries.ts';
import { unknownApplication } from './request.ts';
import { type Destination, findSiteById, findSiteByIdentity, takeMessage } from './sign-in.queries.ts';

/** Where the browser goes next. */
export type Next = { redirect: string } | { form: PostForm };

/**
 * A site asks to end the session. It ends at once; then the browser is led through every other site of it, one redirect
 * after the other, and back to the one that asked.
 */
export const beginLogout = async (parts: Parts, network: string, message: BoundMessage): Promise<Next> => {
  const { db, config } = parts;
  const unverified = parseLogoutRequest(message.xml);
  const asking = await findSiteByIdentity(db, network, unverified.issuer);
  if (!asking) throw unknownApplication();
  const request = asking.site.certificate
    ? parseLogoutRequest(verifyMessage(message, [asking.site.certificate]))
    : unverified;
  const { entityId, sloUrl } = idpAddresses(config, network);
  assertMessage(request, { destination: sloUrl, issuer: asking.site.identity, now: new Date() });
  if (!(await takeMessage(db, `${entityId} ${request.issuer} ${request.id}`, new Date(Date.now() + 600_000)))) {
    throw new SamlError('expired', { detail: 'It was used before.' });
  }
  const session = await findParticipant(db, asking.site.id, request.sessionIndexes, request.nameId);
  const participants = session ? await endIdentitySession(db, session.id) : [];
  const { token, logout } = await insertLogout(db, {
    network_id: asking.network.id,
    asking_site_id: asking.site.id,
    asking_request_id: request.id,
    relay_state: message.relayState ?? null,
    is_post: message.binding === 'post',
    session_index: session?.session_index ?? '',
    waiting: participants.filter((participant) => participant.site_id !== asking.site.id),
  });
  return tellNext(parts, token, logout);
};

/** A site that was told has answered. */
export const resumeLogout = async (parts: Parts, network: string, message: BoundMessage): Promise<Next> => {
  const token = message.relayState ?? '';
  const logout = await findLogout(parts.db, token);
  const told = logout?.told_site_id ? await findSiteById(parts.db, logout.told_site_id) : undefined;
  if (!logout || !told) throw lost();
  const xml = told.site.certificate ? verifyMessage(message, [told.site.certificate]) : message.xml;
  const response = parseLogoutResponse(xml);
  assertMessage(response, {
    destination: idpAddresses(parts.config, network).sloUrl,
    issuer: told.site.identity,
    now: new Date(),
  });
  if (response.inResponseTo !== logout.request_id) throw new SamlError('in_response_to_mismatch');
  const failed = response.success ? logout.failed : [...logout.failed, told.site.site_name];
  return tellNext(parts, token, { ...logout, failed });
};

const tellNext = async (parts: Parts, token: string, logout: Logout): Promise<Next> => {
  const [participant, ...waiting] = logout.waiting;
  if (!participant) return finish(parts, logout);
  const told = await findSiteById(parts.db, participant.site_id);
  if (!told) return tellNext(parts, token, { ...logout, waiting });
  const requestId = newSamlId();
  await updateLogout(parts.db, logout.id, {
    waiting,
    failed: logout.failed,
    request_id: requestId,
    told_site_id: told.site.id,
  });
  return { redirect: logoutRequestUrl(parts, told, participant, logout.session_index, requestId, token) };
};

const logoutRequestUrl = (
  parts: Parts,
  { site, network, key }: Destination,
  participant: LogoutParticipant,
  sessionIndex: string,
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
    sessionIndex,
  });
  return redirectUrl({ location: site.sls, kind: 'SAMLRequest', xml, relayState, key: parts.keyring(key) });
};

const finish = async (parts: Parts, logout: Logout): Promise<Next> => {
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
    status: logout.failed.length > 0 ? ('PartialLogout' as const) : ('Success' as const),
  };
  const signingKey = parts.keyring(key);
  const outgoing = { location: site.sls, kind: 'SAMLResponse' as const, relayState: logout.relay_state ?? undefined };
  return logout.is_post
    ? { form: postForm({ ...outgoing, xml: buildLogoutResponse(draft, signingKey) }) }
    : { redirect: redirectUrl({ ...outgoing, xml: buildLogoutResponse(draft), key: signingKey }) };
};

const lost = () =>
  new PageError(
    400,
    'You are signed out here',
    'This sign-out has come to an end. Close the browser to be sure that every application is signed out too.',
  );
