import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '@opensocial/contract';

/** Who wants a password hashed. The account is whatever names it: an email address as it was typed, or an id. */
export type Asker = { address: string; account: string; isKnownDevice: boolean };

type Lane = 'known' | 'strangers';
type Task = () => void;

/** The server itself, at its start: no request waits behind it. */
const nobody: Asker = { address: '', account: '', isKnownDevice: true };

/** After so many known devices in a row it is a stranger's turn, so that neither lane starves. */
const mostKnownInARow = 3;

/**
 * A queue for the dearest work that a stranger can have us do. Known devices have a lane of their own, which goes first; in
 * each lane addresses (for known devices, accounts) take turns. `admit` decides before anything else is done for a request,
 * and whoever is admitted is never rejected later: a try that was counted is evaluated.
 */
export const createHashingQueue = (room: Record<Lane, number>, atOnce: () => number) => {
  const places = { known: new Places(room.known), strangers: new Places(room.strangers) };
  const waiting = { known: new Turns(), strangers: new Turns() };
  const current = new AsyncLocalStorage<Asker>();
  let running = 0;
  let knownInARow = 0;
  let rejected = 0;

  const admit = async <T>(asker: Asker, work: () => Promise<T>): Promise<T> => {
    const lane = places[laneOf(asker)];
    const keys = keysOf(asker);
    if (asker !== nobody && !lane.hasRoom(keys)) {
      rejected += 1;
      throw new ApiError('busy', { retryAfter: 2 });
    }
    lane.take(keys);
    try {
      return await current.run(asker, work);
    } finally {
      lane.leave(keys);
    }
  };

  const next = (): void => {
    const isStrangersTurn = knownInARow >= mostKnownInARow && waiting.strangers.size > 0;
    const lane = waiting.known.size > 0 && !isStrangersTurn ? 'known' : 'strangers';
    const task = waiting[lane].shift();
    if (!task) return;
    knownInARow = lane === 'known' ? knownInARow + 1 : 0;
    running += 1;
    task();
  };

  /** Does a piece of work when its turn comes, for whoever was admitted. */
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    const asker = current.getStore();
    if (!asker) return admit(nobody, () => run(work));
    await new Promise<void>((resolve) => {
      waiting[laneOf(asker)].push(asker.isKnownDevice ? asker.account : asker.address, resolve);
      if (running < atOnce()) next();
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
    length: (): number => waiting.known.size + waiting.strangers.size,
    rejections: (): number => rejected,
  };
};

const laneOf = ({ isKnownDevice }: Asker): Lane => (isKnownDevice ? 'known' : 'strangers');

/** A whole laboratory of known devices may share an address, so they are counted by account only. */
const keysOf = ({ address, account, isKnownDevice }: Asker): string[] =>
  isKnownDevice ? [`account ${account}`] : [`account ${account}`, `address ${address}`];

/**
 * Counts who is in a lane. One address, and one account, may hold as many places as are still free: alone at most half of
 * them, and the less the fuller the lane is, so that somebody else still finds room.
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

/** Round-robin: whoever was served goes behind everybody else who waits. */
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
