import { availableParallelism } from 'node:os';
import * as argon2 from '@node-rs/argon2';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';

// The real implementation with counted calls. Timing could not tell one hash from two on a busy machine.
vi.mock(import('@node-rs/argon2'), async (importOriginal) => {
  const original = await importOriginal();
  return { ...original, hash: vi.fn(original.hash), verify: vi.fn(original.verify) };
});

// Loaded again, because other test files share loaded modules and would share the counters.
vi.resetModules();
const { ApiError } = await import('@opensocial/contract');
const { admitHashing, hashPassword, isOutdated, readHashingState, verifyPassword } = await import('./passwords.ts');
afterAll(() => {
  vi.resetModules();
});

const password = 'correct horse battery staple';
const counted = vi.mocked(argon2.verify);
beforeEach(() => {
  counted.mockClear();
});

describe('a password', () => {
  test('is stored as argon2id, with at least the work that OWASP recommends, and its own salt', async () => {
    const [first, second] = await Promise.all([hashPassword(password), hashPassword(password)]);
    expect(first).not.toBe(second);
    const [, memory, passes, lanes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(first) ?? [];
    expect(Number(memory)).toBeGreaterThanOrEqual(19_456);
    expect(Number(passes)).toBeGreaterThanOrEqual(2);
    expect(Number(lanes)).toBe(1);
  });

  test('is compared to the last character', async () => {
    const hash = await hashPassword(password);
    expect(await verifyPassword(hash, password)).toBe(true);
    for (const wrong of ['', `${password} `, password.toUpperCase(), password.slice(1)]) {
      expect(await verifyPassword(hash, wrong)).toBe(false);
    }
  });

  test('is used as typed, also if it is long or in any script', async () => {
    for (const typed of ['x'.repeat(1_024), 'пароль 密码 😀', ' spaces  around ']) {
      const hash = await hashPassword(typed);
      expect(await verifyPassword(hash, typed)).toBe(true);
      expect(await verifyPassword(hash, typed.slice(0, -1))).toBe(false);
    }
  });
});

describe('whether an account exists', () => {
  test('cannot be inferred from the work: each attempt is one hash of the same cost', async () => {
    const hash = await hashPassword(password);
    const costs: unknown[] = [];
    for (const known of [hash, null, undefined]) {
      counted.mockClear();
      expect(await verifyPassword(known, 'a guess')).toBe(false);
      expect(counted).toHaveBeenCalledTimes(1);
      costs.push(/m=.*?\$/.exec(String(counted.mock.calls[0]?.[0]))?.[0]);
    }
    expect(new Set(costs).size).toBe(1);
  });

  test('and the hash that replaces a missing one matches no password', async () => {
    for (const nobody of [null, undefined]) {
      expect(await verifyPassword(nobody, 'no password has this hash')).toBe(false);
    }
  });
});

describe('a flood of attempts', () => {
  test('is processed by as many threads as there are cores; requests without room are rejected with 503', async () => {
    const hash = await hashPassword(password);
    let running = 0;
    let most = 0;
    const verify = counted.getMockImplementation();
    counted.mockImplementation(async (...args) => {
      running += 1;
      most = Math.max(most, running);
      return Promise.resolve(verify?.(...args) ?? false).finally(() => {
        running -= 1;
      });
    });
    const askAs = (index: number) => ({ address: `10.0.0.${index}`, account: `${index}`, isKnownDevice: false });
    const tries = Array.from({ length: 84 }, (_, index) =>
      admitHashing(askAs(index), () => verifyPassword(hash, password)),
    );
    expect(readHashingState()).toMatchObject({ waiting: 64 - availableParallelism(), rejected: 20 });
    const outcomes = await Promise.allSettled(tries);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(20);
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(ApiError);
      expect(reason).toMatchObject({ code: 'busy', status: 503, retryAfter: 2 });
    }
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value)).toHaveLength(64);
    expect(most).toBe(availableParallelism());
    expect(await verifyPassword(hash, password)).toBe(true);
    expect(readHashingState()).toMatchObject({ waiting: 0, rejected: 20 });
  });
});

describe('a hash', () => {
  test('of other parameters, or another algorithm, is outdated', async () => {
    expect(isOutdated(await hashPassword(password))).toBe(false);
    for (const options of [
      { memoryCost: 8_192, timeCost: 2, parallelism: 1 },
      { memoryCost: 19_456, timeCost: 1, parallelism: 1 },
      { memoryCost: 19_456, timeCost: 2, parallelism: 2 },
      { memoryCost: 19_456, timeCost: 2, parallelism: 1, algorithm: argon2.Algorithm.Argon2i },
    ])
      expect(isOutdated(await argon2.hash(password, options))).toBe(true);
  });
});
