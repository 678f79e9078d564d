import type { ChildProcess } from 'node:child_process';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createGroup, getSession } from '@opensocial/contract';
import { browserAt, callerOf, signIn } from '../apps/server/src/testing/app/over-http.ts';
import { accountOf, Drill, freePort, owner, postgresPrograms, readRows, requirePrograms } from './drill.ts';
import { stopServer } from './program.ts';

/**
 * Kills the primary of a PostgreSQL cluster under load: three nodes with Patroni, etcd, HAProxy in front of the primary, and PgBouncer in session
 * mode in front of HAProxy. A node is killed with its Patroni, as if its machine had lost power, and returns as a standby. Reports for how long
 * nothing could be written, and how many acknowledged writes are missing afterwards, without and with a synchronous standby.
 */
const rounds = Number(process.argv[2] ?? 3);
const writers = 4;

requirePrograms({
  postgresql: join(postgresPrograms, 'postgres'),
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
});

const drill = await Drill.create('failover');
const account = await accountOf('postgres');
const password = 'a-password-for-the-drill';

const until = async (what: string, isTrue: () => Promise<boolean>): Promise<void> => {
  for (const begun = performance.now(); !(await isTrue().catch(() => false)); await pause(50))
    if (performance.now() - begun > 180_000) throw new Error(`Waited in vain: ${what}.`);
};

const startEtcd = async (): Promise<number> => {
  const [client, peer] = [await freePort(), await freePort()];
  const folder = join(drill.folder, 'etcd');
  await mkdir(folder, { mode: 0o700 });
  drill.run('/usr/bin/etcd', [
    '--name=etcd',
    `--data-dir=${folder}`,
    `--listen-client-urls=http://127.0.0.1:${client}`,
    `--advertise-client-urls=http://127.0.0.1:${client}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-cluster=etcd=http://127.0.0.1:${peer}`,
  ]);
  await until('etcd is ready', async () => (await fetch(`http://127.0.0.1:${client}/health`)).ok);
  return client;
};

type Node = { name: string; port: number; api: string; data: string; file: string; patroni: ChildProcess };

/** The times are the shortest that Patroni recommends. */
const configurationOf = (name: string, port: number, api: number, etcd: number, data: string) => ({
  scope: 'drill',
  name,
  restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
  etcd3: { host: `127.0.0.1:${etcd}` },
  bootstrap: {
    dcs: {
      ttl: 20,
      loop_wait: 5,
      retry_timeout: 5,
      maximum_lag_on_failover: 1_048_576,
      postgresql: { use_pg_rewind: true, use_slots: true, parameters: { max_connections: 120 } },
    },
    initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
    pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: data,
    bin_dir: postgresPrograms,
    pgpass: `${data}.pgpass`,
    remove_data_directory_on_rewind_failure: true,
    authentication: {
      superuser: { username: 'postgres', password },
      replication: { username: 'replicator', password },
      rewind: { username: 'postgres', password },
    },
    parameters: { unix_socket_directories: '.', password_encryption: 'scram-sha-256' },
  },
});

const startNode = async (name: string, etcd: number): Promise<Node> => {
  const [port, api] = [await freePort(), await freePort()];
  const home = join(drill.folder, name);
  await mkdir(home, { mode: 0o700 });
  await chown(home, account.uid, account.gid);
  const data = join(home, 'data');
  const file = join(home, 'patroni.json');
  // JSON is valid YAML.
  await writeFile(file, JSON.stringify(configurationOf(name, port, api, etcd, data)));
  await chown(file, account.uid, account.gid);
  return {
    name,
    port,
    api: `http://127.0.0.1:${api}`,
    data,
    file,
    patroni: drill.run('/usr/bin/patroni', [file], account),
  };
};

const isPrimary = async (node: Node): Promise<boolean> =>
  fetch(`${node.api}/primary`).then(
    ({ ok }) => ok,
    () => false,
  );

const findPrimary = async (nodes: readonly Node[]): Promise<Node | undefined> => {
  for (const node of nodes) if (await isPrimary(node)) return node;
  return undefined;
};

type Member = { name: string; role: string; state: string };

const membersOf = async (node: Node): Promise<Member[]> => {
  const { members } = (await (await fetch(`${node.api}/cluster`)).json()) as { members: Member[] };
  return members;
};

/** All nodes follow one primary, and one of them is synchronous if there has to be one. */
const isComplete = async (nodes: readonly Node[], isSynchronous: boolean): Promise<boolean> => {
  const primary = await findPrimary(nodes);
  if (!primary) return false;
  const standbys = (await membersOf(primary)).filter(({ role }) => role !== 'leader');
  return (
    standbys.length === nodes.length - 1 &&
    standbys.every(({ state }) => state === 'running' || state === 'streaming') &&
    standbys.some(({ role }) => role === 'sync_standby') === isSynchronous
  );
};

/** Kills Patroni, and PostgreSQL with all its processes, which belong to groups of their own. */
const killNode = async ({ patroni, data }: Node): Promise<void> => {
  const [postmaster] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n').map(Number);
  const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')).trim().split(' ');
  for (const pid of [patroni.pid, postmaster, ...children.map(Number)]) {
    try {
      process.kill(pid as number, 'SIGKILL');
    } catch {
      // A backend may have ended since.
    }
  }
};

/** Connections to HAProxy go to the node whose Patroni says that it is the primary. They are closed when it is no longer. */
const startBalancer = async (nodes: readonly Node[]): Promise<number> => {
  const port = await freePort();
  await drill.startProxy(
    'primary',
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
frontend database
  bind 127.0.0.1:${port}
  default_backend primary
backend primary
  option httpchk GET /primary
  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} port ${new URL(node.api).port}`).join('\n')}
`,
  );
  return port;
};

const etcd = await startEtcd();
const nodes: Node[] = [];

const configure = async (synchronous: boolean): Promise<void> => {
  const primary = await findPrimary(nodes);
  await fetch(`${primary?.api}/config`, { method: 'PATCH', body: JSON.stringify({ synchronous_mode: synchronous }) });
  await until('all nodes replicate', () => isComplete(nodes, synchronous));
};

const exercise = async (address: string, databaseUrl: string, isSynchronous: boolean): Promise<void> => {
  await configure(isSynchronous);
  const browsers = await Promise.all(Array.from({ length: writers }, () => signIn(browserAt(address), owner)));
  const [network] = await readRows(databaseUrl, `select id from networks where name = 'opensocial'`);
  const id = Number(network?.['id']);
  const acknowledged: string[] = [];
  let refused = 0;
  let lastWrite = performance.now();
  let longestGap = 0;
  const stop = new AbortController();
  const write = async (call: ReturnType<typeof callerOf>, writer: number): Promise<void> => {
    for (let turn = 0; !stop.signal.aborted; turn += 1) {
      const name = `group-${isSynchronous}-${writer}-${turn}`;
      try {
        await call(createGroup, { body: { name, description: 'Made under load', sso_server: id } });
        acknowledged.push(name);
        longestGap = Math.max(longestGap, performance.now() - lastWrite);
        lastWrite = performance.now();
      } catch {
        refused += 1;
        await pause(50);
      }
    }
  };
  const writing = Promise.all(browsers.map((browser, writer) => write(callerOf(browser), writer)));
  const gaps: number[] = [];
  const elections: number[] = [];
  let ready = 0;
  for (let round = 0; round < rounds; round += 1) {
    await pause(3_000);
    const primary = await findPrimary(nodes);
    if (!primary) throw new Error('There is no primary.');
    longestGap = 0;
    const count = acknowledged.length;
    const killed = performance.now();
    await killNode(primary);
    await until('another primary is elected', async () => (await findPrimary(nodes)) !== undefined);
    elections.push(performance.now() - killed);
    await until('writes are acknowledged again', async () => acknowledged.length > count + 50 && longestGap > 1_000);
    gaps.push(longestGap);
    if ((await fetch(`${address}/readyz`)).ok) ready += 1;
    primary.patroni = drill.run('/usr/bin/patroni', [primary.file], account);
    await until('the node has returned', () => isComplete(nodes, isSynchronous));
  }
  stop.abort();
  await writing;
  const stored = new Set((await readRows(databaseUrl, 'select name from groups')).map(({ name }) => name));
  const lost = acknowledged.filter((name) => !stored.has(name)).length;
  const sessions = await Promise.all(browsers.map((browser) => callerOf(browser)(getSession, {})));
  const kept = sessions.filter(({ user }) => user !== 'no session').length;
  console.log(
    `Failover ${isSynchronous ? 'with a synchronous standby' : 'with asynchronous standbys'}: ` +
      `${lost} of ${acknowledged.length} acknowledged writes lost; nothing written for ${inSeconds(gaps)} s, of which the election took ${inSeconds(elections)} s; ${refused} requests failed; ` +
      `ready again ${ready} of ${rounds}; ${kept} of ${writers} sessions kept / ${isSynchronous ? '0 lost' : 'stated'}`,
  );
};

const inSeconds = (times: readonly number[]): string => times.map((time) => (time / 1_000).toFixed(1)).join(', ');

try {
  for (const name of ['one', 'two', 'three']) nodes.push(await startNode(name, etcd));
  await until('a primary is elected', async () => (await findPrimary(nodes)) !== undefined);
  await until('all nodes replicate', () => isComplete(nodes, false));
  const pooler = await drill.startPooler(
    { host: '127.0.0.1', port: await startBalancer(nodes), user: 'postgres', password },
    'session',
  );
  const port = await freePort();
  const server = await drill.startServer(pooler.url, port);
  for (const isSynchronous of [false, true]) await exercise(`http://127.0.0.1:${port}`, pooler.url, isSynchronous);
  await stopServer(server);
} finally {
  await drill.stop();
  await drill.remove();
}
