import { getOverview, getSignInStatistics, listActivity, OverviewPeriod } from '@opensocial/contract';
import { countEarlierLines } from '../../apps/server/src/features/activity/activity.service.ts';
import { countLargeNetworks } from '../../apps/server/src/features/overview/overview.service.ts';
import { median, type Result } from '../report.ts';
import { network, openParts, type Size, sizes, type World } from '../world.ts';
import { lookInto } from './lists.ts';

const rounds = 31;

const paths: Record<string, string> = {
  // A list of the same run, for comparison.
  'activity: first page and total': listActivity.path.build({ server: network, lastid: 0 }),
  'overview: people, sites, certificates and mail': getOverview.path.build({ server: network }),
  ...Object.fromEntries(
    OverviewPeriod.options.map((period) => [
      `overview: sign-ins of ${period}`,
      `${getSignInStatistics.path.build({ server: network, period })}?zone=Europe/Berlin`,
    ]),
  ),
  // Its days begin at half past an hour of UTC.
  'overview: sign-ins of 90d in India': `${getSignInStatistics.path.build({ server: network, period: '90d' })}?zone=Asia/Kolkata`,
};

/** The background work that the overview relies on. */
const prepare = async (world: World, size: Size): Promise<void> => {
  const { parts, close } = await openParts(world, size);
  try {
    await countEarlierLines(parts);
    await countLargeNetworks(parts.db);
  } finally {
    await close();
  }
};

/** The calls of the overview against both sizes in turn, with the goals of the first page of a list. */
export const measureOverview = async (world: World): Promise<Result[]> => {
  for (const size of sizes) await prepare(world, size);
  const lookers = { small: await lookInto(world, 'small'), full: await lookInto(world, 'full') };
  try {
    const results: Result[] = [];
    for (const [what, path] of Object.entries(paths)) {
      const taken: Record<Size, number[]> = { small: [], full: [] };
      for (let round = 0; round < rounds; round += 1)
        for (const size of sizes) taken[size].push((await lookers[size].get(path)).milliseconds);
      const [small, full] = [median(taken.small), median(taken.full)];
      results.push({
        what,
        measured: `${full.toFixed(1)} ms`,
        against: `${small.toFixed(1)} ms with 1,000`,
        ratio: full / small,
        goal: '≤ 3, < 50 ms',
        isMet: full / small <= 3 && full < 50,
      });
    }
    return results;
  } finally {
    for (const { server } of Object.values(lookers)) await server.stop();
  }
};
