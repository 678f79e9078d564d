import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { readHashingState } from '../secrets/passwords.ts';
import { addressOf } from './address.ts';

/** Writes one log line and one measurement for each request. They have the declared route and not the URL, which may contain a token. */
export const installObservation = (app: FastifyInstance): void => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  // Hashing is the most expensive operation that an anonymous client can cause, so a high number indicates an attack.
  const hashings = new Counter({
    name: 'password_hashings_total',
    help: 'Number of passwords that were hashed or compared.',
    registers: [],
    collect() {
      this.reset();
      this.inc(readHashingState().done);
    },
  });
  const rejections = new Counter({
    name: 'password_rejections_total',
    help: 'Number of requests that were rejected because too many passwords wait to be hashed.',
    registers: [],
    collect() {
      this.reset();
      this.inc(readHashingState().rejected);
    },
  });
  const waiting = new Gauge({
    name: 'password_queue_length',
    help: 'Number of passwords that wait to be hashed or compared.',
    registers: [],
    collect() {
      this.set(readHashingState().waiting);
    },
  });
  for (const metric of [hashings, rejections, waiting]) registry.registerMetric(metric);
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
