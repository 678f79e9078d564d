import { execFileSync, spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, getRole, setNetworkMode } from '@opensocial/contract';
import { describe, expect, test } from 'vitest';
import { browserAt, callerOf, signIn } from '../testing/app/over-http.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { afterFile } from '../testing/machine/cleanup.ts';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { urlOf } from '../testing/machine/database.ts';
import { eventually } from '../testing/machine/eventually.ts';
import { allowForStarts, ServerProcess } from '../testing/machine/server-process.ts';
import { describeCluster, ensureRunning, stopCluster } from './embedded/cluster.ts';

allowForStarts();

/** Mounting requires privileges that root has on Linux, but not in every container. */
const canFillDisk =
  process.platform === 'linux' && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;

const owner = { email: 'head@northlab.org', password: 'correct horse battery staple' };

/** A separate disk in memory, with PostgreSQL on it. */
const makeDisk = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'opensocial-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=192m,mode=711', 'tmpfs', folder]);
  afterFile(async () => {
    execFileSync('umount', [folder]);
    await rm(folder, { recursive: true });
  });
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  await chmod(dataDir, 0o711);
  const cluster = await describeCluster(dataDir);
  afterFile(() => stopCluster(cluster));
  await ensureRunning(cluster);
  return { folder, cluster };
};

/** Writes a file until the disk is full. */
const fill = async (path: string): Promise<void> => {
  const bytes = function* () {
    for (;;) yield Buffer.alloc(64 * 1024);
  };
  await expect(pipeline(Readable.from(bytes()), createWriteStream(path))).rejects.toMatchObject({ code: 'ENOSPC' });
  const last = function* () {
    for (;;) yield Buffer.alloc(1);
  };
  await pipeline(Readable.from(last()), createWriteStream(`${path}-rest`)).catch(() => undefined);
};

describe.runIf(canFillDisk)('a full disk under the database', () => {
  test('is reported as 503 to clients that write, and by /readyz; it recovers by itself once there is room', async () => {
    const { folder, cluster } = await makeDisk();
    const where = { host: cluster.socketFolder, user: cluster.user, password: cluster.password, database: 'postgres' };
    const server = await ServerProcess.start({
      DATABASE_URL: urlOf(where),
      DATA_DIR: await makeDataFolder(),
      PUBLIC_URL: testOrigin,
      FIRST_OWNER_EMAIL: owner.email,
      FIRST_OWNER_PASSWORD: owner.password,
    });
    const browser = await signIn(browserAt(server.address), owner);
    const call = callerOf(browser);
    const ready = async () => {
      const answer = await browser.fetch('/readyz');
      const { database } = (await answer.json()) as { database: string };
      return [answer.status, database];
    };
    const write = () => call(setNetworkMode, { body: { server: 'opensocial', mode: 'All' } });
    expect(await ready()).toEqual([200, 'ok']);

    await fill(join(folder, 'filler'));
    await eventually(async () => expect(await ready()).toEqual([503, 'full']));
    // Existing pages of tables still have room for some rows.
    const refusal = await eventually(async () => {
      const error = await write().then(
        () => undefined,
        (cause: unknown) => cause,
      );
      expect(error).toBeInstanceOf(ApiError);
      return error;
    }, 1);
    expect(refusal).toMatchObject({ status: 503, code: 'database_full', retryAfter: 30 });
    expect(await call(getRole, { params: { server: 'opensocial' } })).toBe('admin');

    await rm(join(folder, 'filler'));
    await eventually(async () => expect(await ready()).toEqual([200, 'ok']));
    await write();
  });
});
