import { vi } from 'vitest';

/**
 * Repeats a check until it passes, and returns its result. The limit is far above what any check needs, because the
 * machine may be several times slower than a developer's: a short limit would fail tests that are right.
 */
export const eventually = <Result>(check: () => Result, interval = 30): Promise<Awaited<Result>> =>
  vi.waitFor(check, { timeout: 90_000, interval }) as Promise<Awaited<Result>>;
