import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSupervisor, type Launched } from './supervisor.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A worker that the test controls. */
class Worker implements Launched {
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly ended = this.#ended.promise;
  isKilled = false;

  ready = () => this.#ready.promise;
  serve = () => this.#ready.resolve();
  fail = () => this.#ready.reject(new Error('The database cannot be reached.'));
  end = () => this.#ended.resolve();
  kill = () => {
    this.isKilled = true;
    this.end();
    this.#ready.reject(new Error('A worker ended before it was ready.'));
  };
}

const setUp = () => {
  const launched: Worker[] = [];
  const launch = () => {
    const worker = new Worker();
    launched.push(worker);
    return worker;
  };
  const onEnd = vi.fn();
  const onFailure = vi.fn();
  const supervisor = createSupervisor(launch, { onEnd, onFailure });
  let isAbandoned = false;
  void supervisor.abandoned.finally(() => {
    isAbandoned = true;
  });
  return { supervisor, launched, onEnd, onFailure, isAbandoned: () => isAbandoned };
};

describe('a worker that ends', () => {
  test('is replaced, and a start that fails is retried after 1, 2, 4 … at most 30 seconds', async () => {
    const { supervisor, launched, onEnd, onFailure } = setUp();
    const first = new Worker();
    supervisor.watch([first]);
    first.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(onEnd).toHaveBeenCalledWith(1_000);
    const pauses: number[] = [];
    for (let endedAt = Date.now(); pauses.length < 8; endedAt = Date.now()) {
      while (launched.length === pauses.length) await vi.advanceTimersByTimeAsync(500);
      const latest = launched.at(-1);
      pauses.push(Date.now() - endedAt);
      latest?.fail();
      await vi.advanceTimersByTimeAsync(0);
      expect(latest?.isKilled).toBe(true);
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(onFailure).toHaveBeenCalledTimes(8);
  });

  test('is replaced with the shortest delay again once another has served', async () => {
    const { supervisor, launched, onEnd } = setUp();
    const first = new Worker();
    supervisor.watch([first]);
    first.end();
    await vi.advanceTimersByTimeAsync(1_000);
    launched[0]?.fail();
    await vi.advanceTimersByTimeAsync(2_000);
    launched[1]?.serve();
    await vi.advanceTimersByTimeAsync(0);
    launched[1]?.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(onEnd).toHaveBeenLastCalledWith(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(launched).toHaveLength(3);
  });

  test('is replaced again if its successor hangs, which is killed', async () => {
    const { supervisor, launched, onFailure } = setUp();
    const first = new Worker();
    supervisor.watch([first]);
    first.end();
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.advanceTimersByTimeAsync(180_000);
    expect(launched[0]?.isKilled).toBe(true);
    expect(onFailure).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(launched).toHaveLength(2);
  });

  test('is not replaced while the server stops', async () => {
    const { supervisor, launched, isAbandoned } = setUp();
    const first = new Worker();
    supervisor.watch([first]);
    supervisor.stop();
    first.end();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(launched).toEqual([]);
    expect(isAbandoned()).toBe(false);
  });
});

describe('the server is abandoned', () => {
  test('if no worker has served for five minutes, and not before', async () => {
    const { supervisor, launched, isAbandoned } = setUp();
    const [first, second] = [new Worker(), new Worker()];
    supervisor.watch([first, second]);
    first.end();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(isAbandoned()).toBe(false);
    second.end();
    await vi.advanceTimersByTimeAsync(299_000);
    expect(isAbandoned()).toBe(false);
    launched.at(-1)?.serve();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(isAbandoned()).toBe(false);
    for (const worker of launched) worker.end();
    await vi.advanceTimersByTimeAsync(0);
    for (let elapsed = 0; elapsed < 300; elapsed += 1) {
      for (const worker of launched) worker.fail();
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(isAbandoned()).toBe(true);
  });
});
