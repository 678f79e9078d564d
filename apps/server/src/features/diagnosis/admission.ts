import { createBudget } from '../../http/budgets.ts';
import {
  type ArrivalDraft,
  type ErrorPageDraft,
  type ExchangeDraft,
  requestAccepted,
} from '../../identity/site-exchanges.ts';

/** The maximum number of sites, senders or applications that are remembered. The least recently used one is forgotten first. */
const maximumKeys = 20_000;

/** Of sign-ins that succeed or wait for the person, one per site and minute is recorded in each process. */
const sampleInterval = 60_000;
/** Equal requests of an unknown application are counted once in this time. */
const arrivalInterval = 2_000;

/** The longest name that a network can have. Longer ones come from strangers and are not remembered. */
const maximumNetworkName = 63;

/** Whether a key was not used within the interval. Uses it if so. */
const createSampler = (interval: number, elapsed: () => number) => {
  const usedAt = new Map<string, number>();
  return {
    has: (key: string): boolean => usedAt.has(key),
    forget: (key: string): boolean => usedAt.delete(key),
    use: (key: string): boolean => {
      const last = usedAt.get(key);
      if (last !== undefined && elapsed() - last < interval) return false;
      usedAt.delete(key);
      usedAt.set(key, elapsed());
      const [oldest] = usedAt.keys();
      if (usedAt.size > maximumKeys && oldest !== undefined) usedAt.delete(oldest);
      return true;
    },
  };
};

const createLimit = (burst: number, perMinute: number, elapsed: () => number) => {
  const rate = { burst, perMinute };
  const budget = createBudget({ perVisitor: rate, unknownVisitors: rate, maximumBuckets: maximumKeys }, elapsed);
  return (key: string): boolean => budget.take({ key, isUnknown: false }) === 0;
};

/** The time of day, and a clock for intervals that nobody can set. */
type Clocks = { now: () => number; elapsed: () => number };

/**
 * Decides which exchanges a process records. Anybody can send requests, so that each sender has a limit at each site, and each site one for
 * all senders. Exchanges with a proven application or person have a limit of their own, so that strangers cannot use it up.
 */
export const createAdmission = ({ now, elapsed }: Clocks) => {
  const samples = createSampler(sampleInterval, elapsed);
  const arrivals = createSampler(arrivalInterval, elapsed);
  const perSender = createLimit(10, 10, elapsed);
  const perSite = createLimit(60, 30, elapsed);
  const newPerSender = createLimit(5, 1 / 12, elapsed);
  const newPerNetwork = createLimit(40, 10, elapsed);
  const pagesPerSender = createLimit(20, 10, elapsed);
  const pagesPerNetwork = createLimit(120, 60, elapsed);

  const admits = ({ site, sender, outcome, step, isVerified, userId, code }: ExchangeDraft): boolean => {
    if (site.kind !== 'site') return false;
    const isWatched = site.watched_until !== null && site.watched_until.getTime() > now();
    if (code === 'clock_behind') samples.forget(`${site.id} request ${requestAccepted}`);
    if (code === requestAccepted || (outcome !== 'refused' && !isWatched))
      return samples.use(`${site.id} ${step} ${code}`);
    const isProven = isVerified || userId !== undefined;
    if (!perSender(`${site.id} ${isProven} ${sender}`) || !perSite(`${site.id} ${isProven}`)) return false;
    // The next success is recorded too, because it says that the problem is solved.
    for (const answer of ['answer', 'token']) samples.forget(`${site.id} ${answer} signed_in`);
    return true;
  };

  const admitsArrival = ({ network, protocol, identity, address, sender }: ArrivalDraft): boolean => {
    if (network.length > maximumNetworkName || identity === '') return false;
    const key = JSON.stringify([network, protocol, identity.slice(0, 300), address.slice(0, 300)]);
    const isKnown = arrivals.has(key);
    if (!isKnown && !(newPerSender(`${network} ${sender}`) && newPerNetwork(network))) return false;
    return arrivals.use(key);
  };

  const admitsErrorPage = ({ network, userId, sender }: ErrorPageDraft): boolean => {
    if (network.length > maximumNetworkName) return false;
    const isKnown = userId !== undefined;
    return pagesPerSender(`${network} ${isKnown} ${sender}`) && pagesPerNetwork(`${network} ${isKnown}`);
  };

  return { admits, admitsArrival, admitsErrorPage };
};
