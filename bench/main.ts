import { measureLists } from './parts/lists.ts';
import { measureSignIns, measureSignOns } from './parts/sign-ons.ts';
import { printTable, type Result } from './report.ts';
import { seed } from './seed.ts';
import { isSeeded, openWorld, type World } from './world.ts';

const parts: Record<string, (world: World) => Promise<Result[]>> = {
  'sign-ons': measureSignOns,
  'sign-ins': measureSignIns,
  lists: measureLists,
};

/** `npm run bench -- seed` fills the databases anew; `npm run bench` measures everything, or the parts that are named. */
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => name !== 'seed' && !(name in parts));
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(', ')}: name ${Object.keys(parts).join(', ')}, or seed.`);

const world = await openWorld();
try {
  if (asked.includes('seed') || !(await isSeeded(world))) await seed(world);
  const chosen = Object.entries(parts).filter(([name]) => asked.length === 0 || asked.includes(name));
  const results: Result[] = [];
  for (const [, measure] of chosen) results.push(...(await measure(world)));
  if (results.length > 0) printTable(results);
} finally {
  await world.close();
}
