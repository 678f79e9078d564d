import type { Task } from 'graphile-worker';
import { ResponseTooLargeError } from '../../http/outbound.ts';
import { consumeQuota } from '../../http/throttle.ts';
import type { Parts } from '../../parts.ts';
import { releaseSites } from './sites.polling.queries.ts';
import { isOver, type PollGroup, pollDueSites } from './sites.polling.service.ts';
import { findRefreshes, refreshPolls } from './sites.refresh.queries.ts';
import { reportRefreshes } from './sites.refresh.report.service.ts';
import { type Refreshed, recordFailures, refreshSites } from './sites.refresh.service.ts';

/** The limits of one run. Runs follow each other every ten minutes, so each host gets at most three requests a minute. */
const limits = { total: 300, perNetwork: 100, perHost: 30 };

/** The number of requests at the same time. */
const concurrency = 4;

/**
 * After this time a run starts no further requests, and after half as much again none for a large document, so that slow addresses cannot
 * keep every run from reading one. The requests in progress end within a minute. */
const runDuration = 150_000;

/** For each request and each redirect. */
const timeout = 15_000;

/** A document with one service provider is not larger. */
const smallBytes = 2 * 1024 * 1024;

/** Larger documents need much memory and time, so they are read one after the other, and not too many for each network. */
const largeQuota = { limit: 20, minutes: 24 * 60 };

const tooManyLarge = `The document is larger than 2 MB, and this network has read ${largeQuota.limit} of that size today.`;

type RunOptions = { signal?: AbortSignal; duration?: number };

/**
 * Reads the metadata of the sites that are due. The run does not end with the first address that fails in an unexpected way: the sites of
 * such an address are claimed again an hour later.
 */
export const refreshDueSites = async (
  parts: Parts,
  { signal, duration = runDuration }: RunOptions = {},
): Promise<void> => {
  const { db, log } = parts;
  const end = performance.now() + duration;
  const large: PollGroup[] = [];
  const read = async (group: PollGroup, maximumBytes?: number) => {
    const options = { timeout, ...(signal && { signal }), ...(maximumBytes !== undefined && { maximumBytes }) };
    try {
      await refreshSites(parts, await findTargets(parts, group), options);
    } catch (error) {
      if (error instanceof ResponseTooLargeError) large.push(group);
      else if (signal?.aborted) await releaseSites(db, refreshPolls, group.siteIds);
      else log.error({ err: error, part: 'jobs' }, 'The metadata of sites could not be refreshed.');
    }
  };
  await pollDueSites(db, { kind: refreshPolls, limits, concurrency, end, signal }, (group) => read(group, smallBytes));
  for (const group of large) {
    if (isOver({ end: end + duration / 2, signal })) await releaseSites(db, refreshPolls, group.siteIds);
    else if (await consumeQuota(db, [`metadata:large:${group.networkId}`], largeQuota)) await read(group);
    else await recordFailures(db, await findTargets(parts, group), tooManyLarge);
  }
};

const findTargets = async ({ db }: Parts, { siteIds }: PollGroup): Promise<Refreshed[]> =>
  (await findRefreshes(db, siteIds)).flatMap(({ site, state }) => (state ? [{ site, state }] : []));

export const refreshMetadataTask =
  (parts: Parts): Task =>
  (_payload, { abortSignal }) =>
    refreshDueSites(parts, abortSignal ? { signal: abortSignal } : {});

export const reportMetadataTask =
  (parts: Parts): Task =>
  () =>
    reportRefreshes(parts);
