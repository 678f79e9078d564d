import { buildApp } from '../apps/server/src/app.ts';
import { sites } from '../apps/server/src/database/schema.ts';
import type { ExchangeRecorder } from '../apps/server/src/identity/site-exchanges.ts';
import { median, quantile } from './report.ts';
import { openSmallWorld } from './small-world.ts';

/**
 * How much slower a single sign-on is because exchanges are recorded for diagnosis. Two apps in one process and on one database
 * take turns: one records, the other does not. Short turns and a random order let the load of the machine change both alike. What is
 * compared is the CPU time of the process, which includes the writing, because each turn ends when everything is written.
 */
const rounds = Number(process.argv[2] ?? 200);
const siteCount = 20;

const world = await openSmallWorld('exchanges');
const { parts } = world;

const nothing: ExchangeRecorder = {
  record: () => undefined,
  recordArrival: () => undefined,
  recordErrorPage: () => undefined,
  flush: async () => undefined,
  stop: async () => undefined,
};
const apps = { recording: await buildApp(parts), without: await buildApp({ ...parts, exchanges: nothing }) };
type Kind = keyof typeof apps;

const places = await world.makeSites(siteCount);
const measureTurn = (kind: Kind) => world.measureTurn(apps[kind], places);

/** The ratio of CPU times in each round, which has one turn of each app. */
const compare = async (): Promise<number[]> => {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const order: Kind[] = Math.random() < 0.5 ? ['recording', 'without'] : ['without', 'recording'];
    const times = { recording: 0, without: 0 };
    for (const kind of order) times[kind] = await measureTurn(kind);
    ratios.push(times.recording / times.without);
  }
  return ratios;
};

const print = (what: string, ratios: readonly number[]): void =>
  console.log(
    `${what}: ${median(ratios).toFixed(3)} times the CPU time without recording (quartiles ${quantile(ratios, 0.25).toFixed(3)} to ${quantile(ratios, 0.75).toFixed(3)}; goal ≤ 1.02)`,
  );

try {
  for (let warm = 0; warm < 25; warm += 1)
    for (const kind of ['recording', 'without'] as const) await measureTurn(kind);
  print('sign-ons', await compare());
  await parts.db.update(sites).set({ watched_until: new Date(Date.now() + 3_600_000) });
  print('sign-ons at sites that are watched', await compare());
} finally {
  for (const app of Object.values(apps)) await app.close();
  await world.close();
}
