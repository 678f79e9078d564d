import { PassThrough } from 'node:stream';
import { type AnyCall, ApiError } from '@opensocial/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway } from '../database/connect.ts';
import { readSession } from '../identity/console-sessions.ts';
import type { Parts } from '../parts.ts';
import { type AnswerOf, admit, type Handled, identify } from './admit.ts';
import { readCookie } from './cookies.ts';

/** What a handler writes to for as long as somebody listens. */
export type Listener<C> = { send: (event: AnswerOf<C>) => void; end: () => void };

/** For a call that answers with events. The handler begins it and returns what to do once nobody listens any more. */
export type BindStream = <C extends AnyCall>(
  declared: C,
  handler: (handled: Handled<C>, listener: Listener<C>) => () => void,
) => void;

/** Milliseconds. */
type Rhythm = {
  /** How often a listener hears that we are still here: proxies cut what is silent for long. */
  beat: number;
  /** How often it is asked whether they may still listen. */
  check: number;
};

const usual: Rhythm = { beat: 15_000, check: 30_000 };

/** Streams that one user may hold open in this process. */
const streamsPerUser = 5;

/** Bytes that may wait for a listener who reads more slowly than we write. */
const mostWaiting = 1024 * 1024;

/**
 * Server-sent events. A stream ends with its session, or when its owner's role changes: the browser asks again and is let in
 * as what it is by then, or not at all. Listening alone keeps no session alive.
 */
export const createStreams = (app: FastifyInstance, parts: Parts, rhythm: Rhythm = usual) => {
  const open = new Map<number, Set<PassThrough>>();
  app.addHook('preClose', async () => {
    for (const streams of open.values()) for (const stream of streams) stream.end();
  });

  const take = (userId: number): PassThrough => {
    const own = open.get(userId) ?? new Set();
    if (own.size >= streamsPerUser) throw new ApiError('streams_busy');
    const stream = new PassThrough();
    open.set(userId, own.add(stream));
    stream.once('close', () => {
      own.delete(stream);
      if (own.size === 0) open.delete(userId);
    });
    return stream;
  };

  /** Whether the one who listens would still be let in as the same. */
  const mayStay = async (declared: AnyCall, request: FastifyRequest, role: string | undefined): Promise<boolean> => {
    try {
      const session = await readSession(parts.db, readCookie(parts.config, request, 'session') ?? '');
      return session !== undefined && (await admit(parts, declared, request, session)).network?.role === role;
    } catch (error) {
      return isDatabaseAway(error);
    }
  };

  return async <C extends AnyCall>(
    declared: C,
    request: FastifyRequest,
    reply: FastifyReply,
    handler: (handled: Handled<C>, listener: Listener<C>) => () => void,
  ): Promise<FastifyReply> => {
    const session = await identify(parts, declared, request);
    const admitted = await admit(parts, declared, request, session);
    const stream = take(session?.user.id ?? 0);
    const end = () => void stream.end();
    const write = (text: string) => {
      if (!stream.writable) return;
      stream.write(text);
      if (stream.writableLength > mostWaiting) end();
    };
    write('retry: 3000\n\n');
    const beating = setInterval(() => write('event: beat\ndata:\n\n'), rhythm.beat).unref();
    const checking = setInterval(async () => {
      if (!(await mayStay(declared, request, admitted.network?.role))) end();
    }, rhythm.check).unref();
    const stop = handler({ ...admitted, request, reply } as never, {
      send: (event) => write(`data: ${JSON.stringify(declared.answer.parse(event))}\n\n`),
      end,
    });
    stream.once('close', () => {
      clearInterval(beating);
      clearInterval(checking);
      stop();
    });
    return (
      reply
        // A proxy in between neither keeps nor gathers nor compresses it.
        .headers({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
        .type('text/event-stream; charset=utf-8')
        .send(stream)
    );
  };
};
