import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { startServiceProvider } from '../../apps/demo/src/service-provider.ts';
import { readConfig } from '../../apps/server/src/config.ts';
import { createLog } from '../../apps/server/src/log.ts';
import { startServer } from '../../apps/server/src/process/start.ts';
import { openSmtpServer, toLetter } from '../../apps/server/src/testing/services/smtp-server.ts';
import { startBrowserClient } from './browser-client.ts';
import { startIdentityProviders } from './identity-providers.ts';
import { startLogoutSites } from './logout-sites.ts';
import { seed } from './seed.ts';

import { demonstration, mailboxOrigin, origin, password, plantedSecret, serviceProviderOrigin } from './world.ts';

/** The real server on its own data folder, with people and sites, and with service and identity providers. */
const dataDir = await mkdtemp(join(tmpdir(), 'opensocial-e2e-'));
await chmod(dataDir, 0o711);
const identityProviders = await startIdentityProviders();
const smtpServer = await openSmtpServer();
const config = readConfig({
  DATA_DIR: dataDir,
  PORT: new URL(origin).port,
  PUBLIC_URL: origin,
  SMTP_URL: smtpServer.url,
  FIRST_OWNER_PASSWORD: password,
  LOG_LEVEL: 'debug',
  REPORT_URL: `${demonstration}/`,
  OIDC_ISSUERS: identityProviders.issuers,
  OUTBOUND_PRIVATE: 'allow',
});
const mailbox = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', mailboxOrigin);
  if (pathname === '/muddled-sls') {
    const answer = new URLSearchParams({ SAMLResponse: 'nonsense', RelayState: searchParams.get('RelayState') ?? '' });
    response.writeHead(303, { location: `${origin}/saml/sociallab/slo?${answer}` }).end();
    return;
  }
  const to = searchParams.get('to') ?? '';
  const letters = smtpServer.received.map(toLetter).filter((letter) => letter.to.includes(to));
  response.setHeader('content-type', 'application/json').end(JSON.stringify(letters));
});
mailbox.listen(Number(new URL(mailboxOrigin).port), '127.0.0.1');
/** Checks every log line. A secret in it ends the run. */
const watchedLog = new Writable({
  write: (line: Buffer, _encoding, done) => {
    const text = line.toString();
    if (text.includes(plantedSecret)) {
      console.error(`The log contains a secret: ${text}`);
      process.exit(1);
    }
    if (JSON.parse(text).level >= 50) console.error(text);
    done();
  },
});
const server = await startServer(config, createLog(config.logLevel, watchedLog));
// The data need not survive a crash.
await server.parts.db.execute('alter system set fsync = off');
await server.parts.db.execute('select pg_reload_conf()');
const applications = [...(await startLogoutSites()), ...(await startBrowserClient())];
const serviceProvider = await startServiceProvider(
  serviceProviderOrigin,
  origin,
  await seed(server.parts, identityProviders.keys),
);

const stop = async () => {
  mailbox.close();
  serviceProvider.close();
  for (const each of applications) {
    each.closeAllConnections();
    each.close();
  }
  await identityProviders.stop();
  await server.stop();
  await smtpServer.close();
  await rm(dataDir, { recursive: true, force: true });
  process.exit(0);
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
