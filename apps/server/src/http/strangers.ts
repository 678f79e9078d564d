import { ApiError } from '@opensocial/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Places, Turns } from '../turns.ts';
import { addressOf, countedCustomer } from './address.ts';

type Limits = {
  /** The number of requests that are worked on at once. */
  atOnce: number;
  /** A request that takes longer, in milliseconds, no longer counts, so that a few slow ones do not block the others. */
  longest: number;
  /** The maximum number of requests, including those that wait. */
  room: number;
};

/** Fewer than the connections to the database, so that others find one. A full queue of quick requests takes about ten seconds. */
const defaultLimits: Limits = { atOnce: 12, longest: 500, room: 1_000 };

const busy = () => new ApiError('busy', { retryAfter: 2 });

type Waiting = { begin: () => void; refuse: () => void };

/** A queue in which addresses take turns. */
export const createStrangerQueue = ({ atOnce, longest, room }: Limits = defaultLimits) => {
  const places = new Places(room);
  const waiting = new Turns<Waiting>();
  let running = 0;
  let rejected = 0;

  const next = (): void => {
    if (running < atOnce) waiting.shift()?.begin();
  };

  /**
   * Takes a place in the queue. `turn` is fulfilled when the turn begins. `leave` ends the turn or gives up the place, and may be called
   * more than once.
   */
  const enter = (address: string): { turn: Promise<void>; leave: () => void } => {
    if (!places.hasRoom([address])) {
      rejected += 1;
      throw busy();
    }
    places.take([address]);
    const { promise: turn, resolve, reject } = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    let state: 'waiting' | 'running' | 'over' = 'waiting';
    const own: Waiting = {
      begin: () => {
        state = 'running';
        running += 1;
        timer = setTimeout(leave, longest).unref();
        resolve();
      },
      refuse: () => {
        rejected += 1;
        leave();
        reject(busy());
      },
    };
    const leave = (): void => {
      if (state === 'over') return;
      if (state === 'running') running -= 1;
      else waiting.remove(address, own);
      state = 'over';
      clearTimeout(timer);
      places.leave([address]);
      next();
    };
    waiting.push(address, own);
    next();
    return { turn, leave };
  };

  /** Refuses all requests that wait, because the server stops. */
  const close = (): void => {
    for (let one = waiting.shift(); one; one = waiting.shift()) one.refuse();
  };

  return { enter, close, length: (): number => waiting.size, rejections: (): number => rejected };
};

type StrangerQueue = ReturnType<typeof createStrangerQueue>;

/** Requests of applications have a queue of their own: people who are signed in depend on them, and a flood of visitors must not delay them. */
export type StrangerQueues = Record<'visitors' | 'applications', StrangerQueue>;

export const createStrangerQueues = (limits?: Limits): StrangerQueues => ({
  visitors: createStrangerQueue(limits),
  applications: createStrangerQueue(limits),
});

/** Files that cost hardly anything, and the checks of load balancers, which must be answered however busy the server is. */
const unqueued = /^\/(assets|signin\/assets)\/|^\/(healthz|readyz)$/;

/** Above this, a body is not read before the turn begins, because a thousand of them would fill the memory. */
const smallBody = 64 * 1024;

const hasSmallBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= smallBody;

/** A known device with more requests in progress is queued too, so that its cookie is no way around the queue. A browser has fewer. */
const requestsPerDevice = 24;

type Strangers = {
  /** The id of the device, if somebody has signed in with it before. */
  deviceOf: (request: FastifyRequest) => string | undefined;
  /** Whether the answer is a constant page. */
  isTrivial?: (request: FastifyRequest) => boolean;
  queues: StrangerQueues;
};

/**
 * Requests from unknown devices wait for their turn, so that a flood of them does not take the time of people who have signed in before.
 * A turn begins when a small body has arrived and ends when the answer is ready, so that slow connections do not prolong it.
 */
export const installStrangerQueues = (
  app: FastifyInstance,
  { deviceOf, isTrivial = () => false, queues }: Strangers,
): void => {
  const turns = new WeakMap<FastifyRequest, () => void>();
  const inProgress = new Map<string, number>();

  const countDevice = (device: string, reply: FastifyReply): void => {
    inProgress.set(device, (inProgress.get(device) ?? 0) + 1);
    whenAnswered(reply, () => {
      const left = (inProgress.get(device) ?? 0) - 1;
      if (left > 0) inProgress.set(device, left);
      else inProgress.delete(device);
    });
  };

  const wait = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { url = '', config } = request.routeOptions;
    if (unqueued.test(url)) return;
    const device = deviceOf(request);
    if (device !== undefined && (inProgress.get(device) ?? 0) < requestsPerDevice) return countDevice(device, reply);
    const { turn, leave } = queues[config.isForApplications ? 'applications' : 'visitors'].enter(
      countedCustomer(addressOf(request)),
    );
    turns.set(request, leave);
    whenAnswered(reply, leave);
    // If the client leaves while it waits, the turn never begins, and the request ends here.
    await turn;
  };

  app.addHook('onRequest', async (request, reply) => {
    if (!hasSmallBody(request)) await wait(request, reply);
  });
  app.addHook('preHandler', async (request, reply) => {
    if (hasSmallBody(request) && !isTrivial(request)) await wait(request, reply);
  });
  app.addHook('onSend', async (request) => turns.get(request)?.());
  app.addHook('preClose', async () => Object.values(queues).forEach((queue) => queue.close()));
};

/** Calls back once when the answer is complete, also if a library has written it, or when the client has gone. */
const whenAnswered = ({ raw }: FastifyReply, callback: () => void): void => {
  let isOver = false;
  const end = () => {
    if (!isOver) callback();
    isOver = true;
  };
  raw.once('prefinish', end).once('close', end);
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether applications call this themselves, without a browser. */
    isForApplications?: boolean;
  }
}
