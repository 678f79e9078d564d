import { type AttributeDraft, type NameId, nameIdFormats, type ResponseDraft } from '@opensocial/saml';
import type { Parts } from '../../../parts.ts';
import { newUid } from '../../../secrets/tokens.ts';
import { valuesOfAttribute } from '../accounts/attribute-values.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import type { SiteAccount } from '../accounts/site-accounts.queries.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import type { SamlRequest } from '../flow/sign-on-request.ts';
import { idpAddresses } from './addresses.ts';
import type { Release } from './release.ts';

/** The session that an assertion is about. */
type AssertedSession = Pick<Identity['session'], 'authenticated_at' | 'session_index' | 'login_from'>;

type AssertionFacts = {
  destination: Destination;
  message: Pick<SamlRequest, 'acsUrl' | 'requestId'>;
  user: SiteAccount;
  session: AssertedSession;
};

type AssertionContent = Omit<ResponseDraft, 'id' | 'assertionId' | 'issueInstant' | 'authnContext'>;

/** Everything that an assertion says about a person. A sign-on sends it, and the preview shows it. */
export const toAssertionContent = (
  parts: Pick<Parts, 'config' | 'persistentNames'>,
  { destination, message, user, session }: AssertionFacts,
  release: Release,
): AssertionContent => ({
  issuer: idpAddresses(parts.config, destination.network.name).entityId,
  destination: message.acsUrl,
  audience: destination.site.identity,
  inResponseTo: message.requestId,
  authnInstant: session.authenticated_at,
  sessionIndex: session.session_index,
  sessionNotOnOrAfter: sessionEnd(destination, session),
  nameId: toNameId(parts, destination, user, release.nameIdFormat),
  attributes: toAttributes(parts, destination, user, release, session.login_from),
});

/**
 * When the session ends at the latest, so that the site ends its own then. The console is left out: its sessions follow the rules of two
 * networks and are checked with every call.
 */
const sessionEnd = ({ site, settings }: Destination, session: AssertedSession) =>
  site.kind === 'console'
    ? undefined
    : new Date(session.authenticated_at.getTime() + settings.session_hours * 3_600_000);

/**
 * A persistent NameID is always the same for a user at a site, and differs between sites. A transient one is new each time. Any other has
 * the value that the site has chosen. All of them are unique, and nobody can edit their own.
 */
export const toNameId = (
  { config, persistentNames }: Pick<Parts, 'config' | 'persistentNames'>,
  { site, network }: Destination,
  user: SiteAccount,
  format: string,
): NameId => {
  const { persistent, transient } = nameIdFormats;
  if (format !== persistent && format !== transient) return { value: user[site.name_id_source], format };
  const value = format === transient ? `_${newUid()}` : persistentNames(user, site);
  const { entityId } = idpAddresses(config, network.name);
  return { value, format, nameQualifier: entityId, spNameQualifier: site.identity };
};

const toAttributes = (
  parts: Pick<Parts, 'persistentNames'>,
  destination: Destination,
  user: SiteAccount,
  { attributes }: Release,
  loginFrom: string,
): AttributeDraft[] => {
  const drafts = attributes.map((attribute) => ({
    name: attribute.name,
    nameFormat: attribute.name_format,
    friendlyName: attribute.friendly_name || undefined,
    values: valuesOfAttribute(parts, destination, user, attribute),
  }));
  // Only the console gets the login type, which its profile page needs.
  return destination.site.kind === 'console' ? [...drafts, { name: 'login_from', values: [loginFrom] }] : drafts;
};
