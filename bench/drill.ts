import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../apps/server/src/database/connect.ts';
import { findFreePort } from '../apps/server/src/http/listen.ts';
import { testOrigin } from '../apps/server/src/testing/app/test-parts.ts';
import { startServer, stopServer } from './program.ts';

/** The first owner of the installations of the drills. */
export const owner = { email: 'head@northlab.org', password: 'correct horse battery staple' };

export const freePort = () => findFreePort({ host: '127.0.0.1' });

/** Fails unless the programs are installed, by the names of their packages. */
export const requirePrograms = (programs: Record<string, string>): void => {
  const missing = Object.entries(programs).filter(([, file]) => !existsSync(file));
  if (missing.length > 0) throw new Error(`Install first: apt-get install ${missing.map(([name]) => name).join(' ')}`);
};

type Account = { uid?: number; gid?: number };

/** PostgreSQL refuses to run as root. */
export const accountOf = async (name: string): Promise<{ uid: number; gid: number }> => {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
};

const postgresHome = '/usr/lib/postgresql';
const versions = existsSync(postgresHome) ? readdirSync(postgresHome) : [];

/** The programs of the newest PostgreSQL that is installed. */
export const postgresPrograms = join(
  postgresHome,
  versions.toSorted((one, other) => +one - +other).at(-1) ?? '',
  'bin',
);

/** Runs one query on its own connection. */
export const readRows = async (connectionString: string, text: string): Promise<Record<string, unknown>[]> => {
  const { pool, close } = connect({ connectionString }, () => undefined);
  try {
    return (await pool.query<Record<string, unknown>>(text)).rows;
  } finally {
    await close();
  }
};

const isReady = (address: string): Promise<boolean> =>
  fetch(`${address}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** A folder, and the processes that use it. Both end with the drill. */
export class Drill {
  readonly folder: string;
  readonly #children = new Set<ChildProcess>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(name: string): Promise<Drill> {
    const folder = await mkdtemp(join(tmpdir(), `opensocial-${name}-`));
    await chmod(folder, 0o711);
    return new Drill(folder);
  }

  run(
    program: string,
    args: string[],
    options: Account & { env?: NodeJS.ProcessEnv; detached?: boolean } = {},
  ): ChildProcess {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: this.folder, ...options });
    child.stderr?.pipe(createWriteStream(join(this.folder, 'errors'), { flags: 'a' }));
    return this.watch(child);
  }

  watch(child: ChildProcess): ChildProcess {
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  /** A built server with one process. `folder` has another version of it. */
  async startServer(
    databaseUrl: string,
    port: number,
    { folder, environment }: { folder?: string | undefined; environment?: Record<string, string> } = {},
  ): Promise<ChildProcess> {
    const { server } = await startServer({ ...this.settings(databaseUrl, port), ...environment }, folder);
    return this.watch(server);
  }

  settings(databaseUrl: string, port: number) {
    return {
      PATH: process.env['PATH'],
      WORKERS: '1',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(this.folder, `server-${port}`),
      SECRET_KEY: 'a secret key for the servers of this drill',
      MEDIA_URL: `s3://key:${'s'.repeat(20)}@127.0.0.1:9/bucket?region=x`,
      PUBLIC_URL: testOrigin,
      TRUST_PROXY: '127.0.0.1',
      SHUTDOWN_DELAY: '5',
      LOG_LEVEL: 'warn',
      FIRST_OWNER_EMAIL: owner.email,
      FIRST_OWNER_PASSWORD: owner.password,
    };
  }

  /** HAProxy with a configuration of its own. */
  async startProxy(name: string, configuration: string): Promise<void> {
    const file = join(this.folder, `${name}.cfg`);
    await writeFile(file, configuration);
    this.run('/usr/sbin/haproxy', ['-f', file]);
  }

  /** HAProxy in front of servers. Returns its address when it serves. */
  async startBalancer(name: string, ports: readonly number[]): Promise<string> {
    const port = await freePort();
    await this.startProxy(
      name,
      `defaults
  mode http
  timeout connect 5s
  timeout check 5s
  timeout client 60s
  timeout server 120s
frontend public
  bind 127.0.0.1:${port}
  http-request set-header X-Forwarded-For %[src]
  default_backend servers
backend servers
  balance leastconn
  option httpchk GET /readyz
  default-server check inter 1s fall 2 rise 2
  retry-on conn-failure empty-response 503
  http-request disable-l7-retry unless METH_GET
  option redispatch
${ports.map((each) => `  server s${each} 127.0.0.1:${each}`).join('\n')}
`,
    );
    const address = `http://127.0.0.1:${port}`;
    while (!(await isReady(address))) await pause(100);
    return address;
  }

  /** PgBouncer in front of a database. It refuses to run as root. */
  async startPooler(
    { host, port, user, password }: { host: string; port?: number; user: string; password: string },
    mode: 'session' | 'transaction' | 'statement',
  ): Promise<{ url: string; stop: () => void }> {
    const listening = await freePort();
    const own = join(this.folder, `pooler-${mode}`);
    await mkdir(own);
    await chmod(own, 0o755);
    await writeFile(join(own, 'users'), `"${user}" "${password}"\n`, { mode: 0o644 });
    await writeFile(
      join(own, 'pgbouncer.ini'),
      `[databases]\n* = host=${host}${port === undefined ? '' : ` port=${port}`} dbname=postgres\n[pgbouncer]\n` +
        `listen_addr = 127.0.0.1\nlisten_port = ${listening}\nunix_socket_dir =\nauth_type = plain\n` +
        `auth_file = ${own}/users\npool_mode = ${mode}\ndefault_pool_size = 90\nmax_client_conn = 500\nserver_login_retry = 1\n`,
    );
    const child = this.run('/usr/sbin/pgbouncer', ['-u', 'postgres', join(own, 'pgbouncer.ini')]);
    await pause(1_000);
    return {
      url: `postgres://${user}:${password}@127.0.0.1:${listening}/postgres`,
      stop: () => void child.kill('SIGINT'),
    };
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#children].map(stopServer));
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
