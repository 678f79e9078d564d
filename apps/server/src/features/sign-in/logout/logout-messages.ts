import {
  assertMessage,
  type BoundMessage,
  buildLogoutRequest,
  buildLogoutResponse,
  type LogoutStatus,
  newSamlId,
  type PostForm,
  parseLogoutResponse,
  postForm,
  redirectUrl,
  SamlError,
  type SigningKey,
  verifyMessage,
} from '@opensocial/saml';
import type { Parts } from '../../../parts.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import { idpAddresses } from '../saml/addresses.ts';
import { certificatesOf } from '../saml/certificates.ts';
import { frontChannelOf } from './front-channel.ts';
import type { Logout, LogoutSite, SentRequest } from './logouts.queries.ts';

/** A message that the browser carries to a site. */
export type BrowserMessage = { redirect: string } | { form: PostForm };

/** Whose session ends, at which site. */
export type RequestSubject = Pick<LogoutSite, 'site_id' | 'name_id' | 'name_id_format' | 'session_index'>;

type Carrier = Pick<Parts, 'config' | 'keyring'>;

/** A logout request as XML. Without a key it is not signed. */
export const buildRequest = (
  { config }: Pick<Parts, 'config'>,
  { site, network }: Destination,
  participant: RequestSubject,
  { id, destination, key }: { id: string; destination: string; key?: SigningKey },
): string => {
  const issuer = idpAddresses(config, network.name).entityId;
  const isQualified = /:(?:persistent|transient)$/.test(participant.name_id_format);
  const draft = {
    id,
    issuer,
    destination,
    issueInstant: new Date(),
    notOnOrAfter: new Date(Date.now() + 300_000),
    nameId: {
      value: participant.name_id,
      format: participant.name_id_format,
      ...(isQualified && { nameQualifier: issuer, spNameQualifier: site.identity }),
    },
    sessionIndex: participant.session_index,
  };
  return buildLogoutRequest(draft, key);
};

/** The request to a site with the site's binding. Undefined if the site has no address for the browser. */
export const requestMessage = (
  parts: Carrier,
  destination: Destination,
  participant: LogoutSite,
  { requestId: id, token: relayState }: SentRequest,
): BrowserMessage | undefined => {
  const front = frontChannelOf(destination.site);
  if (!front) return undefined;
  const key = parts.keyring(destination.key);
  const outgoing = { location: front.url, kind: 'SAMLRequest' as const, relayState };
  const build = (signingKey?: SigningKey) =>
    buildRequest(parts, destination, participant, {
      id,
      destination: front.url,
      ...(signingKey && { key: signingKey }),
    });
  return front.binding === 'post'
    ? { form: postForm({ ...outgoing, xml: build(key) }) }
    : { redirect: redirectUrl({ ...outgoing, xml: build(), key }) };
};

/** A signed response to a request that came over the connection of a server. */
export const responseXml = (
  parts: Carrier,
  { network, key }: Destination,
  logout: Logout,
  status: LogoutStatus,
): string => buildLogoutResponse(responseDraft(parts, network.name, logout, status), parts.keyring(key));

const responseDraft = ({ config }: Carrier, network: string, logout: Logout, status: LogoutStatus) => ({
  id: newSamlId(),
  issuer: idpAddresses(config, network).entityId,
  destination: undefined,
  inResponseTo: logout.logout_request_id ?? undefined,
  issueInstant: new Date(),
  status,
});

/**
 * The response to the site that requested the logout, with the site's binding. A site whose binding is not known gets that of its
 * request. Undefined if the site has no address for the browser.
 */
export const responseMessage = (
  parts: Carrier,
  { site, network, key }: Destination,
  logout: Logout,
  status: LogoutStatus,
): BrowserMessage | undefined => {
  const front = frontChannelOf(site);
  if (!front) return undefined;
  const { responseUrl: location, binding } = front;
  const draft = { ...responseDraft(parts, network.name, logout, status), destination: location };
  const signingKey = parts.keyring(key);
  const outgoing = { location, kind: 'SAMLResponse' as const, relayState: logout.relay_state ?? undefined };
  const isPost = binding === 'post' || (binding === 'auto' && logout.is_post);
  return isPost
    ? { form: postForm({ ...outgoing, xml: buildLogoutResponse(draft, signingKey) }) }
    : { redirect: redirectUrl({ ...outgoing, xml: buildLogoutResponse(draft), key: signingKey }) };
};

type Expected = { destination: Destination; requestId: string | null };

/** Asserts that a message is the site's response to a request, and returns whether it reports success. */
export const isSuccess = ({ config }: Pick<Parts, 'config'>, message: BoundMessage, expected: Expected): boolean => {
  const { site, network } = expected.destination;
  const certificates = certificatesOf(site);
  const xml = certificates.length > 0 ? verifyMessage(message, certificates) : message.xml;
  const response = parseLogoutResponse(xml);
  const { sloUrl, soapUrl } = idpAddresses(config, network.name);
  // Over the connection of a server there is no address for responses, so sites name either of ours.
  const isSoapAddress = message.binding === 'soap' && response.destination === soapUrl;
  assertMessage(response, { destination: isSoapAddress ? soapUrl : sloUrl, issuer: site.identity, now: new Date() });
  if (response.inResponseTo !== expected.requestId) throw new SamlError('in_response_to_mismatch');
  return response.success;
};
