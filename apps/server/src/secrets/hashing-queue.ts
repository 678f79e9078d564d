import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '@opensocial/contract';

/**
 * The client that requests password hashing. `account` is any name of the account: an email address as typed, or an id.
 */
export type HashingClient = { address: string; account: string; isKnownDevice: boolean };

type Lane = 'known' | 'unknown';
type Task = () => void;

/** The server itself, at its start, when no request is waiting. */
const serverItself: HashingClient = { address: '', account: '', isKnownDevice: true };

/** After this many known devices in a row, an unknown one is served, so that neither lane starves. */
const maximumKnownInARow = 3;

/**
 * A queue for the most expensive work that an unauthenticated client can cause. Known devices have their own lane with
 * priority. Within a lane, addresses (for known devices, accounts) take turns. `admit` runs before any other work for a
 * request, and an admitted request is never rejected later, so that every counted attempt is also evaluated.
 */
export const createHashingQueue = (room: Record<Lane, number>, concurrency: () => number) => {
  const places = { known: new Places(room.known), unknown: new Places(room.unknown) };
  const waiting = { known: new Turns(), unknown: new Turns() };
  const current = new AsyncLocalStorage<HashingClient>();
  let running = 0;
  let knownInARow = 0;
  let rejected = 0;

  const admit = async <T>(client: HashingClient, work: () => Promise<T>): Promise<T> => {
    const lane = places[laneOf(client)];
    const keys = keysOf(client);
    if (client !== serverItself && !lane.hasRoom(keys)) {
      rejected += 1;
      throw new ApiError('busy', { retryAfter: 2 });
    }
    lane.take(keys);
    try {
      return await current.run(client, work);
    } finally {
      lane.leave(keys);
    }
  };

  const next = (): void => {
    const isUnknownTurn = knownInARow >= maximumKnownInARow && waiting.unknown.size > 0;
    const lane = waiting.known.size > 0 && !isUnknownTurn ? 'known' : 'unknown';
    const task = waiting[lane].shift();
    if (!task) return;
    knownInARow = lane === 'known' ? knownInARow + 1 : 0;
    running += 1;
    task();
  };

  /** Runs work when its turn comes, on behalf of the admitted request. */
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    const client = current.getStore();
    if (!client) return admit(serverItself, () => run(work));
    await new Promise<void>((resolve) => {
      waiting[laneOf(client)].push(client.isKnownDevice ? client.account : client.address, resolve);
      if (running < concurrency()) next();
    });
    try {
      return await work();
    } finally {
      running -= 1;
      next();
    }
  };

  return {
    admit,
    run,
    length: (): number => waiting.known.size + waiting.unknown.size,
    rejections: (): number => rejected,
  };
};

const laneOf = ({ isKnownDevice }: HashingClient): Lane => (isKnownDevice ? 'known' : 'unknown');

/** Many known devices may share an address, for example in a laboratory, so they are counted by account only. */
const keysOf = ({ address, account, isKnownDevice }: HashingClient): string[] =>
  isKnownDevice ? [`account ${account}`] : [`account ${account}`, `address ${address}`];

/**
 * Counts the requests in a lane. One address or account may hold at most as many places as are still free: half of them
 * if it is alone, and fewer the fuller the lane is, so that others still find room.
 */
class Places {
  readonly #room: number;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(room: number) {
    this.#room = room;
  }

  hasRoom(keys: string[]): boolean {
    const free = this.#room - this.#total;
    return free > 0 && keys.every((key) => (this.#taken.get(key) ?? 0) < free);
  }

  take(keys: string[]): void {
    this.#total += 1;
    for (const key of keys) this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
  }

  leave(keys: string[]): void {
    this.#total -= 1;
    for (const key of keys) {
      const left = (this.#taken.get(key) ?? 0) - 1;
      if (left > 0) this.#taken.set(key, left);
      else this.#taken.delete(key);
    }
  }
}

/** Round-robin: a client that was served goes behind all others that wait. */
class Turns {
  readonly #tasks = new Map<string, Task[]>();
  size = 0;

  push(key: string, task: Task): void {
    const tasks = this.#tasks.get(key);
    if (tasks) tasks.push(task);
    else this.#tasks.set(key, [task]);
    this.size += 1;
  }

  shift(): Task | undefined {
    const [first] = this.#tasks;
    if (!first) return undefined;
    const [key, [task, ...rest]] = first;
    this.#tasks.delete(key);
    if (rest.length > 0) this.#tasks.set(key, rest);
    this.size -= 1;
    return task;
  }
}
