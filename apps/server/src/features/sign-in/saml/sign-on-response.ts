import {
  buildResponse,
  buildStatusResponse,
  type NameId,
  nameIdFormats,
  newSamlId,
  type PostForm,
  postForm,
  type StatusResponseDraft,
} from '@opensocial/saml';
import type { RequestClient } from '../../../http/address.ts';
import type { Parts } from '../../../parts.ts';
import { newUid } from '../../../secrets/tokens.ts';
import { keyFor, recordKeyUse } from '../../signing-keys/signing-keys.service.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import type { SiteAccount } from '../accounts/site-accounts.queries.ts';
import type { SignOnProtocol } from '../flow/sign-on-protocol.ts';
import { type SamlRequest, SignOnError, type SignOnRefusal, type SignOnRequest } from '../flow/sign-on-request.ts';
import { idpAddresses } from './addresses.ts';
import { chooseAuthnContext } from './authn-context.ts';
import { sendAutoPost } from './auto-post.ts';

export const samlProtocol: SignOnProtocol = {
  sendSuccess: async (parts, reply, { signOn, identity, client, method }) =>
    sendAutoPost(reply, await buildSuccess(parts, signOn, identity, client, method), 'Signing you in…'),
  sendRefusal: (parts, reply, error) =>
    sendAutoPost(reply, buildRefusal(parts, error), 'Returning to the application…'),
};

/** Records the sign-in in the login log and builds the form with the signed response for the service provider. */
const buildSuccess = async (
  parts: Parts,
  signOn: SignOnRequest,
  { session, user }: Identity,
  client: RequestClient,
  reason: string,
): Promise<PostForm> => {
  const { site, network } = signOn.destination;
  const key = keyFor(signOn.destination, user);
  const { entityId } = idpAddresses(parts.config, network.name);
  const { message } = signOn;
  const nameId = toNameId(parts, signOn, user, entityId, message.nameIdFormat);
  if (message.subject && !isSubject(message.subject, (format) => toNameId(parts, signOn, user, entityId, format)))
    throw new SignOnError(signOn, 'other_person');
  const authnContext = chooseAuthnContext(message.authnContext, session.mfa);
  if (authnContext === undefined) throw new SignOnError(signOn, 'weak_authentication');
  await parts.recordLoginAttempt({
    status: 'Success',
    site,
    user,
    email: user.email,
    assertion: { sessionId: session.id, nameId },
    mfa: session.mfa,
    reason,
    ...client,
  });
  await recordKeyUse(parts.db, key, site);
  const xml = buildResponse(
    {
      id: newSamlId(),
      assertionId: newSamlId(),
      issuer: entityId,
      destination: message.acsUrl,
      audience: site.identity,
      inResponseTo: message.requestId,
      issueInstant: new Date(),
      authnInstant: session.authenticated_at,
      authnContext,
      sessionIndex: session.session_index,
      sessionNotOnOrAfter: sessionEnd(signOn, session),
      nameId,
      attributes: toAttributes(signOn, user, session.login_from),
    },
    parts.keyring(key),
    { signs: site.signs, encryptFor: site.encrypts ? (site.encryption_certificate ?? undefined) : undefined },
  );
  return postForm({ location: message.acsUrl, kind: 'SAMLResponse', xml, relayState: message.relayState });
};

const statuses: Record<SignOnRefusal, StatusResponseDraft['status']> = {
  not_signed_in: { code: 'Responder', subcode: 'NoPassive' },
  denied: { code: 'Responder', subcode: 'RequestDenied' },
  other_person: { code: 'Responder', subcode: 'UnknownPrincipal' },
  weak_authentication: { code: 'Responder', subcode: 'NoAuthnContext' },
  unknown_endpoint: { code: 'Requester', subcode: 'RequestUnsupported' },
  unsupported_binding: { code: 'Requester', subcode: 'UnsupportedBinding' },
  unsupported_name_id: { code: 'Requester', subcode: 'InvalidNameIDPolicy' },
};

/** Builds the form with a SAML response that has no assertion but the status of a refusal. */
const buildRefusal = (parts: Parts, { signOn, refusal }: SignOnError): PostForm => {
  const { network, key } = signOn.destination;
  const draft = {
    id: newSamlId(),
    issuer: idpAddresses(parts.config, network.name).entityId,
    destination: signOn.message.acsUrl,
    inResponseTo: signOn.message.requestId,
    issueInstant: new Date(),
    status: statuses[refusal],
  };
  const xml = buildStatusResponse(draft, parts.keyring(key));
  return postForm({
    location: signOn.message.acsUrl,
    kind: 'SAMLResponse',
    xml,
    relayState: signOn.message.relayState,
  });
};

/** Whether the person has the name that the request asks for. A transient name is new each time, so it names nobody. */
const isSubject = (
  { nameId, nameIdFormat }: NonNullable<SamlRequest['subject']>,
  nameOf: (format: string) => NameId,
): boolean => {
  const isUnspecified = nameIdFormat === undefined || nameIdFormat === nameIdFormats.unspecified;
  const { value } = nameOf(isUnspecified ? nameIdFormats.emailAddress : nameIdFormat);
  return value.toLowerCase() === nameId.trim().toLowerCase();
};

/**
 * When the session ends at the latest, so that the site ends its own then. The console is left out: its sessions follow the rules of two
 * networks and are checked with every call.
 */
const sessionEnd = ({ destination: { site, settings } }: SignOnRequest, session: Identity['session']) =>
  site.kind === 'console'
    ? undefined
    : new Date(session.authenticated_at.getTime() + settings.session_hours * 3_600_000);

/** A persistent NameID is always the same for a user at a site, and differs between sites. A transient one is new each time. */
const toNameId = (
  { persistentNames }: Parts,
  { destination: { site } }: SignOnRequest,
  user: SiteAccount,
  entityId: string,
  nameIdFormat: string,
): NameId => {
  if (nameIdFormat === nameIdFormats.emailAddress) return { value: user.email, format: nameIdFormat };
  const value = nameIdFormat === nameIdFormats.transient ? `_${newUid()}` : persistentNames(user, site);
  return { value, format: nameIdFormat, nameQualifier: entityId, spNameQualifier: site.identity };
};

const toAttributes = ({ destination: { site, network } }: SignOnRequest, user: SiteAccount, loginFrom: string) => [
  { name: 'uid', values: [user.uid] },
  { name: 'email', values: [user.email] },
  { name: 'firstname', values: [user.firstname] },
  { name: 'lastname', values: [user.lastname] },
  { name: 'fullname', values: [user.fullname] },
  { name: 'groups', values: user.groups },
  { name: 'network', values: [network.name] },
  // Only the console gets the login type, which its profile page needs.
  ...(site.kind === 'console' ? [{ name: 'login_from', values: [loginFrom] }] : []),
];
