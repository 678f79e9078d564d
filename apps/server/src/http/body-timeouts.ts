import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Timeouts of request bodies, in milliseconds. */
export type BodyTimeouts = {
  /** The maximum time for a whole body, except for an upload. */
  total: number;
  /** The maximum time in which no data of an upload arrives. */
  idle: number;
  /** The maximum time for the rest of a body after its response was sent. */
  afterResponse: number;
};

const defaultTimeouts: BodyTimeouts = { total: 30_000, idle: 30_000, afterResponse: 10_000 };

/**
 * Limits the time for request bodies by route. Node has a single limit for all requests, but a large file on a slow connection needs
 * minutes, while a small body that takes minutes is an attack.
 */
export const installBodyTimeouts = (app: FastifyInstance, timeouts: BodyTimeouts = defaultTimeouts): void => {
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) return;
    const { raw } = request;
    const abort = () => raw.destroy();
    const abortAfter = (milliseconds: number) => {
      const timer = setTimeout(abort, milliseconds).unref();
      raw.once('close', () => clearTimeout(timer));
    };
    if (!request.routeOptions.config.isUpload) return abortAfter(timeouts.total);
    abortWhenIdle(request, timeouts.idle, abort);
    reply.raw.once('finish', () => {
      if (!raw.readableEnded) abortAfter(timeouts.afterResponse);
    });
  });
};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Aborts a body of which no data arrives. The timer stops at the end of the body, so that the response may take longer. */
const abortWhenIdle = ({ raw }: FastifyRequest, idle: number, abort: () => void): void => {
  const { socket } = raw;
  let bytesRead = socket.bytesRead;
  const timer = setInterval(() => {
    if (socket.bytesRead === bytesRead) abort();
    bytesRead = socket.bytesRead;
  }, idle).unref();
  for (const event of ['end', 'close'] as const) raw.once(event, () => clearInterval(timer));
};
