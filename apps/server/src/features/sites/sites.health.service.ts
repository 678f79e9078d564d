import type { SiteHealth } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import { callOutbound, describeRefusedTarget, OutboundError, TargetRefusedError } from '../../http/outbound.ts';
import type { Parts } from '../../parts.ts';
import { readVersion } from '../audit/audit.service.ts';
import { countRefusedRequests } from '../diagnosis/diagnosis.service.ts';
import { describeCertificates } from '../signing-keys/signing-keys.service.ts';
import { findCheck, findRecentSignIns, updateChecks } from './sites.health.queries.ts';
import type { SiteRecord } from './sites.queries.ts';
import { findRefresh } from './sites.refresh.service.ts';

type Outcome = { outcome: 'reached' | 'failed' | 'skipped'; detail: string };

/** A proxy gives these answers while the application behind it is down. */
const gatewayErrors = new Set([502, 503, 504]);

/**
 * Requests an address without any parameter. Every answer shows that the application is there: addresses for responses usually answer such a
 * request with an error, because it contains no response.
 */
const checkAddress = async (
  url: string,
  { allowsPrivate, signal }: { allowsPrivate: boolean; signal?: AbortSignal },
): Promise<Outcome> => {
  try {
    const headers = { 'user-agent': 'OpenSocial-SSO-check' };
    const { status } = await callOutbound({ url, method: 'HEAD', headers, allowsPrivate, ...(signal && { signal }) });
    return gatewayErrors.has(status)
      ? { outcome: 'failed', detail: `The address answered ${status}: the application behind it is not available.` }
      : { outcome: 'reached', detail: '' };
  } catch (error) {
    // A shutdown is no failure of the address.
    if (signal?.aborted || !(error instanceof OutboundError)) throw error;
    return { outcome: error instanceof TargetRefusedError ? 'skipped' : 'failed', detail: error.message };
  }
};

/** Checks an address of one or more sites, and stores the outcome for each of them. */
export const checkSites = async (
  { db, config }: Pick<Parts, 'db' | 'config'>,
  target: { url: string; siteIds: readonly number[] },
  signal?: AbortSignal,
): Promise<void> => {
  const options = { allowsPrivate: config.allowsPrivateTargets, ...(signal && { signal }) };
  await updateChecks(db, target, await checkAddress(target.url, options));
};

/**
 * When the first of the certificates that a site needs ends. Of several certificates for the same use, the last one counts: the others are
 * there for a change of keys. The one for encryption counts while the site encrypts.
 */
export const certificateEndOf = (
  site: Pick<SiteRecord, 'certificate' | 'encryption_certificate' | 'encrypts'>,
): string | null => {
  const ends = [site.certificate, site.encrypts ? site.encryption_certificate : null].flatMap((certificates) => {
    const moments = describeCertificates(certificates).map(({ notAfter }) => notAfter.getTime());
    return moments.length > 0 ? [Math.max(...moments)] : [];
  });
  return ends.length > 0 ? new Date(Math.min(...ends)).toISOString() : null;
};

const toMoment = (moment: Date | null | undefined): string | null => moment?.toISOString() ?? null;

const toCheck = (check: Awaited<ReturnType<typeof findCheck>>['check']): SiteHealth['check'] =>
  check?.outcome && check.tried_at
    ? {
        outcome: check.outcome,
        detail: check.detail,
        tried_at: check.tried_at.toISOString(),
        reached_at: toMoment(check.reached_at),
        failing_since: toMoment(check.failing_since),
      }
    : null;

const readMetadata = async (db: Queryable, siteId: number): Promise<SiteHealth['metadata']> => {
  const { site, state } = await findRefresh(db, siteId);
  return site.metadata_url === null
    ? null
    : {
        url: site.metadata_url,
        read_at: toMoment(state?.read_at),
        failure: state?.failure ?? '',
        failing_since: toMoment(state?.failing_since),
      };
};

export const readHealth = async ({ db, config }: Pick<Parts, 'db' | 'config'>, siteId: number): Promise<SiteHealth> => {
  // The version comes first: one that is newer than the values would hide a change.
  const version = await readVersion(db, `site:${siteId}`);
  const { site, address, check } = await findCheck(db, siteId);
  return {
    version,
    checks_reachability: site.checks_reachability,
    shows_unreachable: site.shows_unreachable,
    address: address ?? '',
    unchecked_because: describeRefusedTarget(address ?? '', config.allowsPrivateTargets),
    check: toCheck(check),
    metadata: await readMetadata(db, siteId),
    certificate_ends: certificateEndOf(site),
    recent_sign_ins: await findRecentSignIns(db, siteId),
    refused_requests: await countRefusedRequests(db, siteId),
  };
};
