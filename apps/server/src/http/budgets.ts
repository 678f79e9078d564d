type Rate = { burst: number; perMinute: number };

/** Whom something is charged to: an address, a known device or a session. All strangers share one more bucket. */
export type Visitor = { key: string; isStranger: boolean };

export type Budget = {
  /** Takes one. Answers 0, or after how many seconds there will be one again. */
  take: (visitor: Visitor) => number;
};

type Rates = {
  /** For one visitor. */
  each: Rate;
  /** For all strangers together, in one process. */
  strangers: Rate;
  /** Visitors that are remembered; the one not seen for longest is forgotten first. */
  remembered: number;
};

/**
 * Token buckets in memory: how much a process lets visitors leave in the database before they have signed in. They need not
 * hold across processes, because they bound the growth of tables and not the number of guesses. A bucket is the moment at
 * which it will be full again (GCRA), so that nothing is counted in fractions.
 */
export const createBudget = ({ each, strangers, remembered }: Rates, now: () => number = Date.now): Budget => {
  const buckets = new Map<string, number>();
  let shared = 0;

  const remember = (key: string, fullAt: number): void => {
    buckets.delete(key);
    buckets.set(key, fullAt);
    const [oldest] = buckets.keys();
    if (buckets.size > remembered && oldest !== undefined) buckets.delete(oldest);
  };

  return {
    take: ({ key, isStranger }) => {
      const at = now();
      const own = Math.max(buckets.get(key) ?? 0, at);
      const all = Math.max(shared, at);
      const wait = Math.max(waitUntil(own, each, at), isStranger ? waitUntil(all, strangers, at) : 0);
      remember(key, wait > 0 ? own : own + costOf(each));
      if (wait === 0 && isStranger) shared = all + costOf(strangers);
      return Math.ceil(wait / 1_000);
    },
  };
};

/** Milliseconds in which one is gained. */
const costOf = ({ perMinute }: Rate): number => 60_000 / perMinute;

/** Milliseconds until a bucket that will be full at a moment has one to give. */
const waitUntil = (fullAt: number, rate: Rate, at: number): number =>
  Math.max(0, fullAt - at - (rate.burst - 1) * costOf(rate));

/** A laboratory of several hundred people behind one address starts its day within the burst. */
const each: Rate = { burst: 600, perMinute: 120 };

export type Budgets = { signIns: Budget; logouts: Budget };

export const createBudgets = (now: () => number = Date.now): Budgets => {
  const rates: Rates = { each, strangers: { burst: 3_000, perMinute: 3_000 }, remembered: 50_000 };
  return { signIns: createBudget(rates, now), logouts: createBudget(rates, now) };
};
