import {
  buildResponse,
  buildStatusResponse,
  type NameId,
  nameIdFormats,
  newSamlId,
  type PostForm,
  postForm,
} from '@opensocial/saml';
import type { RequestClient } from '../../../http/address.ts';
import type { Parts } from '../../../parts.ts';
import { newUid } from '../../../secrets/tokens.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import type { SiteAccount } from '../accounts/site-accounts.queries.ts';
import { idpAddresses } from './addresses.ts';
import type { SignOnRequest, StatusError } from './sign-on-request.ts';

/** Records the sign-in in the login log and builds the form with the signed response for the service provider. */
export const answerSignOn = async (
  parts: Parts,
  signOn: SignOnRequest,
  { session, user }: Identity,
  client: RequestClient,
  reason: string,
): Promise<PostForm> => {
  const { site, network, key } = signOn.destination;
  const { entityId } = idpAddresses(parts.config, network.name);
  const nameId = toNameId(parts, signOn, user, entityId);
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
  const xml = buildResponse(
    {
      id: newSamlId(),
      assertionId: newSamlId(),
      issuer: entityId,
      destination: site.acs,
      audience: site.identity,
      inResponseTo: signOn.requestId,
      issueInstant: new Date(),
      authnInstant: session.authenticated_at,
      sessionIndex: session.session_index,
      nameId,
      attributes: toAttributes(signOn, user, session.login_from),
    },
    parts.keyring(key),
  );
  return postForm({ location: site.acs, kind: 'SAMLResponse', xml, relayState: signOn.relayState });
};

/** Builds the form with a SAML response that has no assertion but the status of a refusal. */
export const answerWithStatus = (parts: Parts, { signOn, status }: StatusError): PostForm => {
  const { site, network, key } = signOn.destination;
  const draft = {
    id: newSamlId(),
    issuer: idpAddresses(parts.config, network.name).entityId,
    destination: site.acs,
    inResponseTo: signOn.requestId,
    issueInstant: new Date(),
    status,
  };
  const xml = buildStatusResponse(draft, parts.keyring(key));
  return postForm({ location: site.acs, kind: 'SAMLResponse', xml, relayState: signOn.relayState });
};

/** A persistent NameID is always the same for a user at a site, and differs between sites. A transient one is new each time. */
const toNameId = (
  { persistentNames }: Parts,
  { nameIdFormat, destination: { site } }: SignOnRequest,
  user: SiteAccount,
  entityId: string,
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
