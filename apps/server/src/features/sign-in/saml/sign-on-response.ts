import {
  buildResponse,
  buildStatusResponse,
  newSamlId,
  type PostForm,
  postForm,
  type StatusResponseDraft,
} from '@opensocial/saml';
import { countedAddress } from '../../../http/address.ts';
import { maskName } from '../../../identity/redaction.ts';
import type { Parts } from '../../../parts.ts';
import { keyFor, recordKeyUse } from '../../signing-keys/signing-keys.service.ts';
import type { SignOnProtocol } from '../flow/sign-on-protocol.ts';
import { SignOnError, type SignOnRefusal } from '../flow/sign-on-request.ts';
import { idpAddresses } from './addresses.ts';
import { toAssertionContent, toNameId } from './assertion-content.ts';
import { chooseAuthnContext, requiredFactors } from './authn-context.ts';
import { sendAutoPost } from './auto-post.ts';
import { chooseRelease } from './release.ts';
import { fromColumns, toColumns } from './stored-request.ts';
import { isSubject } from './subject.ts';

type Protocol = SignOnProtocol<'saml'>;
type Granted = Parameters<Protocol['sendSuccess']>[2];

export const samlProtocol: Protocol = {
  sendSuccess: async (parts, reply, granted) =>
    sendAutoPost(reply, await buildSuccess(parts, granted), 'Signing you in…'),
  sendRefusal: (parts, reply, refused) =>
    sendAutoPost(reply, buildRefusal(parts, refused), 'Returning to the application…'),
  toColumns,
  fromColumns: (stored, destination) => {
    const message = fromColumns(stored, destination);
    return { message, requiredFactors: requiredFactors(message.authnContext) };
  },
};

/** What the response to a request will say, and how. Throws a `SignOnError` if the request cannot be met. A test shows it before it is sent. */
export const prepareSuccess = (
  parts: Parts,
  { signOn, identity: { session, user } }: Pick<Granted, 'signOn' | 'identity'>,
) => {
  const { destination, message } = signOn;
  const { site } = destination;
  const release = chooseRelease(site, message);
  if (typeof release === 'string') throw new SignOnError(signOn, release);
  const content = toAssertionContent(parts, { destination, message, user, session }, release);
  const { nameId } = content;
  const nameOf = (format: string) => toNameId(parts, destination, user, format);
  if (message.subject && !isSubject(destination, message.subject, nameId, nameOf))
    throw new SignOnError(signOn, 'other_person');
  const authnContext = chooseAuthnContext(message.authnContext, session.mfa);
  if (authnContext === undefined) throw new SignOnError(signOn, 'weak_authentication');
  const protection = {
    signs: site.signs,
    encryptFor: site.encrypts ? (site.encryption_certificate ?? undefined) : undefined,
  };
  return { content, authnContext, protection };
};

/** Records the sign-in in the login log and builds the form with the signed response for the service provider. */
const buildSuccess = async (parts: Parts, granted: Granted): Promise<PostForm> => {
  const { signOn, identity, client, method } = granted;
  const { session, user } = identity;
  const { destination, message } = signOn;
  const { site } = destination;
  const key = keyFor(destination, user);
  const { content, authnContext, protection } = prepareSuccess(parts, granted);
  const { nameId } = content;
  await parts.recordLoginAttempt({
    status: 'Success',
    site,
    user,
    email: user.email,
    assertion: { sessionId: session.id, nameId },
    mfa: session.mfa,
    reason: method,
    ...client,
  });
  await recordKeyUse(parts.db, key, site);
  parts.exchanges.record({
    site,
    userId: user.id,
    step: 'answer',
    outcome: 'accepted',
    code: 'signed_in',
    isVerified: false,
    sender: countedAddress(client.address),
    facts: () => ({
      acs: message.acsUrl,
      nameIdFormat: nameId.format,
      nameId: maskName(nameId.value),
      context: authnContext,
      attributes: content.attributes.map(({ name, values }) => ({ name, lengths: values.map(({ length }) => length) })),
    }),
  });
  const xml = buildResponse(
    { ...content, id: newSamlId(), assertionId: newSamlId(), issueInstant: new Date(), authnContext },
    parts.keyring(key),
    protection,
  );
  return postForm({ location: message.acsUrl, kind: 'SAMLResponse', xml, relayState: message.relayState });
};

export const statuses: Record<SignOnRefusal, StatusResponseDraft['status']> = {
  not_signed_in: { code: 'Responder', subcode: 'NoPassive' },
  denied: { code: 'Responder', subcode: 'RequestDenied' },
  other_person: { code: 'Responder', subcode: 'UnknownPrincipal' },
  weak_authentication: { code: 'Responder', subcode: 'NoAuthnContext' },
  unknown_endpoint: { code: 'Requester', subcode: 'RequestUnsupported' },
  unknown_attributes: { code: 'Requester', subcode: 'RequestUnsupported' },
  unsupported_binding: { code: 'Requester', subcode: 'UnsupportedBinding' },
  unsupported_name_id: { code: 'Requester', subcode: 'InvalidNameIDPolicy' },
};

/** Builds the form with a SAML response that has no assertion but the status of a refusal. */
const buildRefusal = (
  parts: Parts,
  { destination: { network, key }, message, refusal }: Parameters<Protocol['sendRefusal']>[2],
): PostForm => {
  const draft = {
    id: newSamlId(),
    issuer: idpAddresses(parts.config, network.name).entityId,
    destination: message.acsUrl,
    inResponseTo: message.requestId,
    issueInstant: new Date(),
    status: statuses[refusal],
  };
  const xml = buildStatusResponse(draft, parts.keyring(key));
  return postForm({ location: message.acsUrl, kind: 'SAMLResponse', xml, relayState: message.relayState });
};
