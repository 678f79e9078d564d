import { describe, expect, test } from 'vitest';
import { createDiskCheck } from './health.routes.ts';

describe('the disk check of /readyz', () => {
  test('probes once for all calls within five seconds, and then again', async () => {
    let now = 0;
    let probes = 0;
    const check = createDiskCheck(
      async () => {
        probes += 1;
      },
      () => now,
    );
    expect(await Promise.all(Array.from({ length: 50 }, check))).toEqual(Array.from({ length: 50 }, () => 'ok'));
    now = 4_999;
    await check();
    expect(probes).toBe(1);
    now = 5_000;
    await check();
    expect(probes).toBe(2);
  });
});
