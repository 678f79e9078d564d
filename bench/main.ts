import { measureConsole } from './parts/console.ts';
import { measureLists } from './parts/lists.ts';
import { measureOpenId } from './parts/openid.ts';
import { measureOverview } from './parts/overview.ts';
import { measureProcess } from './parts/process.ts';
import { measureSignIns, measureSignOns } from './parts/sign-ons.ts';
import { measureSoak } from './parts/soak.ts';
import { measureWrites } from './parts/writes.ts';
import { printTable, type Result } from './report.ts';
import { seed } from './seed.ts';
import { isSeeded, openWorld, type World } from './world.ts';

/** Takes ten minutes, so it is measured only if it is named. */
const long = { soak: measureSoak };

const parts: Record<string, (world: World) => Promise<Result[]>> = {
  'sign-ons': measureSignOns,
  'sign-ins': measureSignIns,
  openid: measureOpenId,
  lists: measureLists,
  overview: measureOverview,
  writes: measureWrites,
  process: measureProcess,
  console: measureConsole,
};

/** `npm run bench -- seed` fills the databases again; `npm run bench` measures everything, or the named parts. */
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => name !== 'seed' && !(name in parts) && !(name in long));
if (unknown.length > 0)
  throw new Error(
    `There is no part ${unknown.join(', ')}: name ${Object.keys({ ...parts, ...long }).join(', ')}, or seed.`,
  );

const world = await openWorld();
try {
  if (asked.includes('seed') || !(await isSeeded(world))) await seed(world);
  const chosen =
    asked.length === 0
      ? Object.entries(parts)
      : Object.entries({ ...parts, ...long }).filter(([name]) => asked.includes(name));
  const results: Result[] = [];
  for (const [name, measure] of chosen) {
    console.log(`Measuring ${name}…`);
    results.push(...(await measure(world)));
  }
  if (results.length > 0) printTable(results);
} finally {
  await world.close();
}
