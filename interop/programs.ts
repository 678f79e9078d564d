import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/** The Debian packages with the service providers, and a file of each. */
const packages = {
  apache2: '/usr/sbin/apache2',
  'libapache2-mod-auth-mellon': '/usr/lib/apache2/modules/mod_auth_mellon.so',
  'libapache2-mod-auth-openidc': '/usr/lib/apache2/modules/mod_auth_openidc.so',
  'libapache2-mod-shib': '/usr/lib/apache2/modules/mod_shib.so',
  'libapache2-mod-php8.2': '/usr/lib/apache2/modules/libphp8.2.so',
  'php8.2-xml': '/usr/lib/php/20220829/dom.so',
  'php8.2-mbstring': '/usr/lib/php/20220829/mbstring.so',
  simplesamlphp: '/usr/share/simplesamlphp/www/index.php',
  'python3-pysaml2': '/usr/lib/python3/dist-packages/saml2/__init__.py',
  'python3-authlib': '/usr/lib/python3/dist-packages/authlib/__init__.py',
  'liblemonldap-ng-portal-perl': '/usr/share/lemonldap-ng/portal/htdocs/index.psgi',
  'libgd-securityimage-perl': '/usr/share/perl5/GD/SecurityImage.pm',
  'libimage-magick-perl': '/usr/share/doc/libimage-magick-perl',
  'python3-flask': '/usr/lib/python3/dist-packages/flask/__init__.py',
  xmlsec1: '/usr/bin/xmlsec1',
};

export const assertInstalled = (): void => {
  const missing = Object.entries(packages).filter(([, file]) => !existsSync(file));
  if (missing.length > 0)
    throw new Error(`Install these packages first: apt-get install ${missing.map(([name]) => name).join(' ')}`);
};

const children = new Set<ChildProcess>();

// Also if this program ends by an error or a signal, so that nothing is left on the ports of the next run.
process.on('exit', () => {
  for (const child of children) child.kill('SIGTERM');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

/** Starts a program that is stopped with this process. Its output is shown only if it fails. */
export const start = (
  program: string,
  args: string[],
  { env = {}, log }: { env?: Record<string, string>; log?: string } = {},
): ChildProcess => {
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a process group of its own, because Apache ends its whole group when it stops.
    detached: true,
  });
  children.add(child);
  let said = '';
  const hear = (text: Buffer) => {
    said = (said + text.toString()).slice(-4_000);
    if (log) appendFileSync(log, text);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  child.on('exit', (code) => {
    if (children.delete(child) && code) console.error(`${program} ended with ${code}: ${said}`);
  });
  return child;
};

export const stopAll = async (): Promise<void> => {
  const running = [...children];
  children.clear();
  await Promise.all(
    running.map(async (child) => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      if (child.exitCode === null) await ended;
    }),
  );
};

export const assertFree = async (url: string): Promise<void> => {
  const isTaken = await fetch(url).then(
    () => true,
    () => false,
  );
  if (isTaken) throw new Error(`Another program already listens at ${url}.`);
};

/** Reads something again and again until it is as expected or the time is over, and returns what was read last. */
export const eventually = async <Result>(
  read: () => Promise<Result>,
  isExpected: (result: Result) => boolean,
  milliseconds: number,
): Promise<Result> => {
  const end = Date.now() + milliseconds;
  for (;;) {
    const result = await read();
    if (isExpected(result) || Date.now() > end) return result;
    await setTimeout(100);
  }
};

/** Waits until an address answers. */
export const answers = async (url: string): Promise<void> => {
  const read = async (): Promise<number | undefined> => {
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    return response?.status;
  };
  const isAnswer = (status: number | undefined): boolean => status !== undefined && status < 500;
  const status = await eventually(read, isAnswer, 120_000);
  if (!isAnswer(status)) throw new Error(`${url} does not answer: ${status}`);
};

/** An RSA key with a self-signed certificate, as service providers use them. */
export const makeKeyPair = async (folder: string): Promise<void> => {
  const subject = ['-subj', '/CN=service provider', '-days', '30'];
  const files = ['-keyout', `${folder}/key.pem`, '-out', `${folder}/cert.pem`];
  await exec('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files]);
};
