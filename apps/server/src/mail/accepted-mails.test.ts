import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { openAcceptedMails } from './accepted-mails.ts';

test('the most recent accepted mails are known after a restart, and the file does not grow', async () => {
  const folder = await makeDataFolder();
  const first = openAcceptedMails(folder);
  for (let mail = 0; mail < 5_000; mail += 1) first.add(`mail-${mail}`);
  const second = openAcceptedMails(folder);
  for (const accepted of [first, second])
    expect(['mail-3999', 'mail-4000', 'mail-4999'].map(accepted.has)).toEqual([false, true, true]);
  expect((await readFile(join(folder, 'accepted-mails'), 'utf8')).split('\n').length).toBeLessThanOrEqual(2_001);
});

test('a folder that cannot be written is no obstacle', async () => {
  const accepted = openAcceptedMails('/proc/none');
  accepted.add('mail-1');
  expect(accepted.has('mail-1')).toBe(true);
});
