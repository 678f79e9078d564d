import { listActivity, listUsers } from '@opensocial/contract';
import { quantile, type Result } from '../report.ts';
import type { Server, World } from '../world.ts';
import { network, postgresCpu, startServerOn } from '../world.ts';
import { lookInto } from './lists.ts';
import { actsAt, gather } from './sign-ons.ts';

const people = 200;

/**
 * Two server processes on one database, and 200 people who sign in, sign on, look at lists and pause to read, for a
 * number of minutes.
 */
export const measureSoak = async (
  world: World,
  minutes = Number(process.env['SOAK_MINUTES'] ?? 10),
): Promise<Result[]> => {
  const looker = await lookInto(world, 'full');
  const other = await startServerOn(world, 'full', { WORKERS: '1' });
  const servers: Server[] = [looker.server, other];
  const gathered = await gather(world);
  const acts = servers.map((server) => actsAt(server, gathered, people));
  const taken: Record<'sign-on' | 'sign-in' | 'list', number[]> = { 'sign-on': [], 'sign-in': [], list: [] };
  const faults: string[] = [];
  const headers = { cookie: `opensocial_session=${looker.token}`, 'sec-fetch-site': 'same-origin' };
  const lists = [
    listActivity.path.build({ server: network, lastid: 0 }),
    listActivity.path.build({ server: network, lastid: 0, filter: 'Failed' }),
    listUsers.path.build({ serverId: looker.place.id, serverName: network, lastId: 0 }),
    listUsers.path.build({ serverId: looker.place.id, serverName: network, lastId: 0, keyword: 'ana.silv' }),
  ];
  const timed = async (kind: keyof typeof taken, work: () => Promise<unknown>): Promise<void> => {
    const begun = performance.now();
    try {
      await work();
      taken[kind].push(performance.now() - begun);
    } catch (error) {
      faults.push(`${kind}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const end = performance.now() + minutes * 60_000;
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const person = async (number: number): Promise<void> => {
    await pause(Math.random() * 5_000);
    for (let turn = number; performance.now() < end; turn += people) {
      const at = turn % servers.length;
      const draw = Math.random();
      if (draw < 0.7) await timed('sign-on', () => acts[at]?.signOn(turn) ?? Promise.resolve());
      else if (draw < 0.8) await timed('sign-in', () => acts[at]?.signIn(turn) ?? Promise.resolve());
      else
        await timed('list', async () => {
          const answer = await fetch(`${servers[at]?.address}${lists[turn % lists.length]}`, { headers });
          await answer.arrayBuffer();
          if (!answer.ok) throw new Error(`${answer.status}`);
        });
      await pause(2_000 + Math.random() * 6_000);
    }
  };
  try {
    const memory = async () =>
      (await Promise.all(servers.map((server) => server.megabytes()))).map((size) => size.toFixed(0)).join(' and ');
    const half = pause(minutes * 30_000).then(memory);
    const databaseCpu = await postgresCpu();
    await Promise.all(Array.from({ length: people }, (_, number) => person(number)));
    const [atHalf, atEnd] = [await half, await memory()];
    if (faults.length > 0) console.log(`The first faults:\n${faults.slice(0, 10).join('\n')}`);
    const all = Object.values(taken).flat().length;
    return [
      {
        what: `${people} people at two processes for ${minutes} minutes`,
        measured: `${all} done, ${faults.length} failed; PostgreSQL used ${((await postgresCpu()) - databaseCpu).toFixed(0)} CPU-seconds`,
        goal: 'no error',
        isMet: faults.length === 0,
      },
      ...Object.entries(taken).map(([kind, values]) => ({
        what: `… ${kind}`,
        measured: `median ${quantile(values, 0.5).toFixed(0)} ms, 95 % ${quantile(values, 0.95).toFixed(0)} ms, of ${values.length}`,
      })),
      { what: '… memory of the two', measured: `${atEnd} MB at the end`, against: `${atHalf} MB half way` },
    ];
  } finally {
    for (const { close } of acts) close();
    for (const server of servers) await server.stop();
  }
};
