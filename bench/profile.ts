import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '../apps/server/src/database/connect.ts';
import { startEmbedded } from '../apps/server/src/database/embedded/embedded.ts';
import { Drill } from './drill.ts';
import { signatureLimit } from './limits.ts';
import { actsAt, connections } from './parts/sign-ons.ts';
import { measureReference } from './reference.ts';
import { median, quantile } from './report.ts';
import { printLargest, readSamples } from './samples.ts';
import { makePeopleAndSites } from './small-world.ts';
import { postgresCpu, startServer } from './world.ts';

/**
 * Where the processor time of a single sign-on goes. A person with a live session asks for a site, and gets a signed response. With
 * ACT=sign-in there is no session, but a password. The database is small, so PostgreSQL needs less time than with a million users.
 *
 * Without OLD, a server runs from its sources under the profiler of V8. With OLD, the built server is compared with the built clone of another
 * version in that folder. They take turns, in a random order, so that the load of the machine changes both alike.
 */
const earlier = process.env['OLD'];
const rounds = Number(process.argv[2] ?? 60);
const isWithPassword = process.env['ACT'] === 'sign-in';
const perTurn = isWithPassword ? 40 : 400;
const toWarmUp = isWithPassword ? 300 : 3_000;
const actName = isWithPassword ? 'sign-in with a password' : 'sign-on';

const drill = await Drill.create('profile');
const embedded = await startEmbedded(drill.folder);
const { host = '', user = '', password } = embedded.where;
const administration = connect(embedded.where, () => undefined);

type Turn = { server: number; postgres: number; transactions: number };
type Measured = { measure: (count: number) => Promise<Turn>; stop: () => Promise<void> };

/** Starts a server on a database of its own. */
const start = async (name: string, program: string[]): Promise<Measured> => {
  await administration.pool.query(`create database ${name}`);
  const environment = {
    DATABASE_URL: `postgres://${user}:${String(password)}@localhost/${name}?host=${encodeURIComponent(host)}`,
    DATA_DIR: join(drill.folder, name),
    SECRET_KEY: 'a secret key that only this measurement uses',
    FIRST_OWNER_EMAIL: 'head@northlab.example',
  };
  await mkdir(environment.DATA_DIR);
  const gathered = await makePeopleAndSites(environment);
  const server = await startServer({ ...environment, WORKERS: '1', LOG_LEVEL: 'info' }, program);
  const { signOn, signIn, close } = actsAt(server, gathered);
  const act = isWithPassword ? signIn : signOn;
  const countTransactions = async (): Promise<number> => {
    const { rows } = await administration.pool.query<{ count: string }>(
      'select xact_commit as count from pg_stat_database where datname = $1',
      [name],
    );
    return Number(rows[0]?.count);
  };
  let turns = 0;
  const measure = async (count: number): Promise<Turn> => {
    const before = [await server.cpu(), await postgresCpu(drill.folder), await countTransactions()] as const;
    let left = count;
    const worker = async () => {
      for (; left > 0; left -= 1) await act((turns += 1));
    };
    await Promise.all(Array.from({ length: connections }, worker));
    return {
      server: (1_000 * ((await server.cpu()) - before[0])) / count,
      postgres: (1_000 * ((await postgresCpu(drill.folder)) - before[1])) / count,
      transactions: ((await countTransactions()) - before[2]) / count,
    };
  };
  return {
    measure,
    stop: async () => {
      close();
      await server.stop();
    },
  };
};

const microseconds = (): number => Number(process.hrtime.bigint() / 1_000n);

const profile = async (): Promise<void> => {
  const into = join(drill.folder, 'profiles');
  const options = ['--cpu-prof', '--cpu-prof-dir', into, '--cpu-prof-interval', '250'];
  const { measure, stop } = await start('profiled', [...options, 'apps/server/src/main.ts']);
  await measure(toWarmUp);
  const begun = microseconds();
  const count = rounds * perTurn;
  const { server, postgres, transactions } = await measure(count);
  const ended = microseconds();
  await stop();
  const [file = ''] = await readdir(into);
  const breakdown = readSamples(JSON.parse(await readFile(join(into, file), 'utf8')), begun, ended);
  const scale = { total: breakdown.total, per: count };
  console.log(
    `A ${actName}: ${server.toFixed(2)} ms of CPU in the server with the profiler, ${(breakdown.total / count / 1_000).toFixed(2)} ms of them in its main thread; ${postgres.toFixed(2)} ms in PostgreSQL, ${transactions.toFixed(2)} transactions`,
  );
  printLargest('By module. What Node does for a module is included.', breakdown.modules, { ...scale, most: 40 });
  printLargest('Functions, without what they call', breakdown.functions, { ...scale, most: 40 });
  printLargest('Functions, with what they call', breakdown.inclusive, { ...scale, most: 80 });
};

const names = ['before', 'after'] as const;
type Name = (typeof names)[number];
type Round = Record<Name, Turn> & { signatures: number };

const compare = async (folder: string): Promise<void> => {
  const program = 'apps/server/dist/main.js';
  const versions = { before: await start('before', [join(folder, program)]), after: await start('after', [program]) };
  for (const name of names) await versions[name].measure(toWarmUp);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turns: Partial<Record<Name, Turn>> = {};
    for (const name of Math.random() < 0.5 ? names : names.toReversed())
      turns[name] = await versions[name].measure(perTurn);
    const { before, after } = turns;
    if (before && after) measured.push({ before, after, signatures: 2_000 / (await signatureLimit('RS256', 200)) });
  }
  const reference = await measureReference();
  for (const version of Object.values(versions)) await version.stop();
  const signatures = median(measured.map((round) => round.signatures));
  for (const name of names) {
    const figure = (of: (turn: Turn) => number): string => median(measured.map((round) => of(round[name]))).toFixed(2);
    const besides = median(measured.map((round) => total(round[name]) - signatures));
    console.log(
      `${name}: server ${figure(({ server }) => server)} ms, PostgreSQL ${figure(({ postgres }) => postgres)} ms with ${figure(({ transactions }) => transactions)} transactions; without two signatures ${besides.toFixed(2)} ms, ${(besides / reference).toFixed(2)} times the reference work`,
    );
  }
  console.log(`two signatures: ${signatures.toFixed(2)} ms; reference work: ${reference.toFixed(2)} ms`);
  const print = (what: string, of: (turn: Turn) => number) => {
    const ratios = measured.map(({ before, after }) => of(after) / of(before));
    console.log(
      `${what}: ${median(ratios).toFixed(3)} times as before (quartiles ${quantile(ratios, 0.25).toFixed(3)} to ${quantile(ratios, 0.75).toFixed(3)})`,
    );
  };
  print('all', total);
  print('without the signatures', (turn) => total(turn) - signatures);
  print('… in the server', ({ server }) => server - signatures);
  print('… in PostgreSQL', ({ postgres }) => postgres);
};

const total = ({ server, postgres }: Turn): number => server + postgres;

try {
  await (earlier === undefined ? profile() : compare(earlier));
} finally {
  await administration.close();
  await embedded.stop();
  await drill.remove();
}
