import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { findEmbedded } from '../database/embedded/embedded.ts';
import { createVault } from '../secrets/encryption.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { makeDatabase, query, urlOf } from '../testing/machine/database.ts';
import { templateName } from '../testing/machine/global-setup.ts';
import { allowForStarts, ServerProcess } from '../testing/machine/server-process.ts';

allowForStarts();

const key = 'a secret key that only tests use';
const nextKey = 'the next secret key that only tests use';
const [id, nextId] = [key, nextKey].map((secret) => createVault([secret]).keyIds[0]) as [string, string];
const program = 'dist/cli/rekey.js' as const;

const settingsOf = async (where: pg.ClientConfig) => ({
  DATABASE_URL: urlOf(where),
  DATA_DIR: await makeDataFolder(),
  PUBLIC_URL: testOrigin,
});

/** People with an authenticator app. Each value is encrypted by itself, as the server does it. */
const addPeople = async (where: pg.ClientConfig, number: number) => {
  const vault = createVault([key]);
  await query(
    where,
    `insert into users (uid, email, home_network_id, default_network_id, totp_secret)
     select 'u' || place, 'u' || place || '@northlab.org', networks.id, networks.id, sealed
     from networks, unnest($1::bytea[]) with ordinality as made (sealed, place) where name = 'northlab'`,
    [Array.from({ length: number }, (_, place) => vault.encrypt(`secret ${place + 1}`))],
  );
};

const underKey = async (where: pg.ClientConfig, keyId: string): Promise<number> => {
  const { rows } = await query<{ number: number }>(
    where,
    `select count(*)::int as number from users where encode(substring(totp_secret from 1 for 9), 'hex') = '02' || $1`,
    [keyId],
  );
  return rows[0]?.number ?? 0;
};

describe.concurrent('the command that changes the secret key', () => {
  const people = 4_000;

  test('continues after a kill, and completes while a server serves', async () => {
    const where = await makeDatabase(templateName);
    await addPeople(where, people);
    const settings = { ...(await settingsOf(where)), SECRET_KEYS: `${nextKey},${key}` };
    const server = await ServerProcess.start(settings);

    const killed = new ServerProcess(settings, { program });
    await killed.says(/authenticator apps: [1-9]\d* encrypted/);
    await killed.kill('SIGKILL');
    const left = await underKey(where, id);
    expect(left).toBeGreaterThan(0);
    expect(left + (await underKey(where, nextId))).toBe(people);

    const check = await ServerProcess.run(settings, { program, args: ['--check'] });
    expect(check).toMatchObject({ code: 0, stderr: '' });
    expect(check.stdout).toContain(`${id}\n`);
    expect(check.stdout).toContain(`  ${left} authenticator apps\n${nextId} (current)\n`);

    const done = await ServerProcess.run(settings, { program });
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain(`authenticator apps: ${left} encrypted, 0 left\n`);
    expect(done.stdout).toContain(`No value in the database needs the key ${id} any more.`);
    expect([await underKey(where, id), await underKey(where, nextId)]).toEqual([0, people]);
    const { rows } = await query<{ uid: string; totp_secret: Buffer }>(where, `select uid, totp_secret from users`);
    const vault = createVault([nextKey]);
    for (const { uid, totp_secret } of rows.filter((row) => row.totp_secret as Buffer | null))
      expect(vault.decrypt(totp_secret).toString()).toBe(`secret ${uid.slice(1)}`);
    await server.kill('SIGTERM');

    const later = await ServerProcess.start({ ...settings, SECRET_KEYS: nextKey });
    expect((await fetch(`${later.address}/readyz`)).status).toBe(200);
    await later.kill('SIGTERM');
    const refused = await ServerProcess.run({ ...settings, SECRET_KEYS: key });
    expect(refused.code).toBe(1);
    expect(refused.stderr.trim()).toMatch(
      new RegExp(`^SECRET_KEY: the key ${nextId} is missing; configured: ${id}\\. These`),
    );
    expect(refused.stderr).toContain('authenticator apps (more than 1,000)');
    expect(refused.stderr).not.toMatch(/^\s+at /m);
  });

  test('is refused without the former key, and prints its usage for wrong arguments', async () => {
    const settings = { ...(await settingsOf(await makeDatabase(templateName))), SECRET_KEYS: nextKey };
    const refused = await ServerProcess.run(settings, { program });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`the key ${id} is missing`);
    const wrong = await ServerProcess.run(settings, { program, args: ['--chek'] });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toMatch(/\nUsage:\n {2}npm run rekey /);
  });

  test('works with the key file of an installation without settings', async () => {
    const folder = await makeDataFolder();
    const settings = { DATA_DIR: folder, PUBLIC_URL: testOrigin };
    const file = join(folder, 'secret-key');
    const first = await ServerProcess.start(settings);
    await first.kill('SIGTERM');
    const former = await readFile(file, 'utf8');
    await writeFile(file, `${nextKey}\n${former}\n`);
    const second = await ServerProcess.start(settings);
    // As if the first server had ended more than a minute ago.
    const where = await findEmbedded(folder);
    await query(where ?? {}, `update secret_keys set last_used_at = null where key_id <> '${nextId}'`);
    const done = await ServerProcess.run(settings, { program });
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('It can be removed from SECRET_KEYS');
    await second.kill('SIGTERM');
    await writeFile(file, nextKey);
    const third = await ServerProcess.start(settings);
    expect((await fetch(`${third.address}/readyz`)).status).toBe(200);
    await third.kill('SIGTERM');
  });
});
