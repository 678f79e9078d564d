import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDiagnosis } from './diagnosis.ts';
import { describeIdentityProvider, startIdentityProvider } from './identity-provider.ts';
import { checkLogout } from './logout.ts';
import { checkOidc } from './oidc.ts';
import { assertInstalled, stopAll } from './programs.ts';
import { checkProtection } from './protection.ts';
import { checkRollover } from './rollover.ts';
import { startServiceProviders } from './service-providers.ts';

/** `node interop/main.ts` runs everything, or the named parts. It exits with 1 if something failed. */
const parts = {
  protection: checkProtection,
  rollover: checkRollover,
  logout: checkLogout,
  oidc: checkOidc,
  diagnosis: checkDiagnosis,
};

const isPart = (name: string): name is keyof typeof parts => name in parts;
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !isPart(name));
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(', ')}: name ${Object.keys(parts).join(', ')}.`);

assertInstalled();
const folder = await mkdtemp(join(tmpdir(), 'opensocial-interop-'));
try {
  const idp = await startIdentityProvider(join(folder, 'data'));
  await chmod(folder, 0o777);
  const names = asked.length > 0 ? asked.filter(isPart) : (Object.keys(parts) as (keyof typeof parts)[]);
  // The relying parties of OpenID Connect are registered and started by their own part.
  if (names.some((name) => name !== 'oidc')) await startServiceProviders(folder, await describeIdentityProvider());
  const sites = names.some((name) => name !== 'oidc') ? await idp.registerAll() : [];
  for (const name of names) {
    console.log(`\n${name}`);
    await parts[name]({ idp, folder, sites });
  }
  await idp.connection.close();
} finally {
  await stopAll();
  if (process.env['KEEP']) console.log(`Kept ${folder}.`);
  else await rm(folder, { recursive: true, force: true });
}
