import {
  ApiError,
  type ErrorCode,
  type Site,
  type SiteChanges,
  type SiteDraft,
  type SiteProtocol,
  type SocialProvider,
  type Subscriber,
  type SubscriberDraft,
} from '@opensocial/contract';
import { encryptionKeyOf, parseCertificates, SamlError } from '@opensocial/saml';
import type { z } from 'zod';
import type { Config } from '../../config.ts';
import { type Queryable, violates } from '../../database/connect.ts';
import { assertOwn, type Named } from '../../database/named.ts';
import { assertCallable, OutboundError } from '../../http/outbound.ts';
import { mainNetworkName } from '../../identity/membership.ts';
import { cleanSvg } from '../../markup/svg.ts';
import type { Parts } from '../../parts.ts';
import { assertImagesOf } from '../media/media.service.ts';
import { usableLogins } from '../social/social.service.ts';
import { countSites, findSitesWithoutEmailLogin, type SiteRecord } from './sites.queries.ts';

export { unreachableSince } from './sites.health.queries.ts';
export { allowsUser, shownIn, visitedBy } from './sites.visibility.ts';

/**
 * The URL that opens a site without its own login URL: IdP-initiated sign-in, or the site itself if it uses OpenID Connect, in which only
 * the site can begin.
 */
export const startAddressOf = (
  { publicUrl }: { publicUrl: string },
  network: { name: string },
  { id, protocol, domain }: Pick<SiteRecord, 'id' | 'protocol' | 'domain'>,
): string => (protocol === 'oidc' ? `https://${domain}/` : `${publicUrl}/saml/${network.name}/start/${id}`);

type Logins = Pick<SiteRecord, 'auth_options' | 'custom_auth_options'>;

/** The login types of a site that work, besides email and password. */
export const workingLogins = (
  parts: Pick<Parts, 'config'>,
  network: { name: string },
  site: Logins,
  providersWithKeys: readonly SocialProvider[],
): string[] => {
  // The main network cannot sign people in through itself.
  const isThroughMain = site.auth_options.includes('opensocial') && network.name !== mainNetworkName;
  return [...(isThroughMain ? ['opensocial'] : []), ...usableLogins(parts, site, providersWithKeys)];
};

/** The sites that people can sign in to with the current keys of a network, but could not with the wanted ones. */
export const findSitesLosingLogin = async (
  parts: Parts,
  network: { id: number; name: string },
  keys: { current: readonly SocialProvider[]; wanted: readonly SocialProvider[] },
): Promise<{ id: number; site_name: string; domain: string }[]> => {
  const found = await findSitesWithoutEmailLogin(parts.db, network.id);
  const works = (site: Logins, providersWithKeys: readonly SocialProvider[]) =>
    workingLogins(parts, network, site, providersWithKeys).length > 0;
  return found.filter((site) => works(site, keys.current) && !works(site, keys.wanted));
};

/** Splits a list of names that are separated by commas. */
export const parseNameList = (options: string): string[] =>
  options
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

/** A row with its version. */
export type Versioned = { site: SiteRecord; version: number };

export const toSite = ({ site, version }: Versioned): Site => ({
  version,
  id: site.id,
  name: site.site_name,
  domain: site.domain,
  identity: site.identity,
  protocol: site.protocol,
  site_name: site.site_name,
  login_url: site.login_url ?? '',
  status: site.status,
  site_mode: site.site_mode,
  closed_message: site.closed_message ?? '',
  message_title: site.message_title ?? '',
  message: site.message ?? '',
  domain_level_settings: site.domain_level_settings ? 'yes' : 'no',
  terms_of_use: site.terms_of_use ?? '',
  privacy_statement: site.privacy_statement ?? '',
  help_email: site.help_email ?? '',
  mfa: site.mfa,
  auth_options: site.auth_options as Site['auth_options'],
  custom_auth_options: site.custom_auth_options.join(', '),
  email_login: site.email_login ? 1 : false,
  icon: site.icon ?? '',
  icon_bg: site.icon_bg ?? '',
  icon_color: site.icon_color ?? '',
  icon_background: site.icon_background ?? '',
  text_color: site.text_color ?? '',
  text_background: site.text_background ?? '',
  icon_width: site.icon_width,
  icon_height: site.icon_height,
  logo: site.logo ?? '',
  background: site.background ?? '',
});

export const toSubscriber = ({ site, version }: Versioned, network: string): Subscriber => ({
  version,
  id: site.id,
  sso_server: network,
  identity: site.identity,
  acs: site.acs,
  sls: site.sls ?? '',
  sls_binding: site.sls_binding,
  sls_response: site.sls_response ?? '',
  sls_soap: site.sls_soap ?? '',
  domain: site.domain,
  update_url: site.update_url ?? '',
  certificate: site.certificate ?? '',
  signed_requests: site.certificate !== null && site.signed_requests ? 'Yes' : 'No',
  metadata_url: site.metadata_url ?? '',
  acs_index: site.acs_index,
  further_acs: site.further_acs,
  signs: site.signs,
  encrypts: site.encrypts ? 'Yes' : 'No',
  encryption_certificate: site.encryption_certificate ?? '',
});

/** The columns that a full payload changes. */
export const toColumns = ({
  id: _id,
  name: _name,
  domain: _domain,
  identity: _identity,
  protocol: _protocol,
  groups: _groups,
  with_out_group: _without,
  version: _version,
  based_on: _basedOn,
  ...changes
}: z.output<typeof SiteChanges>) => ({
  ...changes,
  domain_level_settings: changes.domain_level_settings === 'yes',
  custom_auth_options: parseNameList(changes.custom_auth_options),
  email_login: changes.email_login === 1,
  icon: cleanIcon(changes.icon),
});

/** Sanitizes the markup of an icon. */
export const cleanIcon = (icon: string): string => {
  if (icon === '') return '';
  const cleaned = cleanSvg(icon);
  if (cleaned === undefined) throw new ApiError('icon_refused');
  return cleaned;
};

/** The columns of a new site that people see. It is called by its domain unless it has a name. */
export const toNewTile = ({
  domain,
  site_name = domain,
  icon = '',
  login_url = '',
}: Pick<z.output<typeof SiteDraft>, 'domain' | 'site_name' | 'icon' | 'login_url'>) => ({
  site_name,
  ...(icon && { icon: cleanIcon(icon) }),
  ...(login_url && { login_url }),
});

/** Asserts that identity, domain and protocol stay the same, because others trust the site by them. */
export const assertFixed = (
  site: Pick<SiteRecord, 'id' | 'identity' | 'domain' | 'protocol'>,
  given: {
    id?: number | undefined;
    identity?: string | undefined;
    domain?: string | undefined;
    protocol?: SiteProtocol | undefined;
  },
): void => {
  const { id = site.id, identity = site.identity, domain = site.domain, protocol = site.protocol } = given;
  const isSame = id === site.id && identity === site.identity && domain === site.domain && protocol === site.protocol;
  if (!isSame) throw new ApiError('site_fixed');
};

export type Pictures = { logo?: string; background?: string; icon_bg?: string; icon?: string };

/**
 * Asserts that pictures come from the network's own libraries, and locks them until the transaction ends. Call it
 * before the site is locked: deleting an image locks the image first and then the sites that show it, so another order
 * could deadlock.
 */
export const assertImages = async (tx: Queryable, networkId: number, pictures: Pictures): Promise<void> => {
  const named = (...names: (string | undefined)[]) => names.filter((name): name is string => Boolean(name));
  await assertImagesOf(tx, networkId, 'image', named(pictures.logo, pictures.background));
  await assertImagesOf(tx, networkId, 'icon', named(pictures.icon_bg));
};

/** The parameters that may change, as columns. Clients that do not send the protection of responses leave it as it is. */
export const toParameters = (draft: z.output<typeof SubscriberDraft>) => {
  const certificate = toCertificates(draft.certificate);
  const { signed_requests = certificate === null ? 'No' : 'Yes' } = draft;
  if (certificate === null && signed_requests === 'Yes') throw new ApiError('signature_unverifiable');
  return {
    acs: draft.acs,
    ...toLogout(draft),
    update_url: draft.update_url,
    certificate,
    signed_requests: signed_requests === 'Yes',
    // Normalised, so that the host in it can be compared.
    ...(draft.metadata_url !== undefined && { metadata_url: URL.parse(draft.metadata_url)?.href ?? null }),
    ...toEndpoints(draft),
    ...(draft.signs !== undefined && { signs: draft.signs }),
    ...(draft.encrypts !== undefined && toEncryption(draft.encrypts === 'Yes', draft.encryption_certificate ?? '')),
  };
};

/** A site that does not support single logout has none of the other addresses, and one that only takes SOAP messages has no second one. */
const toLogout = ({ sls, sls_binding, sls_response, sls_soap }: z.output<typeof SubscriberDraft>) => {
  if (sls === '') return { sls: null, sls_binding: 'auto' as const, sls_response: null, sls_soap: null };
  if (sls_binding === 'soap') return { sls, sls_binding, sls_response: null, sls_soap: null };
  return {
    sls,
    ...(sls_binding !== undefined && { sls_binding }),
    ...(sls_response !== undefined && { sls_response: sls_response || null }),
    ...(sls_soap !== undefined && { sls_soap: sls_soap || null }),
  };
};

const toEndpoints = ({ acs_index, further_acs }: z.output<typeof SubscriberDraft>) => {
  const indexes = [acs_index, ...(further_acs ?? []).map(({ index }) => index)].filter((index) => index != null);
  if (new Set(indexes).size < indexes.length) throw new ApiError('acs_index_repeated');
  return { ...(acs_index !== undefined && { acs_index }), ...(further_acs && { further_acs }) };
};

const toEncryption = (encrypts: boolean, certificate: string) => {
  try {
    const [first, second] = parseCertificates(certificate);
    if (encrypts && (first === undefined || second !== undefined)) throw new ApiError('encryption_impossible');
    if (first !== undefined) encryptionKeyOf(first);
    return { encrypts, encryption_certificate: first ?? null };
  } catch (cause) {
    if (cause instanceof SamlError) throw new ApiError('encryption_impossible', { cause });
    throw cause;
  }
};

/** One certificate per line, without PEM armour; null if there is none. */
const toCertificates = (given: string): string | null => {
  try {
    return parseCertificates(given).join('\n') || null;
  } catch (cause) {
    throw new ApiError('certificate_unreadable', { cause });
  }
};

type Targets = Partial<Pick<SiteRecord, 'sls' | 'sls_binding' | 'sls_soap' | 'update_url' | 'metadata_url'>>;

/** The address of a site for logout messages from server to server. */
export const backChannelOf = ({ sls, sls_binding, sls_soap }: Targets): string | null =>
  (sls_binding === 'soap' ? sls : sls_soap) ?? null;

/** Refuses URLs that the server could not send messages to or read from. A URL that is already stored is not checked again. */
export const assertTargets = async (
  config: Pick<Config, 'allowsPrivateTargets'>,
  wanted: Targets,
  stored: Targets = {},
): Promise<void> => {
  const updateUrl = wanted.update_url;
  if (updateUrl && updateUrl !== stored.update_url) await assertTarget(config, updateUrl, updateUrlRefused);
  const metadataUrl = wanted.metadata_url;
  if (metadataUrl && metadataUrl !== stored.metadata_url) await assertTarget(config, metadataUrl, metadataUrlRefused);
  const backChannel = backChannelOf({ ...stored, ...wanted });
  if (backChannel && backChannel !== backChannelOf(stored)) await assertTarget(config, backChannel, backChannelRefused);
};

type RefusedTarget = { code: ErrorCode; label: string };
const updateUrlRefused: RefusedTarget = { code: 'update_url_refused', label: 'Mode Update URL' };
const metadataUrlRefused: RefusedTarget = { code: 'metadata_url_refused', label: 'Metadata URL' };
const backChannelRefused: RefusedTarget = { code: 'back_channel_refused', label: 'Back channel (SOAP) URL' };

/** Refuses a URL that the server could not send messages to or read from. */
export const assertTarget = async (
  { allowsPrivateTargets }: Pick<Config, 'allowsPrivateTargets'>,
  url: string,
  { code, label }: RefusedTarget,
): Promise<void> => {
  try {
    await assertCallable(url, allowsPrivateTargets);
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    throw new ApiError(code, { message: `${label}: ${cause.message}`, cause });
  }
};

/** Maps violations of the unique constraints, which apply across all networks. */
export const rethrowAsSiteExists = (error: unknown): never => {
  if (violates(error, 'sites__identity') || violates(error, 'sites__acs'))
    throw new ApiError('site_exists', { cause: error });
  throw error;
};

export const assertSitesOf = (db: Queryable, networkId: number, named: Named): Promise<void> =>
  assertOwn(named, (ids) => countSites(db, networkId, ids));

export const assertSameNetwork = (given: string | undefined, network: string): void => {
  if (given !== undefined && given !== network) throw new ApiError('not_found');
};
