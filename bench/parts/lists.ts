import {
  listActivity,
  listGroups,
  listImages,
  listNetworks,
  listOwners,
  listSites,
  listUsers,
  searchNetworks,
} from '@opensocial/contract';
import { insertSession } from '../../apps/server/src/features/session/session.queries.ts';
import { median, type Result } from '../report.ts';
import { viewer } from '../seed.ts';
import { network, openParts, type Server, type Size, sizes, startServerOn, type World } from '../world.ts';

const rounds = 11;

/** A deep page of the full list, and the last full one of a list of 1,000. */
const deepPage: Record<Size, number> = { small: 3, full: 50 };

type Place = { id: number };
type PathOf = (place: Place, lastid: number) => string;

const thisMonth = `${new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)},${new Date().toISOString().slice(0, 10)}`;

const searches = {
  'search of 2 characters': { keyword: 'mo' },
  'search of 3 characters': { keyword: 'ana' },
  'search of 8 characters': { keyword: 'ana.silv' },
};

/** Like the console: the rows arrive with a total that is counted only as far as is possible at once. */
const quickly = (path: string): string => `${path}?count=quick`;
const completely = (path: string): string => path.replace('count=quick', 'count=only');

type AskedOf<Call extends { path: { build: (asked: never) => string } }> = Partial<
  Parameters<Call['path']['build']>[0]
>;

/** The queries of a list: unfiltered, searches, and its filters. */
const questionsOf = <Asked>(
  ask: (asked: Asked) => PathOf,
  filters: Record<string, Asked> = {},
): Record<string, PathOf> =>
  Object.fromEntries(
    Object.entries({ 'first page and total': {}, ...searches, ...filters }).map(([name, asked]) => [
      name,
      ask(asked as Asked),
    ]),
  );

const lists: Record<string, Record<string, PathOf>> = {
  activity: questionsOf(
    (asked: AskedOf<typeof listActivity>) => (_place, lastid) =>
      quickly(listActivity.path.build({ server: network, lastid, ...asked })),
    {
      'search of an address': { keyword: '10.3.14.' },
      'status Failed': { filter: 'Failed' },
      'site wiki12': { site: 'wiki12' },
      'this month': { time: thisMonth },
    },
  ),
  users: questionsOf(
    (asked: AskedOf<typeof listUsers>) =>
      ({ id }, lastId) =>
        quickly(listUsers.path.build({ serverId: id, serverName: network, lastId, ...asked })),
    {
      'status NonConfirmed': { filter: 'NonConfirmed' },
      'mode Disable': { user_mode: 'Disable' },
      'made this month': { time: thisMonth },
    },
  ),
  sites: questionsOf(
    (asked: AskedOf<typeof listSites>) =>
      ({ id }, lastid) =>
        listSites.path.build({ server_id: id, sso_server: network, lastid, ...asked }),
    { 'status Disable': { filter: 'Disable' }, 'mode Closed': { site_mode: 'Closed' } },
  ),
  groups: questionsOf(
    (asked: AskedOf<typeof listGroups>) =>
      ({ id }, lastId) =>
        listGroups.path.build({ serverId: id, serverName: network, lastId, ...asked }),
  ),
  owners: questionsOf(
    (asked: AskedOf<typeof listOwners>) =>
      ({ id }, lastId) =>
        listOwners.path.build({ serverId: id, serverName: network, lastId, ...asked }),
  ),
  networks: questionsOf(
    ({ keyword }: { keyword?: string }) =>
      (_place, lastid) =>
        keyword === undefined
          ? listNetworks.path.build({ username: viewer, lastid })
          : searchNetworks.path.build({ username: viewer, keyword, lastid }),
  ),
  images: questionsOf(
    (asked: AskedOf<typeof listImages>) => (_place, lastid) =>
      listImages.path.build({ server: network, lastid, ...asked }),
  ),
};

type Looker = {
  place: Place;
  get: (path: string) => Promise<{ milliseconds: number; rows: { id: number }[]; isMinimum: boolean }>;
  server: Server;
  token: string;
};

export const lookInto = async (world: World, size: Size): Promise<Looker> => {
  const { parts, close } = await openParts(world, size);
  const [user] = await world.query<{ id: string; default_network_id: string; place: string }>(
    size,
    'select id, default_network_id, (select id from networks where name = $2) as place from users where email = $1',
    [viewer, network],
  );
  const token = await insertSession(parts.db, {
    user_id: Number(user?.id),
    session_index: `_bench${Date.now()}`,
    name_id: viewer,
    selected_network_id: Number(user?.place),
    login_from: 'OpenSocial',
    authenticated_at: new Date(),
  });
  await close();
  const server = await startServerOn(world, size, { WORKERS: '1' });
  const headers = { cookie: `opensocial_session=${token}`, 'sec-fetch-site': 'same-origin' };
  const get = async (path: string) => {
    const begun = performance.now();
    const answer = await fetch(`${server.address}${path}`, { headers });
    const body = (await answer.json()) as Record<string, unknown>;
    const milliseconds = performance.now() - begun;
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(body)}`);
    return {
      milliseconds,
      rows: Object.values(body).find(Array.isArray) as { id: number }[],
      isMinimum: body['total_is_minimum'] === true,
    };
  };
  return { place: { id: Number(user?.place) }, get, server, token };
};

const cursorOf = async ({ get, place }: Looker, path: PathOf, page: number): Promise<number> => {
  let cursor = 0;
  for (let turn = 1; turn < page; turn += 1) cursor = (await get(path(place, cursor))).rows.at(-1)?.id ?? cursor;
  return cursor;
};

/** Each query runs against both sizes in turn; the result is the ratio of the medians. */
export const measureLists = async (world: World): Promise<Result[]> => {
  const lookers = { small: await lookInto(world, 'small'), full: await lookInto(world, 'full') };
  try {
    const results: Result[] = [];
    const compare = async (
      what: string,
      paths: Record<Size, string>,
      goal: '≤ 3, < 50 ms' | '≤ 3 or 50 ms' | undefined,
    ) => {
      const taken: Record<Size, number[]> = { small: [], full: [] };
      for (let round = 0; round < rounds; round += 1)
        for (const size of sizes) taken[size].push((await lookers[size].get(paths[size])).milliseconds);
      const [small, full] = [median(taken.small), median(taken.full)];
      results.push({
        what,
        measured: `${full.toFixed(1)} ms`,
        against: `${small.toFixed(1)} ms with 1,000`,
        ratio: full / small,
        ...(goal && {
          goal,
          isMet: goal === '≤ 3, < 50 ms' ? full / small <= 3 && full < 50 : full / small <= 3 || full <= 50,
        }),
      });
    };
    for (const [name, asked] of Object.entries(lists)) {
      for (const [question, path] of Object.entries(asked)) {
        const pathsAt = (cursors: Record<Size, number>) => ({
          small: path(lookers.small.place, cursors.small),
          full: path(lookers.full.place, cursors.full),
        });
        const isFirst = question.startsWith('first');
        const first = pathsAt({ small: 0, full: 0 });
        await compare(`${name}: ${question}`, first, isFirst ? '≤ 3, < 50 ms' : '≤ 3 or 50 ms');
        if ((await lookers.full.get(first.full)).isMinimum)
          await compare(
            '… the complete total, after the rows',
            { small: completely(first.small), full: completely(first.full) },
            undefined,
          );
        if (!isFirst || name === 'owners') continue;
        const cursors = {
          small: await cursorOf(lookers.small, path, deepPage.small),
          full: await cursorOf(lookers.full, path, name === 'activity' || name === 'users' ? deepPage.full : 30),
        };
        await compare(`${name}: page 50`, pathsAt(cursors), '≤ 3 or 50 ms');
      }
    }
    return results;
  } finally {
    for (const { server } of Object.values(lookers)) await server.stop();
  }
};
