import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Milliseconds. */
export type Patience = {
  /** How long a body may take in all. */
  body: number;
  /** How long an upload may stand still. */
  pause: number;
  /** How long what is left of a body may still come once it is answered. */
  rest: number;
};

const usual: Patience = { body: 30_000, pause: 30_000, rest: 10_000 };

/** Node has one limit for every request: a large file over a slow line needs minutes, a few words that do are an attack. */
export const installPatience = (app: FastifyInstance, patience: Patience = usual): void => {
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) return;
    const { raw } = request;
    const cut = () => raw.destroy();
    const begin = (milliseconds: number) => {
      const timer = setTimeout(cut, milliseconds).unref();
      raw.once('close', () => clearTimeout(timer));
    };
    if (!request.routeOptions.config.isUpload) return begin(patience.body);
    watch(request, patience.pause, cut);
    reply.raw.once('finish', () => {
      if (!raw.readableEnded) begin(patience.rest);
    });
  });
};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Cuts a body that stands still. Once it is here, the answer may take its time. */
const watch = ({ raw }: FastifyRequest, pause: number, cut: () => void): void => {
  const { socket } = raw;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    if (socket.bytesRead === seen) cut();
    seen = socket.bytesRead;
  }, pause).unref();
  for (const end of ['end', 'close'] as const) raw.once(end, () => clearInterval(timer));
};
