import { ApiError } from '@opensocial/contract';
import { describe, expect, test } from 'vitest';
import { createHashingQueue, type HashingClient } from './hashing-queue.ts';

const unknownDevice = (address: string, account = `${address}@x.org`): HashingClient => ({
  address,
  account,
  isKnownDevice: false,
});
const known = (account: string): HashingClient => ({ address: 'office', account, isKnownDevice: true });

/** A queue whose work ends when the test says so; `served` contains the order in which it began. */
const setUp = (room = { known: 8, unknown: 16 }, concurrency = 1) => {
  const queue = createHashingQueue(room, () => concurrency);
  const served: string[] = [];
  const ends: (() => void)[] = [];
  let most = 0;
  let running = 0;
  const ask = (client: HashingClient, name: string): Promise<string> =>
    queue.admit(client, () =>
      queue.run(async () => {
        served.push(name);
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => ends.push(resolve));
        running -= 1;
        return name;
      }),
    );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  /** Ends all running work, until none is left. */
  const finish = async () => {
    for (await settle(); ends.length > 0; await settle()) ends.shift()?.();
  };
  return { queue, served, ask, finish, settle, most: () => most };
};

const isBusy = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'busy' && error.status === 503 && error.retryAfter === 2;

describe('the hashing queue', () => {
  test('runs as much work at once as allowed, and lets addresses take turns', async () => {
    const { ask, served, finish, most } = setUp(undefined, 2);
    const flood = Array.from({ length: 6 }, (_, index) => ask(unknownDevice('flood', `${index}`), `flood ${index}`));
    const others = ['a', 'b'].map((address) => ask(unknownDevice(address), address));
    await finish();
    await Promise.all([...flood, ...others]);
    expect(served).toEqual(['flood 0', 'flood 1', 'flood 2', 'a', 'b', 'flood 3', 'flood 4', 'flood 5']);
    expect(most()).toBe(2);
  });

  test('serves known devices first, and an unknown one after every third of them', async () => {
    const { ask, served, finish } = setUp();
    const all = [
      ask(unknownDevice('first'), 'first'),
      ...['s1', 's2', 's3'].map((address) => ask(unknownDevice(address), address)),
      ...['k1', 'k2', 'k3', 'k4', 'k5'].map((account) => ask(known(account), account)),
    ];
    await finish();
    await Promise.all(all);
    expect(served).toEqual(['first', 'k1', 'k2', 'k3', 's1', 'k4', 'k5', 's2', 's3']);
  });

  test('rejects requests without room at once and before any work', async () => {
    const { ask, served, finish, queue } = setUp({ known: 2, unknown: 4 });
    const admitted = ['a', 'b', 'c', 'd'].map((address) => ask(unknownDevice(address), address));
    await expect(ask(unknownDevice('e'), 'e')).rejects.toSatisfy(isBusy);
    expect(queue.length()).toBe(3);
    expect(queue.rejections()).toBe(1);
    const device = ask(known('k'), 'k');
    await finish();
    await Promise.all([...admitted, device]);
    expect(served).toEqual(['a', 'k', 'b', 'c', 'd']);
    expect(queue.length()).toBe(0);
    const later = ask(unknownDevice('e'), 'e');
    await finish();
    expect(await later).toBe('e');
  });

  test('leaves room for others, however many requests come from one address', async () => {
    const { ask, finish } = setUp({ known: 8, unknown: 16 });
    const flood = Array.from({ length: 100 }, (_, index) => ask(unknownDevice('flood', `${index}`), 'flood'));
    const others = ['a', 'b', 'c'].map((address) => ask(unknownDevice(address), address));
    const outcomes = Promise.allSettled(flood);
    await finish();
    expect(await Promise.all(others)).toEqual(['a', 'b', 'c']);
    expect((await outcomes).filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  });

  test('leaves room for others, however many addresses try one account', async () => {
    const { ask, finish } = setUp({ known: 8, unknown: 16 });
    const flood = Array.from({ length: 100 }, (_, index) => ask(unknownDevice(`${index}`, 'ana@x.org'), 'flood'));
    const other = ask(unknownDevice('somewhere', 'bea@x.org'), 'bea');
    const outcomes = Promise.allSettled(flood);
    await finish();
    expect(await other).toBe('bea');
    expect((await outcomes).filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  });

  test('keeps a place for all the work of a request, and frees it however that ends', async () => {
    const { queue } = setUp({ known: 1, unknown: 1 });
    const client = unknownDevice('a');
    const twice = queue.admit(client, async () => [await queue.run(async () => 1), await queue.run(async () => 2)]);
    await expect(queue.admit(client, async () => 'no')).rejects.toSatisfy(isBusy);
    expect(await twice).toEqual([1, 2]);
    await expect(queue.admit(client, () => queue.run(() => Promise.reject(new Error('broken'))))).rejects.toThrow(
      'broken',
    );
    await expect(queue.admit(client, async () => 'room')).resolves.toBe('room');
  });

  test("never rejects the server's own work", async () => {
    const { queue } = setUp({ known: 1, unknown: 1 });
    const own = Array.from({ length: 5 }, (_, index) => queue.run(async () => index));
    expect(await Promise.all(own)).toEqual([0, 1, 2, 3, 4]);
  });
});
