import cluster from 'node:cluster';
import { type Config, readConfig } from './config.ts';
import { findFreePort } from './listen.ts';
import { createLog } from './log.ts';
import { toSentence } from './sentence.ts';
import { type Server, startServer } from './start.ts';
import { runWorker, startWorkers } from './workers.ts';

const secondsToStop = 9;

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

/** PORT 0 is any free one. It has to be a number before anything else: our own address is made from it. */
const settlePort = async (config: Config): Promise<Config> =>
  config.port === 0 ? readConfig({ ...process.env, PORT: String(await findFreePort(config)) }) : config;

/** Also a start that is still under way is finished first and then undone. */
const stopOnSignals = (starting: Promise<Server>): void => {
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), secondsToStop * 1_000).unref();
    try {
      const server = await starting;
      await server.stop();
      process.exit(0);
    } catch (error) {
      fail(error);
    }
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
};

/** Ends with an error code, so that a supervisor such as systemd starts the server again. */
const stopAfter = async (server: Server, error: Error): Promise<void> => {
  setTimeout(() => fail(error), secondsToStop * 1_000).unref();
  await server.stop().catch(() => undefined);
  fail(error);
};

const fail = (error: unknown): never => {
  process.stderr.write(`\n${toSentence(error)}\n\n`);
  process.exit(1);
};

const run = async (): Promise<void> => {
  const config = await settlePort(readConfig(process.env));
  const start = config.workers > 1 ? startWorkers : startServer;
  const log = createLog(config.logLevel);
  if (config.isPlainHttp) log.warn('PUBLIC_URL is a plain http address: passwords and sessions travel in plain text.');
  const starting = start(config, log);
  stopOnSignals(starting);
  const server = await starting;
  announce(server);
  void server.failure?.then((error) => stopAfter(server, error));
};

try {
  if (cluster.isWorker) runWorker();
  else await run();
} catch (error) {
  fail(error);
}
