import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';
import type { Parts } from '../parts.ts';
import { addressOf } from './address.ts';
import { createProcessMetrics } from './process-metrics.ts';

/** Writes one log line and one measurement for each request. They have the declared route and not the URL, which may contain a token. */
export const installObservation = (app: FastifyInstance, { db }: Pick<Parts, 'db'>): void => {
  const registry = createProcessMetrics(db);
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.config.template ?? request.routeOptions.url ?? '(no route)';
    const labels = { method: request.method, route, status: reply.statusCode };
    durations.observe(labels, reply.elapsedTime / 1_000);
    request.log.info(
      { ...labels, ms: Math.round(reply.elapsedTime * 10) / 10, address: addressOf(request) },
      'request',
    );
  });
  app.decorate('metrics', registry);
};

declare module 'fastify' {
  interface FastifyInstance {
    /** The metrics of this process. */
    metrics: Registry;
  }
}
