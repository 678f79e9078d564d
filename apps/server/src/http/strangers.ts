import { ApiError } from '@opensocial/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Places, Turns } from '../turns.ts';
import { addressOf, countedAddress } from './address.ts';

type Limits = {
  /** The number of requests that are worked on at once. */
  atOnce: number;
  /** A request that takes longer, in milliseconds, no longer counts, so that a few slow ones do not block the others. */
  longest: number;
  /** The maximum number of requests, including those that wait. */
  room: number;
};

/** Fewer than the connections to the database, so that others find one. A full queue takes about ten seconds. */
const defaultLimits: Limits = { atOnce: 12, longest: 500, room: 1_000 };

/** A queue in which addresses take turns. */
export const createStrangerQueue = ({ atOnce, longest, room }: Limits = defaultLimits) => {
  const places = new Places(room);
  const waiting = new Turns();
  let running = 0;
  let rejected = 0;

  const next = (): void => {
    if (running >= atOnce) return;
    const task = waiting.shift();
    if (!task) return;
    running += 1;
    task();
  };

  /** Waits for the turn of an address. The returned function ends the turn, and may be called more than once. */
  const enter = async (address: string): Promise<() => void> => {
    if (!places.hasRoom([address])) {
      rejected += 1;
      throw new ApiError('busy', { retryAfter: 2 });
    }
    places.take([address]);
    await new Promise<void>((resolve) => {
      waiting.push(address, resolve);
      next();
    });
    let isRunning = true;
    const leave = () => {
      if (!isRunning) return;
      isRunning = false;
      clearTimeout(timer);
      places.leave([address]);
      running -= 1;
      next();
    };
    const timer = setTimeout(leave, longest).unref();
    return leave;
  };

  return { enter, length: (): number => waiting.size, rejections: (): number => rejected };
};

export type StrangerQueue = ReturnType<typeof createStrangerQueue>;

/** Files that cost hardly anything, and the checks of load balancers, which must be answered however busy the server is. */
const unqueued = /^\/(assets|signin\/assets)\/|^\/(healthz|readyz)$/;

/**
 * Requests from unknown devices wait for their turn, so that a flood of them does not take the time of people who have signed in before.
 * A turn begins when the body has arrived and ends when the answer is ready, so that slow connections do not prolong it.
 */
export const installStrangerQueue = (
  app: FastifyInstance,
  queue: StrangerQueue,
  isKnownDevice: (request: FastifyRequest) => boolean,
): void => {
  const turns = new WeakMap<FastifyRequest, () => void>();
  app.addHook('preHandler', async (request, reply) => {
    if (unqueued.test(request.routeOptions.url ?? '') || isKnownDevice(request)) return;
    const leave = await queue.enter(countedAddress(addressOf(request)));
    // The client may have gone while it waited.
    if (reply.raw.destroyed) {
      leave();
      reply.hijack();
    } else turns.set(request, leave);
  });
  app.addHook('onSend', async (request) => turns.get(request)?.());
};
