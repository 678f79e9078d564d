import { existsSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const groups = '/sys/fs/cgroup';
/** Short, so that a limited process pauses for milliseconds and not for a tenth of a second. */
const period = 20_000;

/** A group of processes that may use a part of a core in total. Needs Linux, and permission to create control groups. */
export const makeLimitedGroup = async (name: string, part: number) => {
  const isVersion1 = existsSync(join(groups, 'cpu'));
  const folder = join(groups, isVersion1 ? 'cpu' : '', `opensocial-${name}`);
  const quota = Math.round(part * period);
  await mkdir(folder, { recursive: true });
  if (isVersion1) {
    await writeFile(join(folder, 'cpu.cfs_period_us'), String(period));
    await writeFile(join(folder, 'cpu.cfs_quota_us'), String(quota));
  } else await writeFile(join(folder, 'cpu.max'), `${quota} ${period}`);
  return {
    add: (pid: number) => writeFile(join(folder, 'cgroup.procs'), String(pid)),
    /** After its processes have ended. */
    remove: () => rmdir(folder),
  };
};
