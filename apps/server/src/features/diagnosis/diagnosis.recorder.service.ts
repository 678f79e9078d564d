import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../database/connect.ts';
import { clean, cleanMessage, cleanText } from '../../identity/redaction.ts';
import type { ArrivalDraft, ErrorPageDraft, ExchangeDraft, ExchangeRecorder } from '../../identity/site-exchanges.ts';
import { createAdmission } from './admission.ts';
import {
  type Arrival,
  type ErrorPage,
  type Exchange,
  findAddressees,
  insertErrorPages,
  trimArrivals,
  trimErrorPages,
  trimExchanges,
  upsertArrivals,
  upsertExchanges,
} from './diagnosis.recorder.queries.ts';

/** The maximum number of different exchanges that wait to be written. Further ones are dropped. */
const maximumWaiting = 400;

/** Exchanges of this time are written together. */
const writeInterval = 200;

/** The time that a stopping server waits for the last write, because the database may not answer. */
const stopTimeout = 1_000;

type RecorderOptions = { now?: () => number };

/**
 * Collects exchanges and writes them together, in one connection at a time. They are dropped if too many wait, if requests wait for a
 * connection, or if the database cannot be reached, because recording must not slow down or fail a sign-on.
 */
export const createExchangeRecorder = (db: Database, log: Logger, { now }: RecorderOptions = {}): ExchangeRecorder => {
  const admission = createAdmission({ now: now ?? Date.now, elapsed: now ?? (() => performance.now()) });
  let exchanges = new Map<string, Exchange>();
  let arrivals = new Map<string, Arrival>();
  let errorPages: ErrorPage[] = [];
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const countWaiting = (): number => exchanges.size + arrivals.size + errorPages.length;

  const writeBatch = async (): Promise<void> => {
    const batch = { exchanges: [...exchanges.values()], arrivals: [...arrivals.values()], errorPages };
    exchanges = new Map();
    arrivals = new Map();
    errorPages = [];
    if (db.$client.waitingCount > 0) return;
    try {
      await write(db, batch);
    } catch (error) {
      log.debug({ err: error }, 'Exchanges with sites were not recorded.');
    }
  };

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    await writing;
    if (countWaiting() === 0) return;
    writing = writeBatch();
    await writing;
  };

  const scheduleWrite = (): void => {
    timer ??= setTimeout(() => void flush(), writeInterval).unref();
  };

  const add = <Item extends { times: number }>(waiting: Map<string, Item>, key: string, item: Item): void => {
    const same = waiting.get(key);
    if (!same && countWaiting() >= maximumWaiting) return;
    waiting.set(key, same ? { ...item, times: same.times + 1 } : item);
    scheduleWrite();
  };

  /** Logs an error instead of throwing it, because a request must not fail if it cannot be recorded. */
  const quietly = (work: () => void): void => {
    if (isStopped) return;
    try {
      work();
    } catch (error) {
      log.debug({ err: error }, 'An exchange with a site was not recorded.');
    }
  };

  return {
    record: (draft) =>
      quietly(() => {
        if (!admission.admits(draft)) return;
        const exchange = toExchange(draft, new Date(now?.() ?? Date.now()));
        add(exchanges, `${exchange.site_id} ${exchange.digest}`, exchange);
      }),
    recordArrival: (draft) =>
      quietly(() => {
        if (!admission.admitsArrival(draft)) return;
        const arrival = toArrival(draft);
        add(arrivals, JSON.stringify([arrival.network, arrival.protocol, arrival.identity, arrival.address]), arrival);
      }),
    recordErrorPage: (draft) =>
      quietly(() => {
        if (countWaiting() >= maximumWaiting || !admission.admitsErrorPage(draft)) return;
        errorPages.push(toErrorPage(draft));
        scheduleWrite();
      }),
    flush,
    stop: async () => {
      isStopped = true;
      await Promise.race([flush(), delay(stopTimeout, undefined, { ref: false })]);
    },
  };
};

const toExchange = (
  { site, userId, step, outcome, code, isVerified, facts }: ExchangeDraft,
  at = new Date(),
): Exchange => {
  const cleaned = clean(facts()) as Exchange['facts'];
  // Times differ between exchanges that are otherwise equal.
  const { issuedAt: _issued, receivedAt: _received, ...lasting } = cleaned;
  const digest = createHash('sha256')
    .update(JSON.stringify([userId ?? null, step, outcome, code, isVerified, lasting]))
    .digest('base64url');
  return {
    site_id: site.id,
    user_id: userId ?? null,
    step,
    outcome,
    code,
    is_verified: isVerified,
    digest,
    times: 1,
    at: at.toISOString(),
    facts: cleaned,
  };
};

const toArrival = ({ network, protocol, identity, address }: ArrivalDraft): Arrival => ({
  network: cleanText(network),
  protocol,
  identity: cleanText(identity),
  address: cleanText(address),
  times: 1,
});

/** The longest message of a closed site fits. */
const maximumMessage = 1_000;

const toErrorPage = ({ network, reference, siteId, userId, lineId, title, message }: ErrorPageDraft): ErrorPage => ({
  network: cleanText(network),
  reference,
  site_id: siteId ?? null,
  user_id: userId ?? null,
  line_id: lineId ?? null,
  title: cleanText(title),
  message: cleanMessage(message, maximumMessage),
});

type Batch = { exchanges: Exchange[]; arrivals: Arrival[]; errorPages: ErrorPage[] };

const write = async (db: Database, { exchanges, arrivals, errorPages }: Batch): Promise<void> => {
  if (errorPages.length > 0) {
    await insertErrorPages(db, errorPages);
    await trimErrorPages(db, [...new Set(errorPages.map(({ network }) => network))]);
  }
  const addressed = arrivals.length > 0 ? await findAddressees(db, arrivals) : [];
  const toSites = [...exchanges, ...addressed.map(({ arrival, siteId }) => toMisaddressed(arrival, siteId))];
  if (toSites.length > 0) {
    await upsertExchanges(db, toSites);
    await trimExchanges(db, [...new Set(toSites.map(({ site_id }) => site_id))]);
  }
  const isOfSite = new Set(addressed.filter(({ isExact }) => isExact).map(({ arrival }) => arrival));
  const unknown = arrivals.filter((arrival) => !isOfSite.has(arrival));
  if (unknown.length > 0) {
    await upsertArrivals(db, unknown);
    await trimArrivals(db, [...new Set(unknown.map(({ network }) => network))]);
  }
};

/** A request with an unknown name, but with an address of a registered site: the site has another name there. */
const toMisaddressed = ({ protocol, identity, address, times }: Arrival, siteId: number): Exchange => ({
  ...toExchange({
    site: { id: siteId, kind: 'site', watched_until: null },
    step: 'request',
    outcome: 'refused',
    code: protocol === 'saml' ? 'issuer_unknown' : 'client_unknown',
    isVerified: false,
    sender: '',
    facts: () =>
      protocol === 'saml' ? { issuer: identity, acs: address } : { clientId: identity, redirectUri: address },
  }),
  times,
});
