import { PassThrough } from 'node:stream';
import { type AnyCall, ApiError } from '@opensocial/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway } from '../database/connect.ts';
import { limitKeyOf } from '../identity/actor.ts';
import type { Parts } from '../parts.ts';
import { resolveActor, resolveActorAgain } from './actor.ts';
import { type AnswerOf, admit, type HandlerInput } from './admit.ts';

/** The client of an event stream. */
export type Listener<C> = { send: (event: AnswerOf<C>) => void; end: () => void };

/** Binds a call whose response is a stream of events. The handler returns a function that is called when the stream has closed. */
export type BindStream = <C extends AnyCall>(
  declared: C,
  handler: (input: HandlerInput<C>, listener: Listener<C>) => () => void,
) => void;

/** The intervals of an event stream, in milliseconds. */
type StreamIntervals = {
  /** The interval of heartbeat events. Proxies close connections that are silent for too long. */
  heartbeat: number;
  /** The interval at which the access of the client is checked again. */
  recheck: number;
};

const defaultIntervals: StreamIntervals = { heartbeat: 15_000, recheck: 30_000 };

/** The maximum number of open streams of one actor in this process. */
const streamsPerActor = 5;

/** The maximum number of buffered bytes for a client that reads too slowly. Beyond it the stream ends (back-pressure). */
const maximumBuffered = 1024 * 1024;

/**
 * Server-sent events. A stream ends with its session, or when the role of its owner changes. The browser then reconnects and is
 * authorised anew. An open stream does not prolong the session.
 */
export const createStreams = (app: FastifyInstance, parts: Parts, intervals: StreamIntervals = defaultIntervals) => {
  const open = new Map<string, Set<PassThrough>>();
  app.addHook('preClose', async () => {
    for (const streams of open.values()) for (const stream of streams) stream.end();
  });

  const openStream = (key: string): PassThrough => {
    const own = open.get(key) ?? new Set();
    if (own.size >= streamsPerActor) throw new ApiError('streams_busy');
    const stream = new PassThrough();
    open.set(key, own.add(stream));
    stream.once('close', () => {
      own.delete(stream);
      if (own.size === 0) open.delete(key);
    });
    return stream;
  };

  /** Whether the client would still be admitted with the same role. */
  const isStillAdmitted = async (
    declared: AnyCall,
    request: FastifyRequest,
    role: string | undefined,
  ): Promise<boolean> => {
    try {
      const actor = await resolveActorAgain(parts, request);
      return actor !== undefined && (await admit(parts, declared, request, actor)).network?.role === role;
    } catch (error) {
      return isDatabaseAway(error);
    }
  };

  return async <C extends AnyCall>(
    declared: C,
    request: FastifyRequest,
    reply: FastifyReply,
    handler: (input: HandlerInput<C>, listener: Listener<C>) => () => void,
  ): Promise<FastifyReply> => {
    const actor = await resolveActor(parts, declared, request);
    const admitted = await admit(parts, declared, request, actor);
    const stream = openStream(actor ? limitKeyOf(actor) : request.ip);
    const end = () => void stream.end();
    const write = (text: string) => {
      if (!stream.writable) return;
      stream.write(text);
      if (stream.writableLength > maximumBuffered) end();
    };
    write('retry: 3000\n\n');
    const heartbeat = setInterval(() => write('event: beat\ndata:\n\n'), intervals.heartbeat).unref();
    const recheck = setInterval(async () => {
      if (!(await isStillAdmitted(declared, request, admitted.network?.role))) end();
    }, intervals.recheck).unref();
    const stop = handler({ ...admitted, request, reply } as never, {
      send: (event) => write(`data: ${JSON.stringify(declared.answer.parse(event))}\n\n`),
      end,
    });
    stream.once('close', () => {
      clearInterval(heartbeat);
      clearInterval(recheck);
      stop();
    });
    return (
      reply
        // Proxies must not cache, buffer or compress the stream.
        .headers({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
        .type('text/event-stream; charset=utf-8')
        .send(stream)
    );
  };
};
