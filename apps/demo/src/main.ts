import { readConfig } from '../../server/src/config.ts';
import { backgroundLimits, connect } from '../../server/src/database/connect.ts';
import { findEmbedded } from '../../server/src/database/embedded/embedded.ts';
import { createLog } from '../../server/src/log.ts';
import type { Parts } from '../../server/src/parts.ts';
import { startServer } from '../../server/src/process/start.ts';
import { exitWith, stopOnSignals } from '../../server/src/process/stop.ts';
import { password } from '../../server/src/testing/app/builders.ts';
import { personOf } from './people.ts';
import { seed } from './seed.ts';
import { type Application, startServiceProvider } from './service-provider.ts';

/**
 * Seeds through connections without the timeouts of requests: on a busy machine a statement about all people may take
 * minutes.
 */
const seedData = async (parts: Parts, serviceProviderOrigin: string): Promise<Application[]> => {
  const { databaseUrl, dataDir } = parts.config;
  const where = databaseUrl ? { connectionString: databaseUrl } : await findEmbedded(dataDir);
  const { db, close } = connect(where ?? {}, () => undefined, backgroundLimits);
  try {
    return await seed({ ...parts, db }, serviceProviderOrigin);
  } finally {
    await close();
  }
};

/** Runs the product with realistic data on its own data folder, and the applications that its desktops open. */
try {
  const config = readConfig({
    DATA_DIR: './demo-data',
    LOG_LEVEL: 'warn',
    FIRST_OWNER_PASSWORD: password,
    ...process.env,
  });
  const serviceProviderOrigin = `http://127.0.0.1:${config.port + 1}`;
  const starting = startServer(config, createLog(config.logLevel));
  let isStopping = false;
  let closeProvider = () => {};
  const stop = async () => {
    isStopping = true;
    closeProvider();
    await (await starting).stop();
  };
  stopOnSignals(
    starting.then(() => ({ stop })),
    0,
  );
  const { parts } = await starting;
  // A stop during seeding closes the database. The next start begins again.
  const applications = await seedData(parts, serviceProviderOrigin).catch((error: unknown) => {
    if (isStopping) return [];
    throw error;
  });
  if (!isStopping) {
    const serviceProvider = await startServiceProvider(serviceProviderOrigin, config.publicUrl, applications);
    closeProvider = () => {
      serviceProvider.closeAllConnections();
      serviceProvider.close();
    };
    const lines = [
      `  The demonstration is ready: ${config.publicUrl}`,
      '',
      `  Sign in as an owner:  ${personOf('northlab', 0).email}`,
      `           as a user:   ${personOf('northlab', 1).email}`,
      `           as the owner of the installation:  ${config.firstOwner.email}`,
      `  with the password:    ${password}`,
    ];
    process.stdout.write(`\n${lines.join('\n')}\n\n`);
  }
} catch (error) {
  exitWith(error);
}
