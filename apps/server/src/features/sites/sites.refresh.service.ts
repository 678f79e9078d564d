import { createHash } from 'node:crypto';
import { ApiError, type SiteRefresh } from '@opensocial/contract';
import { readSpMetadataOf, SamlError, type SpDescription } from '@opensocial/saml';
import { ZodError } from 'zod';
import type { Queryable } from '../../database/connect.ts';
import { OutboundError, ResponseTooLargeError } from '../../http/outbound.ts';
import { toUtcDay } from '../../mail/utc-dates.ts';
import type { Parts } from '../../parts.ts';
import {
  CompleteParameters,
  compareWithMetadata,
  type Difference,
  digestOf,
  FoundParameters,
  toFound,
} from './sites.differences.ts';
import { explainFault, fetchChangedMetadata, type LoadedMetadata } from './sites.metadata.service.ts';
import { deleteFormerStates } from './sites.polling.queries.ts';
import type { SiteRecord } from './sites.queries.ts';
import { findRefreshes, type RefreshRecord, refreshPolls, updateRefresh } from './sites.refresh.queries.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A site with the state of its refresh. */
export type Refreshed = { site: SiteRecord; state: RefreshRecord };

/** The differences between the metadata that was last read and the parameters of a site. */
export const differencesOf = (site: SiteRecord, state: Pick<RefreshRecord, 'found'> | null): Difference[] => {
  // A state that another version of this program has stored may lack fields.
  const found = FoundParameters.safeParse(state?.found);
  return found.success ? compareWithMetadata(site, found.data) : [];
};

export const findRefresh = async (db: Queryable, siteId: number) => {
  const [found] = await findRefreshes(db, [siteId]);
  if (!found) throw new ApiError('not_found');
  return found;
};

export const readRefresh = async (db: Queryable, siteId: number): Promise<SiteRefresh> => {
  const { site, state } = await findRefresh(db, siteId);
  const differences = differencesOf(site, state);
  const at = (moment: Date | null | undefined) => moment?.toISOString() ?? null;
  return {
    metadata_url: site.metadata_url ?? '',
    tried_at: at(state?.tried_at),
    read_at: at(state?.read_at),
    next_at: at(state?.next_at),
    failure: state?.failure ?? '',
    failing_since: at(state?.failing_since),
    valid_until: at(state?.valid_until),
    differences: differences.map(({ changes: _changes, ...difference }) => difference),
    digest: digestOf(differences),
  };
};

/** Counts the differences again after the parameters of a site have changed. */
export const recountDifferences = async (tx: Queryable, site: SiteRecord): Promise<void> => {
  await deleteFormerStates(tx, refreshPolls, site.id);
  const { state } = await findRefresh(tx, site.id);
  if (state) await updateRefresh(tx, state, { differences: differencesOf(site, state).length });
};

type ReadingOptions = {
  /** A larger document is not recorded as a failure: the error is thrown. */
  maximumBytes?: number;
  timeout?: number;
  signal?: AbortSignal;
};

/**
 * Reads the metadata of sites that have the same address, and stores the outcome for each of them. The sites themselves are not changed:
 * metadata is not signed, and decides where assertions are sent.
 */
export const refreshSites = async (
  { db, config }: Pick<Parts, 'db' | 'config'>,
  targets: readonly Refreshed[],
  options: ReadingOptions = {},
): Promise<void> => {
  const [first] = targets;
  if (!first) return;
  const request = { url: first.state.url, allowsPrivate: config.allowsPrivateTargets, ...options };
  try {
    const loaded = await fetchChangedMetadata(request, commonValidators(targets));
    const found = loaded && (await readSites(loaded, targets));
    for (const target of targets) await recordOutcome(db, target, () => outcomeOf(target, loaded, found));
  } catch (error) {
    const isTooLarge = options.maximumBytes !== undefined && error instanceof ResponseTooLargeError;
    // A shutdown is no failure of the address.
    if (isTooLarge || options.signal?.aborted) throw error;
    await recordFailures(db, targets, explainReading(error));
  }
};

/** Stores a failure for each of the sites. */
export const recordFailures = async (db: Queryable, targets: readonly Refreshed[], failure: string): Promise<void> => {
  for (const { state } of targets) await recordFailure(db, state, failure);
};

const readSites = async ({ bytes }: LoadedMetadata, targets: readonly Refreshed[]) => {
  try {
    return await readSpMetadataOf(bytes, [...new Set(targets.map(({ site }) => site.identity))]);
  } catch (cause) {
    if (cause instanceof SamlError) throw new ReadingError(explainFault(cause, bytes), { cause });
    throw cause;
  }
};

/** A request is conditional if all sites have read the same document, and this version of the program can use what was read. */
const commonValidators = (targets: readonly Refreshed[]) => {
  const known = new Set(
    targets.map(({ state: { found, etag, last_modified } }) =>
      CompleteParameters.safeParse(found).success ? JSON.stringify([etag, last_modified]) : '',
    ),
  );
  const [first] = targets;
  if (known.size !== 1 || known.has('') || !first) return { etag: '', lastModified: '' };
  return { etag: first.state.etag, lastModified: first.state.last_modified };
};

type Outcome = Pick<RefreshRecord, 'found' | 'etag' | 'last_modified' | 'valid_until'>;

const outcomeOf = (
  { site, state }: Refreshed,
  loaded: LoadedMetadata | undefined,
  found: Map<string, SpDescription | SamlError> | undefined,
): Outcome => {
  if (!loaded) return state;
  const description = found?.get(site.identity);
  if (!description || description instanceof SamlError)
    throw new ReadingError(description ? explainFault(description, loaded.bytes) : 'The metadata is empty.');
  return {
    found: toFound(description),
    etag: toStored(loaded.etag),
    last_modified: toStored(loaded.lastModified),
    valid_until: description.validUntil ?? null,
  };
};

/** A header value that is sent back. Longer ones are not worth it. */
const toStored = (header: string): string => (header.length <= 200 ? header : '');

/** A failure with a sentence for the owners. */
class ReadingError extends Error {}

const recordOutcome = async (db: Queryable, { site, state }: Refreshed, read: () => Outcome): Promise<void> => {
  const now = new Date();
  try {
    const outcome = read();
    if (outcome.valid_until && outcome.valid_until <= now) {
      await recordFailure(db, state, expirySentence(outcome.valid_until), { valid_until: outcome.valid_until });
      return;
    }
    await updateRefresh(db, state, {
      ...outcome,
      tried_at: now,
      read_at: now,
      next_at: nextDaily(state.url, now),
      failures: 0,
      failing_since: null,
      failure: '',
      differences: differencesOf(site, outcome).length,
    });
  } catch (error) {
    await recordFailure(db, state, explainReading(error));
  }
};

const expirySentence = (validUntil: Date): string => `The metadata expired on ${toUtcDay(validUntil)}.`;

/** What went wrong, as a sentence for the owners. Faults of ours are thrown again. */
const explainReading = (error: unknown): string => {
  if (error instanceof OutboundError || error instanceof ReadingError) return error.message;
  if (!(error instanceof ZodError)) throw error;
  const [issue] = error.issues;
  return `The metadata has a value that cannot be used (${String(issue?.path[0] ?? '')}). ${issue?.message ?? ''}`.trim();
};

const longestPause = 3 * day;

const recordFailure = (db: Queryable, state: RefreshRecord, failure: string, changes: Partial<RefreshRecord> = {}) => {
  const now = new Date();
  const pause = Math.min(hour * 2 ** Math.min(state.failures, 20), longestPause);
  return updateRefresh(db, state, {
    tried_at: now,
    next_at: new Date(now.getTime() + pause),
    failures: state.failures + 1,
    failing_since: state.failing_since ?? now,
    failure,
    ...changes,
  });
};

/**
 * The next reading: at a time of the day that depends on the address, at least twelve hours from now. This spreads the addresses over the
 * day, and brings the sites that share an address together.
 */
const nextDaily = (url: string, now: Date): Date => {
  const slot = createHash('sha256').update(url).digest().readUInt32BE() % day;
  const at = Math.floor(now.getTime() / day) * day + slot;
  const earliest = now.getTime() + 12 * hour;
  return new Date(at + Math.max(0, Math.ceil((earliest - at) / day)) * day);
};
