import type { Task } from 'graphile-worker';
import type { Parts } from '../../parts.ts';
import { checkPolls } from './sites.health.queries.ts';
import { checkSites } from './sites.health.service.ts';
import { releaseSites } from './sites.polling.queries.ts';
import { type PollGroup, pollDueSites } from './sites.polling.service.ts';

/** The limits of one run. Runs follow each other every ten minutes, so each host gets at most three requests a minute. */
const limits = { total: 600, perNetwork: 200, perHost: 30 };

const concurrency = 8;

/** In milliseconds. After this time a run starts no further requests. */
const runDuration = 100_000;

/** Checks the sites that are due. A check that fails in an unexpected way does not end the run: it is made again an hour later. */
export const checkDueSites = async (parts: Parts, signal?: AbortSignal): Promise<void> => {
  const { db, log } = parts;
  const check = async (group: PollGroup) => {
    try {
      await checkSites(parts, group, signal);
    } catch (error) {
      if (signal?.aborted) await releaseSites(db, checkPolls, group.siteIds);
      else log.error({ err: error, part: 'jobs' }, 'Sites could not be checked.');
    }
  };
  await pollDueSites(
    db,
    { kind: checkPolls, limits, concurrency, end: performance.now() + runDuration, signal },
    check,
  );
};

export const checkSitesTask =
  (parts: Parts): Task =>
  (_payload, { abortSignal }) =>
    checkDueSites(parts, abortSignal);
