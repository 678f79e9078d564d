import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { throttles } from '../database/schema.ts';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';
import { consumeQuota, countAttempt, findFailures, findLockEnds } from './throttle.ts';

let db: TestApp['db'];
beforeAll(async () => {
  ({ db } = await buildTestApp());
});

/** A row that was locked, or used up, while the clock was a day ahead. */
const lockAhead = async (): Promise<string> => {
  const key = crypto.randomUUID();
  const ahead = sql`now() + interval '1 day'`;
  const blocked_until = sql`now() + interval '1 day 15 minutes'`;
  await db.insert(throttles).values({ key, failures: 10, blocked_until, updated_at: ahead });
  return key;
};

describe('after a clock was set back', () => {
  test('a lock from the time before does not last until the clock has caught up', async () => {
    const key = await lockAhead();
    expect(await findLockEnds(db, [key])).toEqual(new Map());
    expect(await findFailures(db, [key])).toEqual(new Map());
    expect(await countAttempt(db, key, { limit: 3 })).toEqual({ blockedFor: 0 });
    for (let attempt = 0; attempt < 2; attempt += 1) await countAttempt(db, key, { limit: 3 });
    const { blockedFor } = await countAttempt(db, key, { limit: 3 });
    expect(blockedFor).toBeGreaterThan(800);
    expect(blockedFor).toBeLessThanOrEqual(900);
  });

  test('a quota from the time before begins again', async () => {
    const key = await lockAhead();
    const quota = { limit: 2, minutes: 60 };
    const outcomes = [];
    for (let use = 0; use < 3; use += 1) outcomes.push(await consumeQuota(db, [key], quota));
    expect(outcomes).toEqual([true, true, false]);
  });
});
