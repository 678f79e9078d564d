import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Config } from '../config.ts';
import { listenOn } from './listen.ts';

/** Exists in the primary process and in the workers, because each listens for messages of the other. */
const aggregator = new AggregatorRegistry();

/** In a worker: sends its metrics to the primary process on request. */
export const shareMetrics = (registry: Registry): void => AggregatorRegistry.setRegistries(registry);

/** In the primary process: the sum of the metrics of all workers. */
export const readWorkerMetrics = (): Promise<string> => aggregator.clusterMetrics();

/** Serves metrics on a separate port, so that a proxy of the public port cannot expose them. Does nothing unless METRICS_PORT is set. */
export const startMetrics = async (
  { metrics }: Pick<Config, 'metrics'>,
  log: Logger,
  read: () => Promise<string[]>,
): Promise<{ stop: () => Promise<void> }> => {
  if (!metrics) return { stop: async () => undefined };
  const server = createServer(async (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff').setHeader('cache-control', 'no-store');
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end();
    try {
      const texts = await read();
      return response.setHeader('content-type', AggregatorRegistry.PROMETHEUS_CONTENT_TYPE).end(texts.join(''));
    } catch (error) {
      // A worker that has just exited does not answer.
      log.warn({ err: error }, 'The metrics could not be read.');
      return response.writeHead(503).end();
    }
  });
  await listenOn(server, metrics, 'METRICS_');
  const { address, port } = server.address() as AddressInfo;
  log.info(`Metrics at http://${address.includes(':') ? `[${address}]` : address}:${port}/metrics`);
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
