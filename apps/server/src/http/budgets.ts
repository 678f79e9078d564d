/** Milliseconds of a clock that nobody can set: with the time of day, a clock that is set back would block visitors until it has caught up. */
const elapsed = () => performance.now();

type Rate = { burst: number; perMinute: number };

/** The visitor whose bucket is charged: an address, a known device or a person. All unknown visitors together are charged to one more bucket. */
export type Visitor = { key: string; isUnknown: boolean };

export type Budget = {
  /** Takes one token. Returns 0, or the number of seconds until the next token is available. */
  take: (visitor: Visitor) => number;
};

type Rates = {
  /** The rate of each visitor. */
  perVisitor: Rate;
  /** The rate of all unknown visitors together, in one process. */
  unknownVisitors: Rate;
  /** The maximum number of buckets. The least recently used one is dropped first. */
  maximumBuckets: number;
};

/**
 * Token buckets in memory, for the rows that visitors may insert before they have signed in. They are not shared between processes,
 * because they limit the growth of tables and not the number of guesses. A bucket is stored as the time at which it will be full again
 * (GCRA), so that no fractions of tokens are counted.
 */
export const createBudget = (
  { perVisitor, unknownVisitors, maximumBuckets }: Rates,
  now: () => number = elapsed,
): Budget => {
  const buckets = new Map<string, number>();
  let shared = 0;

  const store = (key: string, fullAt: number): void => {
    buckets.delete(key);
    buckets.set(key, fullAt);
    const [oldest] = buckets.keys();
    if (buckets.size > maximumBuckets && oldest !== undefined) buckets.delete(oldest);
  };

  return {
    take: ({ key, isUnknown }) => {
      const at = now();
      const own = Math.max(buckets.get(key) ?? 0, at);
      const all = Math.max(shared, at);
      const wait = Math.max(waitUntil(own, perVisitor, at), isUnknown ? waitUntil(all, unknownVisitors, at) : 0);
      store(key, wait > 0 ? own : own + costOf(perVisitor));
      if (wait === 0 && isUnknown) shared = all + costOf(unknownVisitors);
      return Math.ceil(wait / 1_000);
    },
  };
};

/** The milliseconds in which a bucket gains one token. */
const costOf = ({ perMinute }: Rate): number => 60_000 / perMinute;

/** The milliseconds until a bucket has a token, by the time at which it will be full. */
const waitUntil = (fullAt: number, rate: Rate, at: number): number =>
  Math.max(0, fullAt - at - (rate.burst - 1) * costOf(rate));

/** The burst is enough for an organisation of several hundred people behind one address at the start of a working day. */
const perVisitor: Rate = { burst: 600, perMinute: 120 };

export type Budgets = { signIns: Budget; logouts: Budget };

export const createBudgets = (now: () => number = elapsed): Budgets => {
  const rates: Rates = { perVisitor, unknownVisitors: { burst: 3_000, perMinute: 3_000 }, maximumBuckets: 50_000 };
  return { signIns: createBudget(rates, now), logouts: createBudget(rates, now) };
};
