import { describe, expect, test } from 'vitest';
import { createBudget } from './budgets.ts';

const unknown = (key: string) => ({ key, isUnknown: true });
const known = (key: string) => ({ key, isUnknown: false });

const setUp = (changes: Partial<Parameters<typeof createBudget>[0]> = {}) => {
  let now = 0;
  const rates = {
    perVisitor: { burst: 3, perMinute: 6 },
    unknownVisitors: { burst: 5, perMinute: 60 },
    maximumBuckets: 100,
    ...changes,
  };
  const budget = createBudget(rates, () => now);
  return {
    budget,
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
    takeAll: (visitor: { key: string; isUnknown: boolean }, times: number) =>
      Array.from({ length: times }, () => budget.take(visitor)),
  };
};

describe('a budget', () => {
  test('allows a burst, returns the time until the next token, and refills gradually', () => {
    const { takeAll, pass } = setUp();
    expect(takeAll(unknown('a'), 5)).toEqual([0, 0, 0, 10, 10]);
    pass(9);
    expect(takeAll(unknown('a'), 1)).toEqual([1]);
    pass(1);
    expect(takeAll(unknown('a'), 2)).toEqual([0, 10]);
    pass(3_600);
    expect(takeAll(unknown('a'), 4)).toEqual([0, 0, 0, 10]);
  });

  test('exists for each visitor, and once more for all unknown visitors together', () => {
    const { takeAll, pass } = setUp();
    expect(takeAll(unknown('a'), 3)).toEqual([0, 0, 0]);
    expect(takeAll(unknown('b'), 3)).toEqual([0, 0, 1]);
    expect(takeAll(known('c'), 4)).toEqual([0, 0, 0, 10]);
    pass(1);
    expect(takeAll(unknown('d'), 2)).toEqual([0, 1]);
  });

  test('is not charged for a refusal', () => {
    const { takeAll, pass } = setUp({ unknownVisitors: { burst: 1, perMinute: 60 } });
    expect(takeAll(unknown('a'), 1)).toEqual([0]);
    expect(takeAll(unknown('b'), 50)).not.toContain(0);
    pass(1);
    expect(takeAll(unknown('b'), 1)).toEqual([0]);
  });

  test('stores a limited number of buckets; 10,000 unknown visitors share one more bucket', () => {
    const { budget } = setUp({ maximumBuckets: 10 });
    const granted = Array.from({ length: 10_000 }, (_, index) => budget.take(unknown(`${index}`))).filter(
      (wait) => wait === 0,
    );
    expect(granted).toHaveLength(5);
  });
});
