import type { Overview, OverviewPeriod, SignInStatistics } from '@opensocial/contract';
import type { Database, Queryable } from '../../database/connect.ts';
import { mainNetworkName } from '../../identity/membership.ts';
import { findMailQueue } from '../../jobs/mail-queue.ts';
import { canSendMail } from '../../mail/mailer.ts';
import type { Parts } from '../../parts.ts';
import { findAccountFailures } from '../sign-in/sign-in.service.ts';
import { findEndingCertificates } from '../signing-keys/signing-keys.expiries.service.ts';
import {
  announcedDays,
  type CountedNetwork,
  countMembers,
  countSomePeople,
  findCountedNetwork,
  findFailingAccounts,
  findLargeNetworks,
  findPeopleCounts,
  findUnusedAccounts,
  upsertPeopleCounts,
} from './overview.people.queries.ts';
import { areLinesCounted, type CountedLines, countLines, findStarts } from './overview.queries.ts';
import {
  countSites,
  countSiteUse,
  findFirstDay,
  findNetworksWithManySites,
  findSites,
  findSiteUse,
  upsertSiteUse,
} from './overview.sites.queries.ts';

/** The sign-ins of a network per hour or day of a time zone. */
export const readSignIns = async (
  db: Queryable,
  networkId: number,
  { period, zone, now = new Date() }: { period: OverviewPeriod; zone: string; now?: Date },
): Promise<SignInStatistics> => {
  const starts = await findStarts(db, { period, zone, now });
  const counted = await countLines(db, networkId, starts);
  return {
    unit: period === '24h' ? 'hour' : 'day',
    buckets: toBuckets(starts, counted),
    failures: toFailures(counted),
    is_complete: await areLinesCounted(db),
  };
};

const toBuckets = (starts: readonly Date[], counted: readonly CountedLines[]): SignInStatistics['buckets'] => {
  const buckets = starts.map((start) => ({ start: start.toISOString(), succeeded: 0, failed: 0 }));
  for (const { bucket, status, lines } of counted) {
    const found = buckets[bucket - 1];
    if (found) found[status === 'Success' ? 'succeeded' : 'failed'] += lines;
  }
  return buckets;
};

const toFailures = (counted: readonly CountedLines[]): SignInStatistics['failures'] => {
  const linesOf = new Map<string, number>();
  for (const { status, reason, lines } of counted)
    if (status === 'Failed') linesOf.set(reason, (linesOf.get(reason) ?? 0) + lines);
  return [...linesOf]
    .filter(([, lines]) => lines > 0)
    .map(([reason, lines]) => ({ reason, lines }))
    .toSorted((one, other) => other.lines - one.lines || one.reason.localeCompare(other.reason));
};

/** The rows that a card lists. */
const listed = 5;

/** The largest network whose people are counted while somebody waits. A job counts larger ones, once an hour. */
const peopleCountedAtOnce = 5_000;

const batchSize = 20_000;

/** Counts the people of a network in batches, because a network may have millions. */
const countPeople = async (db: Queryable, network: CountedNetwork) => {
  const sum = { people: 0, with_factor: 0, with_passkey: 0, unused: 0, unused_ids: [] as number[] };
  let after = 0;
  for (;;) {
    const batch = await countSomePeople(db, network, { after, size: batchSize });
    sum.people += batch.people;
    sum.with_factor += batch.with_factor;
    sum.with_passkey += batch.with_passkey;
    sum.unused += batch.unused;
    sum.unused_ids = await firstToBeDisabled(db, network, [...sum.unused_ids, ...batch.unusedIds]);
    if (batch.counted < batchSize) return { network_id: network.id, ...sum, counted_at: new Date() };
    after = batch.last_id;
  }
};

const storedIds = 20;

const firstToBeDisabled = async (db: Queryable, network: CountedNetwork, ids: number[]): Promise<number[]> =>
  ids.length <= storedIds ? ids : (await findUnusedAccounts(db, network, ids, storedIds)).map(({ id }) => id);

/** Counts people and sites of large networks whose counts are older than an hour. */
export const countLargeNetworks = async (
  db: Database,
  { people = peopleCountedAtOnce, sites = sitesCountedAtOnce } = {},
): Promise<void> => {
  for (const id of await findNetworksWithManySites(db, sites))
    await upsertSiteUse(db, await countSiteUse(db, id, listed));
  for (const network of await findLargeNetworks(db, people))
    await upsertPeopleCounts(db, await countPeople(db, network));
};

const readPeople = async (
  db: Database,
  network: CountedNetwork,
): Promise<Omit<Overview, 'sites' | 'certificates' | 'mail'>> => {
  const members = await countMembers(db, network.id);
  const counts =
    members.members <= peopleCountedAtOnce ? await countPeople(db, network) : await findPeopleCounts(db, network.id);
  const { people = 0, with_factor = 0, with_passkey = 0 } = counts ?? {};
  return {
    ...members,
    adoption: counts ? { people, with_factor, with_passkey, counted_at: counts.counted_at.toISOString() } : null,
    unused: network.inactivity === 0 || !counts ? null : await readUnused(db, network, counts),
    attacked: await readAttacked(db, network),
  };
};

/** The count may be an hour old; the listed accounts are still to be disabled. */
const readUnused = async (
  db: Database,
  network: CountedNetwork,
  { unused, unused_ids }: { unused: number; unused_ids: number[] },
): Promise<Overview['unused']> => {
  const accounts = await findUnusedAccounts(db, network, unused_ids, listed);
  return {
    days: announcedDays(network.inactivity),
    total: unused,
    accounts: accounts.map(({ disabledAt, ...account }) => ({ ...account, disabled_at: disabledAt.toISOString() })),
  };
};

/** An account is listed from this part of the failures that lock it. */
const listedPart = 0.5;

const readAttacked = async (db: Database, network: CountedNetwork): Promise<Overview['attacked']> => {
  const accounts = await findFailingAccounts(db, network, 200);
  const failures = new Map((await findAccountFailures(db, accounts)).map((counted) => [counted.email, counted]));
  return accounts
    .flatMap(({ failedTries: _tries, ...account }) => {
      const found = failures.get(account.email);
      if (!found || (found.lockedUntil === null && found.failures < found.limit * listedPart)) return [];
      const { failures: failed, limit, lockedUntil } = found;
      return [{ ...account, failures: failed, limit, locked_until: lockedUntil?.toISOString() ?? null }];
    })
    .toSorted((one, other) => other.failures / other.limit - one.failures / one.limit || one.id - other.id)
    .slice(0, listed);
};

/** The largest number of sites whose use is counted while somebody waits. */
const sitesCountedAtOnce = 1_000;

/** The stored order may be an hour old; the numbers and names are current, and a site that has been used meanwhile is left out. */
const readSites = async (db: Database, networkId: number): Promise<Overview['sites']> => {
  const total = await countSites(db, networkId);
  const stored = total > sitesCountedAtOnce ? await findSiteUse(db, networkId) : undefined;
  const { unused, used_ids, unused_ids } = stored ?? (await countSiteUse(db, networkId, listed));
  const found = await findSites(db, networkId, [...used_ids, ...unused_ids]);
  const byId = new Map(found.map((site) => [site.id, site]));
  const mostUsed = used_ids
    .flatMap((id) => byId.get(id) ?? [])
    .toSorted((one, other) => other.succeeded - one.succeeded);
  const neverUsed = unused_ids.flatMap((id) => byId.get(id) ?? []).filter(({ succeeded }) => succeeded === 0);
  return {
    total,
    most_used: mostUsed.map(({ created_at: _created, ...site }) => site),
    never_used: {
      total: unused,
      sites: neverUsed.map(({ id, site_name, domain, created_at }) => ({
        id,
        site_name,
        domain,
        created_at: created_at.toISOString(),
      })),
    },
    since: await findFirstDay(db, networkId),
  };
};

const readCertificates = async (db: Database, networkId: number): Promise<Overview['certificates']> => {
  const ending = await findEndingCertificates(db, networkId);
  return {
    total: ending.length,
    ending: ending.slice(0, listed).map(({ site, notAfter }) => ({
      site: site ? { id: site.id, site_name: site.site_name, domain: site.domain } : null,
      use: site?.use ?? ('identity_provider' as const),
      not_after: notAfter.toISOString(),
    })),
  };
};

/** Everything but the sign-ins. The queue of mails is of the whole installation, so only owners of the main network see it. */
export const readOverview = async ({ db, config }: Parts, networkId: number): Promise<Overview> => {
  const network = await findCountedNetwork(db, networkId);
  if (!network) throw new Error('The network has no settings.');
  const [people, sites, certificates, queue] = await Promise.all([
    readPeople(db, network),
    readSites(db, networkId),
    readCertificates(db, networkId),
    network.name === mainNetworkName ? findMailQueue(db) : null,
  ]);
  return {
    ...people,
    sites,
    certificates,
    mail: {
      delivery: canSendMail(config) ? 'smtp' : 'outbox',
      queue: queue && { ...queue, oldest_at: queue.oldest_at?.toISOString() ?? null },
    },
  };
};
