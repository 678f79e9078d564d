import { readConfig } from '../../server/src/config.ts';
import { createLog } from '../../server/src/log.ts';
import { toSentence } from '../../server/src/sentence.ts';
import { startServer } from '../../server/src/start.ts';
import { password } from '../../server/src/testing/builders.ts';
import { personOf } from './people.ts';
import { startProvider } from './provider.ts';
import { seed } from './seed.ts';

/** The product with lifelike data on a folder of its own, and the applications that its desktops open. */
try {
  const config = readConfig({
    DATA_DIR: './demo-data',
    LOG_LEVEL: 'warn',
    FIRST_OWNER_PASSWORD: password,
    ...process.env,
  });
  const providerOrigin = `http://127.0.0.1:${config.port + 1}`;
  const server = await startServer(config, createLog(config.logLevel));
  const provider = await startProvider(providerOrigin, config.publicUrl, await seed(server.parts, providerOrigin));
  const lines = [
    `  The demonstration is ready: ${config.publicUrl}`,
    '',
    `  Sign in as an owner:  ${personOf('northlab', 0).email}`,
    `           as a user:   ${personOf('northlab', 1).email}`,
    `           as the owner of the installation:  ${config.firstOwner.email}`,
    `  with the password:    ${password}`,
  ];
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
  const stop = async () => {
    provider.closeAllConnections();
    provider.close();
    await server.stop();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
} catch (error) {
  process.stderr.write(`\n${toSentence(error)}\n\n`);
  process.exit(1);
}
