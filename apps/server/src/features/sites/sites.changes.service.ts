import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '@opensocial/contract';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import type { Parts } from '../../parts.ts';
import { assertUnchanged, readVersion, recordAudit } from '../audit/audit.service.ts';
import { findEffectiveOwners, notifyOwners } from '../owners/owners.service.ts';
import { assertFreshSignIn } from '../session/session.service.ts';
import { announceMode } from './sites.announcements.ts';
import { countSites, getSite, lockSite, type SiteRecord, updateSite } from './sites.queries.ts';
import { recountDifferences } from './sites.refresh.service.ts';
import { assertImages, type Pictures, rethrowAsSiteExists, type Versioned } from './sites.service.ts';

type ChangesOf = (site: SiteRecord, tx: Transaction) => Promise<Partial<SiteRecord>> | Partial<SiteRecord>;

/** A site of a network. */
export const findSite = async (db: Queryable, networkId: number, id: number): Promise<SiteRecord | undefined> =>
  (await countSites(db, networkId, [id])) > 0 ? getSite(db, id) : undefined;

/**
 * Changes a site: the row is locked, changed and audited in one transaction. A new mode is announced to the site, and a
 * new ACS URL or redirect address is reported to the owners.
 */
export const changeSite = (
  parts: Parts,
  caller: Caller,
  id: number,
  changesOf: ChangesOf,
  { based_on: version, ...pictures }: Pictures & { based_on?: number | undefined } = {},
): Promise<Versioned> =>
  parts.db.transaction(async (tx) => {
    await assertImages(tx, caller.network.id, pictures);
    const before = await lockSite(tx, id);
    if (!before) throw new ApiError('not_found');
    const changes = await changesOf(before, tx);
    await assertUnchanged(tx, { subject: `site:${id}`, networkId: caller.network.id, version }, before, changes);
    const after = await updateSite(tx, id, changes);
    await auditSite(tx, caller, 'update', before, after);
    if (before.metadata_url !== null || after.metadata_url !== null) await recountDifferences(tx, after);
    if (after.site_mode !== before.site_mode) await announceMode(tx, parts.jobs, after);
    const [former, current] = [addressesOf(before), addressesOf(after)];
    if (former !== current) await reportAddresses(tx, parts, caller, former, { site: after, current });
    return { site: after, version: await readVersion(tx, `site:${id}`) };
  });

/** These decide where assertions, logouts and announcements are sent, whose signatures are trusted, and what is proposed later. */
const securityParameters = [
  'acs',
  'acs_index',
  'further_acs',
  'sls',
  'sls_binding',
  'sls_response',
  'sls_soap',
  'update_url',
  'certificate',
  'signed_requests',
  'signs',
  'encrypts',
  'encryption_certificate',
  'metadata_url',
  'oidc',
] as const;

type Parameters = Partial<Pick<SiteRecord, (typeof securityParameters)[number]>>;
type ParametersOf = (site: SiteRecord, tx: Transaction) => Promise<Parameters> | Parameters;

/** Changes the SSO parameters of a site. */
export const changeParameters = (
  parts: Parts,
  caller: Caller,
  id: number,
  parametersOf: ParametersOf,
  version?: number,
): Promise<Versioned> =>
  changeSite(
    parts,
    caller,
    id,
    async (site, tx) => {
      const parameters = await parametersOf(site, tx);
      // A missing URL is an empty string in the form and null in the database.
      const isChanged = (key: (typeof securityParameters)[number]) =>
        key in parameters && !isDeepStrictEqual(parameters[key] || null, site[key] || null);
      if (securityParameters.some(isChanged)) assertFreshSignIn(caller.actor);
      return parameters;
    },
    { based_on: version },
  ).catch(rethrowAsSiteExists);

/** The addresses to which responses are sent, the default one first. */
const addressesOf = ({ acs, further_acs, oidc }: SiteRecord): string =>
  (oidc?.redirect_uris ?? [acs, ...further_acs.map(({ url }) => url)]).join(', ');

/** Notifies the owners, because these addresses decide who receives the assertions or codes about people who sign in. */
const reportAddresses = async (
  tx: Transaction,
  parts: Parts,
  caller: Caller,
  before: string,
  { site: { domain, protocol }, current }: { site: SiteRecord; current: string },
) =>
  notifyOwners(tx, parts, caller, await findEffectiveOwners(tx, caller.network.id), {
    title: `The ${protocol === 'oidc' ? 'list of redirect URLs' : 'SSO ACS URL'} of ${domain} was changed`,
    event: `People who sign in to ${domain} are now sent to ${current}, no longer to ${before}.`,
    label: 'See the site',
    path: `sites?${new URLSearchParams({ search: domain })}`,
  });

/** Records only the changed fields, or all of them if the site is created or removed. */
export const auditSite = (
  tx: Transaction,
  caller: Caller,
  action: 'create' | 'update' | 'delete',
  before: SiteRecord | undefined,
  after: SiteRecord | undefined,
) =>
  recordAudit(tx, {
    ...actorOf(caller),
    action,
    object: 'site',
    subject: `site ${(after ?? before)?.domain}`,
    subject_key: `site:${(after ?? before)?.id ?? 0}`,
    old_data: before && changedFields(before, after),
    new_data: after && changedFields(after, before),
  });

/** The row version changes with every update and says nothing to a reader of the audit log. */
const changedFields = ({ version: _version, ...site }: SiteRecord, other: SiteRecord | undefined) =>
  other
    ? Object.fromEntries(
        Object.entries(site).filter(([key, value]) => !isDeepStrictEqual(value, other[key as keyof SiteRecord])),
      )
    : site;
