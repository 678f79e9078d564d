import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { isDatabaseFull, probeDisk } from '../../database/connect.ts';
import type { Parts } from '../../parts.ts';

/** A load balancer needs a quick answer. */
const readyTimeout = 1_000;

/** Anyone may call this, so each process probes the disk at most this often. */
const probeInterval = 5_000;

declare module 'fastify' {
  interface FastifyInstance {
    /** Tells load balancers to send no more requests. All requests are still answered. */
    drain: () => void;
  }
}

type DatabaseState = 'ok' | 'away' | 'full' | 'read-only';

/** `/healthz`: the process is alive. `/readyz`: it can serve requests. */
export const healthRoutes = (app: FastifyInstance, { db }: Parts): void => {
  let isDraining = false;
  app.decorate('drain', () => {
    isDraining = true;
  });
  app.addHook('preClose', async () => app.drain());
  // A connection that a proxy keeps open would break under its next request.
  app.addHook('onRequest', async (_request, reply) => {
    if (isDraining) reply.header('connection', 'close');
  });

  const checkDisk = createDiskCheck(() => probeDisk(db));
  const checkDatabase = async (): Promise<DatabaseState> => {
    const { rows } = await db.execute<{ read_only: string }>(
      sql`select current_setting('transaction_read_only') as read_only`,
    );
    return rows[0]?.read_only === 'on' ? 'read-only' : checkDisk();
  };

  app.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'ok' }));

  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const answered = checkDatabase().catch((): DatabaseState => 'away');
    const database = await Promise.race([answered, delay(readyTimeout, 'away' as const, { ref: false })]);
    const isReady = database === 'ok' && !isDraining;
    return reply
      .status(isReady ? 200 : 503)
      .send({ status: isReady ? 'ready' : 'not ready', database, draining: isDraining });
  });
};

/** Calls within the interval share one probe, even if it is still running. */
export const createDiskCheck = (probe: () => Promise<unknown>, now = Date.now): (() => Promise<DatabaseState>) => {
  let last: { at: number; state: Promise<DatabaseState> } | undefined;
  return () => {
    if (last && now() - last.at < probeInterval) return last.state;
    const state = probe().then(
      (): DatabaseState => 'ok',
      (error: unknown): DatabaseState => (isDatabaseFull(error) ? 'full' : 'away'),
    );
    last = { at: now(), state };
    return state;
  };
};
