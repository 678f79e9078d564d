import { createPublicKey } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ApiError, type OidcClient, type OidcEndpoints, OidcParameters } from '@opensocial/contract';
import type { Config } from '../../config.ts';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import { hashToken, newToken } from '../../secrets/tokens.ts';
import { readVersion, recordAudit } from '../audit/audit.service.ts';
import { deleteSecrets, findSecrets, insertSecret } from './sites.oidc.queries.ts';
import { getSite, lockSite, type SiteRecord } from './sites.queries.ts';
import { assertTarget } from './sites.service.ts';

/** The public addresses of the OpenID Connect provider of a network. */
export const oidcEndpoints = ({ publicUrl }: Pick<Config, 'publicUrl'>, network: string): OidcEndpoints => {
  const issuer = `${publicUrl}/oidc/${network}`;
  return {
    issuer,
    discovery: `${issuer}/.well-known/openid-configuration`,
    authorization: `${issuer}/auth`,
    token: `${issuer}/token`,
    userinfo: `${issuer}/userinfo`,
    jwks: `${issuer}/jwks`,
    logout: `${issuer}/logout`,
  };
};

/** A client as the API shows it. */
export const readClient = async (
  db: Queryable,
  config: Pick<Config, 'publicUrl'>,
  siteId: number,
  network: string,
): Promise<OidcClient> => {
  const version = await readVersion(db, `site:${siteId}`);
  const site = await getSite(db, siteId);
  const secrets = await findSecrets(db, siteId);
  return {
    ...parametersOf(site),
    id: site.id,
    domain: site.domain,
    client_id: site.identity,
    endpoints: oidcEndpoints(config, network),
    secrets: secrets.map(({ id, hint, created_at }) => ({ id, hint, created_at: created_at.toISOString() })),
    version,
  };
};

/** The parameters of a site that uses OpenID Connect. The access check of each call has found its protocol. */
const parametersOf = ({ oidc }: SiteRecord): OidcParameters => {
  if (!oidc) throw new Error('The site does not use OpenID Connect.');
  return oidc;
};

/** The parameters as they are stored: without other fields of a draft, and with public keys only. */
export const toOidcParameters = (draft: OidcParameters): OidcParameters => {
  const parameters = OidcParameters.parse(draft);
  return { ...parameters, jwks: parameters.jwks && { keys: parameters.jwks.keys.map(toPublicKey) } };
};

const publicMembers = ['kty', 'n', 'e', 'crv', 'x', 'y', 'kid', 'use', 'alg'];
const curves = ['prime256v1', 'secp384r1', 'secp521r1'];

/** Only the members that a public key has, so that nothing else is stored with it. */
const toPublicKey = (given: Record<string, unknown>): Record<string, unknown> => {
  const key = Object.fromEntries(publicMembers.flatMap((name) => (name in given ? [[name, given[name]]] : [])));
  if (Object.values(key).some((value) => typeof value !== 'string') || !isStrongKey(key))
    throw new ApiError('jwks_refused');
  return key;
};

const isStrongKey = (key: Record<string, unknown>): boolean => {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' });
    if (asymmetricKeyType === 'ec') return curves.includes(asymmetricKeyDetails?.namedCurve ?? '');
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048;
  } catch {
    return false;
  }
};

const backChannelRefused = { code: 'back_channel_refused', label: 'Back-channel logout URL' } as const;
const jwksRefused = { code: 'jwks_uri_refused', label: 'Keys URL (JWKS)' } as const;

type Targets = Partial<Pick<OidcParameters, 'backchannel_logout_uri' | 'jwks_uri'>>;

/** Refuses addresses that the server could not call. An address that is already stored is not checked again. */
export const assertOidcTargets = async (
  config: Pick<Config, 'allowsPrivateTargets'>,
  wanted: Targets,
  stored: Targets = {},
): Promise<void> => {
  const { backchannel_logout_uri: backChannel, jwks_uri: jwks } = wanted;
  if (backChannel && backChannel !== stored.backchannel_logout_uri)
    await assertTarget(config, backChannel, backChannelRefused);
  if (jwks && jwks !== stored.jwks_uri) await assertTarget(config, jwks, jwksRefused);
};

/**
 * The columns that replace the parameters of a site. Equal parameters are returned as they are stored, because conflicts are found by
 * comparing texts, and the database sorts the keys of objects. A site that no longer authenticates with secrets loses them.
 */
export const replaceParameters = async (
  tx: Transaction,
  caller: Caller,
  site: SiteRecord,
  wanted: OidcParameters,
): Promise<{ oidc: OidcParameters }> => {
  const stored = parametersOf(site);
  if (isDeepStrictEqual(stored, wanted)) return { oidc: stored };
  if (wanted.authentication !== 'secret') {
    const hints = await deleteSecrets(tx, site.id);
    if (hints.length > 0) await auditSecrets(tx, caller, site, { removed: hints });
  }
  return { oidc: wanted };
};

/** Two, so that one can replace the other while the application still uses it. */
const maximumSecrets = 2;
const hintLength = 4;

/** Makes a secret and returns it. Only its hash and its last characters are stored. */
export const addSecret = async (tx: Transaction, siteId: number): Promise<{ secret: string; hint: string }> => {
  const secret = newToken();
  const hint = secret.slice(-hintLength);
  await insertSecret(tx, { site_id: siteId, secret_hash: hashToken(secret), hint });
  return { secret, hint };
};

/** Makes a further secret for a site. The row of the site is locked, so that two requests cannot both make the second one. */
export const addFurtherSecret = async (tx: Transaction, caller: Caller, siteId: number): Promise<string> => {
  const site = await lockClient(tx, siteId);
  if (parametersOf(site).authentication !== 'secret') throw new ApiError('oidc_secret_unused');
  if ((await findSecrets(tx, siteId)).length >= maximumSecrets) throw new ApiError('oidc_secret_limit');
  const { secret, hint } = await addSecret(tx, siteId);
  await auditSecrets(tx, caller, site, { added: [hint] });
  return secret;
};

export const removeSecret = async (tx: Transaction, caller: Caller, siteId: number, id: number): Promise<void> => {
  const site = await lockClient(tx, siteId);
  const hints = await deleteSecrets(tx, siteId, id);
  if (hints.length === 0) throw new ApiError('not_found');
  await auditSecrets(tx, caller, site, { removed: hints });
};

const lockClient = async (tx: Transaction, siteId: number): Promise<SiteRecord> => {
  const site = await lockSite(tx, siteId);
  if (!site) throw new ApiError('not_found');
  return site;
};

/** Secrets are named by their last characters. */
const auditSecrets = (
  tx: Transaction,
  caller: Caller,
  { id, domain }: SiteRecord,
  { added, removed }: { added?: string[]; removed?: string[] },
) =>
  recordAudit(tx, {
    ...actorOf(caller),
    action: 'update',
    object: 'site',
    subject: `site ${domain}`,
    subject_key: `site:${id}`,
    ...(removed && { old_data: { secrets: removed.map(toEnding) } }),
    ...(added && { new_data: { secrets: added.map(toEnding) } }),
  });

const toEnding = (hint: string): string => `…${hint}`;
