import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildAuthnRequest, newSamlId, redirectUrl } from '@opensocial/saml';
import { startEmbedded } from '../apps/server/src/database/embedded/embedded.ts';
import { makeKeyPair } from '../interop/programs.ts';
import { Drill, freePort, requirePrograms } from './drill.ts';
import { createClient } from './http.ts';
import { actsAt, connections } from './parts/sign-ons.ts';
import { median, quantile } from './report.ts';
import { makePeopleAndSites } from './small-world.ts';
import { cpuWithChildren, postgresCpu, startServer } from './world.ts';

/**
 * Sign-ons a CPU-second with a live session, with one RSA-2048 signature each, against SimpleSAMLphp as identity provider under Apache with
 * mod_php and OPcache. Ours include PostgreSQL and a line of the log that is stored before the response; SimpleSAMLphp stores its sessions in files. They
 * take turns, so that the load of the machine changes both alike.
 */
const rounds = Number(process.argv[2] ?? 15);
const signOnsPerTurn = 400;
const signOnsToWarmUp = 3_000;
const siteCount = 20;

requirePrograms({
  apache2: '/usr/sbin/apache2',
  'libapache2-mod-php8.2': '/usr/lib/apache2/modules/libphp8.2.so',
  'php8.2-opcache': '/usr/lib/php/20220829/opcache.so',
  simplesamlphp: '/usr/share/simplesamlphp/www/index.php',
});

type Measured = { signOn: (turn: number) => Promise<void>; cpu: () => Promise<number>; stop: () => Promise<void> };

const drill = await Drill.create('simplesamlphp');
const acsOf = (site: number): string => `https://site${site}.example.org/acs`;
const identityOf = (site: number): string => `https://site${site}.example.org/sp`;

const startSimpleSamlPhp = async (): Promise<Measured> => {
  const { folder } = drill;
  const address = `http://127.0.0.1:${await freePort()}`;
  await makeKeyPair(folder);
  await chmod(join(folder, 'key.pem'), 0o644);
  for (const name of ['config', 'metadata', 'temp']) await mkdir(join(folder, name));
  await chmod(join(folder, 'temp'), 0o777);
  const files: Record<string, string> = {
    'config/config.php': `<?php $config = [
  'baseurlpath' => '${address}/simplesaml/', 'certdir' => '${folder}/', 'loggingdir' => '${folder}/temp/', 'datadir' => '${folder}/temp/',
  'tempdir' => '${folder}/temp/', 'metadatadir' => '${folder}/metadata/', 'secretsalt' => 'a salt for measurements only',
  'auth.adminpassword' => 'a password for measurements only', 'technicalcontact_email' => 'nobody@localhost', 'timezone' => 'UTC',
  'logging.handler' => 'file', 'logging.logfile' => 'simplesamlphp.log', 'session.cookie.secure' => false,
  'session.phpsession.savepath' => '${folder}/temp/', 'store.type' => 'phpsession', 'enable.saml20-idp' => true,
  'module.enable' => ['exampleauth' => true], 'metadata.sources' => [['type' => 'flatfile']],
];`,
    'config/authsources.php': `<?php $config = ['people' => ['exampleauth:UserPass', 'ana:secret' => ['uid' => ['ana'], 'email' => ['ana@lab.example'], 'fullname' => ['Ana Moreno'], 'groups' => ['members', 'writers']]]];`,
    'metadata/saml20-idp-hosted.php': `<?php $metadata['${address}/idp'] = ['host' => '__DEFAULT__', 'privatekey' => 'key.pem', 'certificate' => 'cert.pem', 'auth' => 'people', 'userid.attribute' => 'uid'];`,
    'metadata/saml20-sp-remote.php': `<?php ${Array.from({ length: siteCount }, (_, site) => `$metadata['${identityOf(site)}'] = ['AssertionConsumerService' => '${acsOf(site)}', 'saml20.sign.response' => false, 'saml20.sign.assertion' => true, 'simplesaml.nameidattribute' => 'email'];`).join('\n')}`,
    'apache2.conf': `ServerRoot /usr/lib/apache2
ServerName 127.0.0.1
PidFile ${folder}/apache.pid
ErrorLog ${folder}/apache-error.log
Mutex file:${folder}
User www-data
Group www-data
LoadModule mpm_prefork_module modules/mod_mpm_prefork.so
LoadModule authz_core_module modules/mod_authz_core.so
LoadModule alias_module modules/mod_alias.so
LoadModule dir_module modules/mod_dir.so
LoadModule mime_module modules/mod_mime.so
LoadModule env_module modules/mod_env.so
LoadModule php_module modules/libphp8.2.so
TypesConfig /etc/mime.types
StartServers ${connections}
MaxRequestWorkers ${connections + 4}
MaxKeepAliveRequests 0
KeepAliveTimeout 60
<FilesMatch \\.php$>
  SetHandler application/x-httpd-php
</FilesMatch>
Listen ${address.replace('http://', '')}
DocumentRoot ${folder}/temp
SetEnv SIMPLESAMLPHP_CONFIG_DIR ${folder}/config
Alias /simplesaml /usr/share/simplesamlphp/www
<Location />
  Require all granted
</Location>
`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  // In a process group of its own, because Apache ends its whole group when it stops.
  drill.run('/usr/sbin/apache2', ['-DFOREGROUND', '-f', join(folder, 'apache2.conf')], { detached: true });
  const metadata = `${address}/simplesaml/saml2/idp/metadata.php`;
  while (
    !(await fetch(metadata).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await pause(100);
  const { send, close } = createClient(connections);
  const location = `${address}/simplesaml/saml2/idp/SSOService.php`;
  const requestOf = (turn: number): string => {
    const site = turn % siteCount;
    const draft = { id: newSamlId(), issuer: identityOf(site), destination: location, acsUrl: acsOf(site) };
    return redirectUrl({
      location,
      kind: 'SAMLRequest',
      xml: buildAuthnRequest({ ...draft, issueInstant: new Date() }),
    });
  };
  const signIn = async (): Promise<string> => {
    const begun = await send(requestOf(0));
    const jar = new Map<string, string>();
    const keep = (cookies: string[]) => {
      for (const cookie of cookies) jar.set(cookie.split('=')[0] ?? '', cookie);
      return [...jar.values()].join('; ');
    };
    const state = new URL(begun.location ?? '', address).searchParams.get('AuthState') ?? '';
    const form = { AuthState: state, username: 'ana', password: 'secret' };
    const done = await send(begun.location ?? '', keep(begun.cookies), form);
    if (!done.body.includes('SAMLResponse')) throw new Error(`Answered ${done.status}: ${done.body.slice(0, 500)}`);
    return keep(done.cookies);
  };
  const cookies = await Promise.all(Array.from({ length: connections }, signIn));
  const pid = (await readFile(join(folder, 'apache.pid'), 'utf8')).trim();
  // A session is locked while it is used, so each connection has its own.
  const free = [...cookies];
  return {
    signOn: async (turn) => {
      const cookie = free.pop() ?? '';
      const { status, body } = await send(requestOf(turn), cookie);
      free.push(cookie);
      if (status !== 200 || !body.includes('SAMLResponse'))
        throw new Error(`Answered ${status}: ${body.slice(0, 500)}`);
    },
    cpu: () => cpuWithChildren(pid),
    stop: async () => close(),
  };
};

const startOwn = async (): Promise<Measured> => {
  const folder = join(drill.folder, 'own');
  await mkdir(folder);
  await chmod(folder, 0o711);
  const embedded = await startEmbedded(folder);
  const { host = '', user = '', password } = embedded.where;
  const environment = {
    DATABASE_URL: `postgres://${user}:${String(password)}@localhost/postgres?host=${encodeURIComponent(host)}`,
    DATA_DIR: join(folder, 'server'),
    SECRET_KEY: 'a secret key that only this measurement uses',
    FIRST_OWNER_EMAIL: 'head@northlab.example',
  };
  await mkdir(environment.DATA_DIR);
  const gathered = await makePeopleAndSites(environment, { signs: 'assertion' });
  const server = await startServer({ ...environment, WORKERS: '1' });
  const { signOn, close } = actsAt(server, gathered);
  return {
    signOn,
    cpu: async () => (await server.cpu()) + (await postgresCpu(folder)),
    stop: async () => {
      close();
      await server.stop();
      await embedded.stop();
    },
  };
};

let turns = 0;
/** The CPU milliseconds of a sign-on. */
const measure = async ({ signOn, cpu }: Measured, count: number): Promise<number> => {
  const before = await cpu();
  let left = count;
  const worker = async () => {
    for (; left > 0; left -= 1) await signOn((turns += 1));
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return (1_000 * ((await cpu()) - before)) / count;
};

try {
  const measured = { theirs: await startSimpleSamlPhp(), ours: await startOwn() };
  for (const one of Object.values(measured)) await measure(one, signOnsToWarmUp);
  const taken = { theirs: [] as number[], ours: [] as number[] };
  for (let round = 0; round < rounds; round += 1)
    for (const name of ['theirs', 'ours'] as const) taken[name].push(await measure(measured[name], signOnsPerTurn));
  for (const one of Object.values(measured)) await one.stop();
  const ratios = taken.theirs.map((theirs, round) => theirs / (taken.ours[round] ?? 0));
  console.log(
    `Sign-ons a CPU-second with one signature: ${(1_000 / median(taken.ours)).toFixed(0)}, SimpleSAMLphp ${(1_000 / median(taken.theirs)).toFixed(0)}, ratio ${median(ratios).toFixed(2)} (quartiles ${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)}) / 2.5`,
  );
} finally {
  await drill.stop();
  await drill.remove();
}
