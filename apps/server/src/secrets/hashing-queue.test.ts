import { ApiError } from '@opensocial/contract';
import { describe, expect, test } from 'vitest';
import { type Asker, createHashingQueue } from './hashing-queue.ts';

const stranger = (address: string, account = `${address}@x.org`): Asker => ({ address, account, isKnownDevice: false });
const known = (account: string): Asker => ({ address: 'office', account, isKnownDevice: true });

/** A queue whose work ends when the test says so; `served` has the order in which it began. */
const setUp = (room = { known: 8, strangers: 16 }, atOnce = 1) => {
  const queue = createHashingQueue(room, () => atOnce);
  const served: string[] = [];
  const ends: (() => void)[] = [];
  let most = 0;
  let running = 0;
  const ask = (asker: Asker, name: string): Promise<string> =>
    queue.admit(asker, () =>
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
  /** Ends whatever runs, until nothing does. */
  const finish = async () => {
    for (await settle(); ends.length > 0; await settle()) ends.shift()?.();
  };
  return { queue, served, ask, finish, settle, most: () => most };
};

const isBusy = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'busy' && error.status === 503 && error.retryAfter === 2;

describe('the hashing queue', () => {
  test('works on as many at once as it may, and lets addresses take turns', async () => {
    const { ask, served, finish, most } = setUp(undefined, 2);
    const flood = Array.from({ length: 6 }, (_, index) => ask(stranger('flood', `${index}`), `flood ${index}`));
    const others = ['a', 'b'].map((address) => ask(stranger(address), address));
    await finish();
    await Promise.all([...flood, ...others]);
    expect(served).toEqual(['flood 0', 'flood 1', 'flood 2', 'a', 'b', 'flood 3', 'flood 4', 'flood 5']);
    expect(most()).toBe(2);
  });

  test('serves known devices first, and a stranger after every third of them', async () => {
    const { ask, served, finish } = setUp();
    const all = [
      ask(stranger('first'), 'first'),
      ...['s1', 's2', 's3'].map((address) => ask(stranger(address), address)),
      ...['k1', 'k2', 'k3', 'k4', 'k5'].map((account) => ask(known(account), account)),
    ];
    await finish();
    await Promise.all(all);
    expect(served).toEqual(['first', 'k1', 'k2', 'k3', 's1', 'k4', 'k5', 's2', 's3']);
  });

  test('rejects whoever finds no room, at once and before any work', async () => {
    const { ask, served, finish, queue } = setUp({ known: 2, strangers: 4 });
    const admitted = ['a', 'b', 'c', 'd'].map((address) => ask(stranger(address), address));
    await expect(ask(stranger('e'), 'e')).rejects.toSatisfy(isBusy);
    expect(queue.length()).toBe(3);
    expect(queue.rejections()).toBe(1);
    const device = ask(known('k'), 'k');
    await finish();
    await Promise.all([...admitted, device]);
    expect(served).toEqual(['a', 'k', 'b', 'c', 'd']);
    expect(queue.length()).toBe(0);
    const later = ask(stranger('e'), 'e');
    await finish();
    expect(await later).toBe('e');
  });

  test('leaves room for others, however many come from one address', async () => {
    const { ask, finish } = setUp({ known: 8, strangers: 16 });
    const flood = Array.from({ length: 100 }, (_, index) => ask(stranger('flood', `${index}`), 'flood'));
    const others = ['a', 'b', 'c'].map((address) => ask(stranger(address), address));
    const outcomes = Promise.allSettled(flood);
    await finish();
    expect(await Promise.all(others)).toEqual(['a', 'b', 'c']);
    expect((await outcomes).filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  });

  test('and however many addresses are after one account', async () => {
    const { ask, finish } = setUp({ known: 8, strangers: 16 });
    const flood = Array.from({ length: 100 }, (_, index) => ask(stranger(`${index}`, 'ana@x.org'), 'flood'));
    const other = ask(stranger('somewhere', 'bea@x.org'), 'bea');
    const outcomes = Promise.allSettled(flood);
    await finish();
    expect(await other).toBe('bea');
    expect((await outcomes).filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  });

  test('keeps a place for all the work of a request, and frees it however that ends', async () => {
    const { queue } = setUp({ known: 1, strangers: 1 });
    const asker = stranger('a');
    const twice = queue.admit(asker, async () => [await queue.run(async () => 1), await queue.run(async () => 2)]);
    await expect(queue.admit(asker, async () => 'no')).rejects.toSatisfy(isBusy);
    expect(await twice).toEqual([1, 2]);
    await expect(queue.admit(asker, () => queue.run(() => Promise.reject(new Error('broken'))))).rejects.toThrow(
      'broken',
    );
    await expect(queue.admit(asker, async () => 'room')).resolves.toBe('room');
  });

  test("never rejects the server's own work", async () => {
    const { queue } = setUp({ known: 1, strangers: 1 });
    const own = Array.from({ length: 5 }, (_, index) => queue.run(async () => index));
    expect(await Promise.all(own)).toEqual([0, 1, 2, 3, 4]);
  });
});
