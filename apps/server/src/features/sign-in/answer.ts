import {
  buildResponse,
  buildStatusResponse,
  type NameId,
  nameIdFormats,
  newSamlId,
  type PostForm,
  postForm,
} from '@opensocial/saml';
import type { Came } from '../../http/address.ts';
import type { Parts } from '../../parts.ts';
import { newUid } from '../../secrets/tokens.ts';
import { idpAddresses } from './addresses.ts';
import type { Identity, Standing } from './identity.queries.ts';
import type { Asked, StatusError } from './request.ts';

/** Writes the sign-in down and makes the form that carries the signed answer to the service provider. */
export const answer = async (
  parts: Parts,
  asked: Asked,
  { session, user }: Identity,
  came: Came,
  reason: string,
): Promise<PostForm> => {
  const { site, network, key } = asked.destination;
  const { entityId } = idpAddresses(parts.config, network.name);
  const nameId = toNameId(parts, asked, user, entityId);
  await parts.recordLoginAttempt({
    status: 'Success',
    site,
    user,
    email: user.email,
    assertion: { sessionId: session.id, nameId },
    mfa: session.mfa,
    reason,
    ...came,
  });
  const xml = buildResponse(
    {
      id: newSamlId(),
      assertionId: newSamlId(),
      issuer: entityId,
      destination: site.acs,
      audience: site.identity,
      inResponseTo: asked.requestId,
      issueInstant: new Date(),
      authnInstant: session.authenticated_at,
      sessionIndex: session.session_index,
      nameId,
      attributes: toAttributes(asked, user, session.login_from),
    },
    parts.keyring(key),
  );
  return postForm({ location: site.acs, kind: 'SAMLResponse', xml, relayState: asked.relayState });
};

/** A refusal in the protocol's own terms. */
export const answerStatus = (parts: Parts, { asked, status }: StatusError): PostForm => {
  const { site, network, key } = asked.destination;
  const draft = {
    id: newSamlId(),
    issuer: idpAddresses(parts.config, network.name).entityId,
    destination: site.acs,
    inResponseTo: asked.requestId,
    issueInstant: new Date(),
    status,
  };
  const xml = buildStatusResponse(draft, parts.keyring(key));
  return postForm({ location: site.acs, kind: 'SAMLResponse', xml, relayState: asked.relayState });
};

/** Persistent: the same for a user at a site for ever, and unlike at any other. Transient: new each time. */
const toNameId = (
  { vault }: Parts,
  { nameIdFormat, destination: { site } }: Asked,
  user: Standing,
  entityId: string,
): NameId => {
  if (nameIdFormat === nameIdFormats.emailAddress) return { value: user.email, format: nameIdFormat };
  const value =
    nameIdFormat === nameIdFormats.transient
      ? `_${newUid()}`
      : vault.sign('persistent-name', `${user.uid}\0${site.identity}`);
  return { value, format: nameIdFormat, nameQualifier: entityId, spNameQualifier: site.identity };
};

const toAttributes = ({ destination: { site, network } }: Asked, user: Standing, loginFrom: string) => [
  { name: 'uid', values: [user.uid] },
  { name: 'email', values: [user.email] },
  { name: 'firstname', values: [user.firstname] },
  { name: 'lastname', values: [user.lastname] },
  { name: 'fullname', values: [user.fullname] },
  { name: 'groups', values: user.groups },
  { name: 'network', values: [network.name] },
  // Only the console asks how somebody signed in: its profile page depends on it.
  ...(site.kind === 'console' ? [{ name: 'login_from', values: [loginFrom] }] : []),
];
