import { readConfig } from './config.ts';
import { createLog } from './log.ts';
import { toSentence } from './sentence.ts';
import { type Server, startServer } from './start.ts';

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

const stopOnSignals = (server: Server): void => {
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), secondsToStop * 1_000).unref();
    await server.stop();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
};

try {
  const config = readConfig(process.env);
  const server = await startServer(config, createLog(config.logLevel));
  stopOnSignals(server);
  announce(server);
} catch (error) {
  process.stderr.write(`\n${toSentence(error)}\n\n`);
  process.exit(1);
}
