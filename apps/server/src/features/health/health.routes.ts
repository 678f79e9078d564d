import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { createMetricsReader } from '../../http/metrics.ts';
import type { Parts } from '../../parts.ts';

/** Whoever asks whether we are ready wants to know now. */
const patience = 1_000;

/** `/healthz`: the process lives. `/readyz`: it can serve. `/metrics`: for this machine only. */
export const healthRoutes = (app: FastifyInstance, { db }: Parts, registry: Registry): void => {
  const readMetrics = createMetricsReader(registry);
  let isDraining = false;
  app.addHook('preClose', async () => {
    isDraining = true;
  });

  app.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'ok' }));

  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const answered = db.execute(sql`select 1`).then(
      () => 'ok',
      () => 'away',
    );
    const database = await Promise.race([answered, delay(patience, 'away', { ref: false })]);
    const isReady = database === 'ok' && !isDraining;
    return reply
      .status(isReady ? 200 : 503)
      .send({ status: isReady ? 'ready' : 'not ready', database, draining: isDraining });
  });

  app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    const isLocal = /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '');
    const isForwarded = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some(
      (name) => request.headers[name] !== undefined,
    );
    if (!isLocal || isForwarded) return reply.callNotFound();
    return reply.type(registry.contentType).send(await readMetrics());
  });
};
