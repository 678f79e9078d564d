import cluster from 'node:cluster';
import { type Config, readConfig } from './config.ts';
import { findFreePort } from './http/listen.ts';
import { createLog } from './log.ts';
import { type Server, startServer } from './process/start.ts';
import { exitWith, stopAfter, stopOnSignals } from './process/stop.ts';
import { runWorker, startWorkers } from './process/workers.ts';

const announce = ({ parts, firstOwner }: Server): void => {
  const lines = ['', `  OpenSocial SSO is ready: ${parts.config.publicUrl}`];
  if (firstOwner?.link) {
    lines.push(
      '',
      `  The first owner is ${firstOwner.email}. Set the password with this link, which is shown only once:`,
      `  ${firstOwner.link}`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
};

/** PORT 0 means any free port. It is chosen first, because our own URL is built from it. */
const settlePort = async (config: Config): Promise<Config> =>
  config.port === 0 ? readConfig({ ...process.env, PORT: String(await findFreePort(config)) }) : config;

const run = async (): Promise<void> => {
  const config = await settlePort(readConfig(process.env));
  const start = config.workers > 1 ? startWorkers : startServer;
  const log = createLog(config.logLevel);
  if (config.isPlainHttp)
    log.warn('PUBLIC_URL is a plain http address: passwords and sessions are sent in plain text.');
  const starting = start(config, log);
  stopOnSignals(starting, config.shutdownDelay);
  const server = await starting;
  announce(server);
  void server.failure?.then((error) => stopAfter(server, error));
};

try {
  if (cluster.isWorker) runWorker();
  else await run();
} catch (error) {
  exitWith(error);
}
