import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { chainAuditRecords } from '../features/audit/audit.chain.service.ts';
import { recordAudit } from '../features/audit/audit.service.ts';
import { openParts } from '../testing/app/open-parts.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { makeDatabase, query, urlOf } from '../testing/machine/database.ts';
import { templateName } from '../testing/machine/global-setup.ts';
import { allowForStarts, ServerProcess } from '../testing/machine/server-process.ts';

allowForStarts();

const key = 'a secret key that only tests use';
const nextKey = 'the next secret key that only tests use';

const settingsOf = async (where: pg.ClientConfig, keys = key) => ({
  DATABASE_URL: urlOf(where),
  DATA_DIR: await makeDataFolder(),
  PUBLIC_URL: testOrigin,
  SECRET_KEYS: keys,
});

type Settings = Awaited<ReturnType<typeof settingsOf>>;

const audit = (settings: Settings, ...args: string[]) =>
  ServerProcess.run(settings, { program: 'dist/cli/audit.js', args });

/** An installation with a chained record. */
const install = async () => {
  const where = await makeDatabase(templateName);
  const { parts } = await openParts(where, key);
  await recordAudit(parts.db, {
    network_id: null,
    actor: { kind: 'system', name: 'tests' },
    action: 'update',
    object: 'site',
    subject: 'site reports.org',
    new_data: { site_name: 'Reports' },
  });
  await chainAuditRecords(parts);
  return where;
};

const headOf = (output: string): string => /ends with (\d+:[0-9a-f]{64})\./.exec(output)?.[1] ?? '';

describe.concurrent('npm run audit', () => {
  test('verifies the audit log, after a change of the secret key and a restore too, and finds a changed record', async () => {
    const where = await install();
    const verified = await audit(await settingsOf(where), 'verify');
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(verified.stdout).toMatch(
      /^[1-9]\d* audit records are unchanged\. 0 newer ones are not in the chain yet\.$/m,
    );
    const head = headOf(verified.stdout);
    expect(head).not.toBe('');

    const rotated = await settingsOf(where, `${encodeURIComponent(nextKey)},${encodeURIComponent(key)}`);
    expect(await ServerProcess.run(rotated, { program: 'dist/cli/rekey.js' })).toMatchObject({ code: 0 });
    const settings = await settingsOf(where, encodeURIComponent(nextKey));
    expect(await audit(settings, 'verify', '--expect', head)).toMatchObject({ code: 0, stderr: '' });

    const file = join(await makeDataFolder(), 'backup.tar.gz');
    const made = await ServerProcess.run(settings, { program: 'dist/cli/backup.js', args: ['--to', file] });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const restored = await settingsOf(await makeDatabase(), encodeURIComponent(nextKey));
    const loaded = await ServerProcess.run(restored, { program: 'dist/cli/restore.js', args: [file] });
    expect(loaded).toMatchObject({ code: 0, stderr: '' });
    expect(await audit(restored, 'verify', '--expect', head)).toMatchObject({ code: 0, stderr: '' });

    await query(
      where,
      `begin; set local session_replication_role = 'replica';
       update audit_records set actor = 'nobody' where description = 'update site reports.org'; commit`,
    );
    const found = await audit(settings, 'verify');
    expect(found).toMatchObject({ code: 1, stderr: '' });
    expect(found.stdout).toMatch(/^Record \d+ at position \d+ was changed\.$/m);
    expect(found.stdout).toContain('The audit log is NOT complete.');
  });

  test('writes all records to a new file that only its owner can read', async () => {
    const settings = await settingsOf(await install());
    const file = join(await makeDataFolder(), 'audit.jsonl');
    const exported = await audit(settings, 'export', '--to', file);
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(exported.stdout).toBe(`${lines.length} audit records were written to ${file}.\n`);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      actor: 'tests',
      description: 'update site reports.org',
      new_data: { site_name: 'Reports' },
      position: lines.length,
      mac: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await audit(settings, 'export', '--to', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('could not be created: EEXIST') as unknown,
    });
    const later = await audit(settings, 'export', '--to', `${file}2`, '--since', '2999-01-01');
    expect(later.stdout).toContain('0 audit records were written');
  });
});
