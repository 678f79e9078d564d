import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { type Connection, connect } from './database/connect.ts';
import { findEmbedded, startEmbedded } from './database/embedded.ts';
import { migrate } from './database/migrate.ts';
import { type Installation, prepareInstallation } from './features/networks/installation.ts';
import { deleteStaleSessions } from './features/session/session.service.ts';
import { deleteStaleSignIns } from './features/sign-in/sign-in.service.ts';
import { createJobs, prepareJobs, startWorker } from './jobs/jobs.ts';
import { createMailer } from './mail/mailer.ts';
import type { Parts } from './parts.ts';
import { createVault, readSecretKey } from './secrets/encryption.ts';
import { createKeyring } from './secrets/keyring.ts';

export type Server = {
  app: FastifyInstance;
  parts: Parts;
  port: number;
  firstOwner: Installation['firstOwner'];
  stop: () => Promise<void>;
};

type Opened = {
  connection: Connection;
  parts: Parts;
  firstOwner: Installation['firstOwner'];
  close: () => Promise<void>;
};

/** Database, keys and queue: what the server and the commands beside it have in common. */
export const open = async (config: Config, log: Logger, options: { besideServer?: boolean } = {}): Promise<Opened> => {
  const running = options.besideServer && !config.databaseUrl ? await findEmbedded(config.dataDir) : undefined;
  const embedded = config.databaseUrl || running ? undefined : await startEmbedded(config.dataDir);
  const where = embedded?.where ?? running ?? { connectionString: config.databaseUrl ?? '' };
  const connection = connect(where, (error) => log.warn({ err: error }, 'A connection to the database was lost.'));
  const close = async () => {
    await connection.close();
    await embedded?.stop();
  };
  try {
    await migrate(connection.pool);
    await prepareJobs(connection.pool, log);
    const vault = createVault(await readSecretKey(config.secretKey, config.dataDir));
    const common = { config, db: connection.db, vault, keyring: createKeyring(vault), jobs: createJobs(vault), log };
    const { consoleKey, firstOwner } = await prepareInstallation(common);
    return { connection, parts: { ...common, consoleKey }, firstOwner, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Opens everything, serves, and can be stopped again without a trace. */
export const startServer = async (config: Config, log: Logger): Promise<Server> => {
  const { connection, parts, firstOwner, close } = await open(config, log);
  try {
    const app = await buildApp(parts);
    const sweep = async () => {
      await deleteStaleSessions(parts.db);
      await deleteStaleSignIns(parts.db);
    };
    const worker = await startWorker(connection.pool, {
      mailer: createMailer(config, log),
      vault: parts.vault,
      sweep,
      log,
    });
    await app.listen({ port: config.port, host: config.host });
    const { port } = app.server.address() as AddressInfo;
    const stop = async () => {
      await app.close();
      await worker.stop();
      await close();
    };
    return { app, parts, port, firstOwner, stop };
  } catch (error) {
    await close();
    throw error;
  }
};
