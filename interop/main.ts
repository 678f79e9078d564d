import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entityId, startIdentityProvider } from './identity-provider.ts';
import { checkLogout } from './logout.ts';
import { assertInstalled, stopAll } from './programs.ts';
import { checkProtection } from './protection.ts';
import { checkRollover } from './rollover.ts';
import { startServiceProviders } from './service-providers.ts';

/** `node interop/main.ts` runs everything, or the named parts. It exits with 1 if something failed. */
const parts = { protection: checkProtection, rollover: checkRollover, logout: checkLogout };

const isPart = (name: string): name is keyof typeof parts => name in parts;
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !isPart(name));
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(', ')}: name ${Object.keys(parts).join(', ')}.`);

assertInstalled();
const folder = await mkdtemp(join(tmpdir(), 'opensocial-interop-'));
try {
  const idp = await startIdentityProvider(join(folder, 'data'));
  const metadata = await (await fetch(entityId)).text();
  await startServiceProviders(folder, { entityId, metadata });
  const registered = await idp.registerAll();
  for (const name of asked.length > 0 ? asked.filter(isPart) : (Object.keys(parts) as (keyof typeof parts)[])) {
    console.log(`\n${name}`);
    await parts[name]({ idp, folder, sites: registered });
  }
  await idp.connection.close();
} finally {
  await stopAll();
  if (process.env['KEEP']) console.log(`Kept ${folder}.`);
  else await rm(folder, { recursive: true, force: true });
}
