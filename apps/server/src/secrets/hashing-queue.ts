import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '@opensocial/contract';
import { Places, Turns } from '../turns.ts';

/**
 * The client that requests password hashing. `account` is any name of the account: an email address as typed, or an id.
 */
export type HashingClient = { address: string; account: string; isKnownDevice: boolean };

type Lane = 'known' | 'unknown';

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
  const waiting = { known: new Turns<() => void>(), unknown: new Turns<() => void>() };
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
