import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { connect } from '../../database/connect.ts';
import { migrate } from '../../database/migrate.ts';
import { prepareJobs } from '../../jobs/jobs.ts';
import { createLog } from '../../log.ts';
import type { Parts } from '../../parts.ts';
import { createVault } from '../../secrets/encryption.ts';
import { makeSigningKey } from '../../secrets/signing-keys.ts';
import { newTotpSecret, toBase32 } from '../../secrets/totp.ts';
import { openParts } from '../../testing/app/open-parts.ts';
import { makeDataFolder } from '../../testing/machine/data-folder.ts';
import { makeDatabase, query } from '../../testing/machine/database.ts';
import { sealFormat1, signFormat1 } from '../../testing/payloads/format-1.ts';
import { codeOf } from '../../testing/services/authenticator.ts';
import { proveTotp } from '../mfa/mfa.service.ts';
import { rekey } from './secret-keys.rekey.service.ts';

const secretKey = 'the key of an installation, before ids';
const nextKey = 'the key that comes next, for key IDs';

const mail = { to: 'ana@northlab.org', subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
const totpSecret = newTotpSecret();
const person = { uid: 'uid-of-ana' };
const site = { identity: 'https://reports.northlab.org/metadata' };
const nameBefore = signFormat1(secretKey, 'persistent-name', `${person.uid}\0${site.identity}`);

let signingKey: Awaited<ReturnType<typeof makeSigningKey>>;
let older: pg.ClientConfig;

/** A database that the version before this migration has written, with a value in every encrypted column. */
beforeAll(async () => {
  signingKey = await makeSigningKey('before');
  older = await makeDatabase();
  const all = fileURLToPath(new URL('../../database/migrations/', import.meta.url));
  const before = join(await makeDataFolder(), 'before');
  await mkdir(before);
  for (const name of await readdir(all)) if (name < '0024') await copyFile(join(all, name), join(before, name));
  const { pool, close } = connect(older, () => undefined);
  await migrate(pool, pathToFileURL(`${before}/`));
  await prepareJobs(pool, createLog('silent'));
  const stored = (plain: string | Buffer) => sealFormat1(secretKey, 'stored', plain);
  const key = [stored(signingKey.privateKey), signingKey.certificate];
  await pool.query('update installation set console_private_key = $1, console_certificate = $2', key);
  await pool.query(`insert into networks (name, sso_id) values ('opensocial', 'main')`);
  await pool.query(
    `insert into network_settings (network_id, google_key, google_secret, github_key, github_secret)
     select id, 'id', $1, 'id', $2 from networks`,
    [stored('google secret'), stored('github secret')],
  );
  await pool.query(
    `insert into signing_keys (network_id, state, private_key, certificate) select id, 'current', $1, $2 from networks`,
    key,
  );
  await pool.query(
    `insert into users (uid, email, home_network_id, default_network_id, totp_secret)
     select $1, 'ana@northlab.org', id, id, $2 from networks`,
    [person.uid, stored(totpSecret)],
  );
  await pool.query(
    `insert into pending_totp (user_id, secret, expires_at) select id, $1, now() + interval '1 hour' from users`,
    [stored('pending')],
  );
  await pool.query(`select graphile_worker.add_job('send_mail', $1, run_at => now() + interval '1 day')`, [
    { sealed: sealFormat1(secretKey, 'carried', JSON.stringify(mail)).toString('base64url') },
  ]);
  await close();
});

/** Asserts that every value is readable, and that people have the names that they had. */
const expectKept = async (where: pg.ClientConfig, parts: Parts) => {
  const { rows } = await query<Record<string, Buffer>>(
    where,
    `select console_private_key, private_key, google_secret, github_secret, totp_secret, secret
     from installation, signing_keys, network_settings, users, pending_totp`,
  );
  expect(Object.values(rows[0] ?? {}).map((sealed) => parts.vault.decrypt(sealed))).toEqual([
    signingKey.privateKey,
    signingKey.privateKey,
    Buffer.from('google secret'),
    Buffer.from('github secret'),
    totpSecret,
    Buffer.from('pending'),
  ]);
  const jobs = await query<{ payload: { sealed: string } }>(
    where,
    `select payload from graphile_worker._private_jobs where payload ->> 'sealed' is not null`,
  );
  expect(jobs.rows.map(({ payload }) => parts.vault.open(payload.sealed))).toEqual([mail]);
  expect(parts.persistentNames(person, site)).toBe(nameBefore);
};

const keysIn = async (where: pg.ClientConfig) =>
  (
    await query<{ key_id: string; seals_format_1: boolean }>(
      where,
      'select key_id, seals_format_1 from secret_keys order by 2 desc',
    )
  ).rows;

const idOf = (secret: string) => createVault([secret]).keyIds[0];

const copyOfOlder = () => makeDatabase(String(older.database));

test('§11 an upgrade keeps every value and every persistent NameID, and codes of the authenticator app work', async () => {
  const where = await copyOfOlder();
  const { parts } = await openParts(where, secretKey);
  await expectKept(where, parts);
  expect(await keysIn(where)).toEqual([{ key_id: idOf(secretKey), seals_format_1: true }]);
  const [user] = (await query<{ id: string }>(where, 'select id from users')).rows;
  expect(await proveTotp(parts, { userId: Number(user?.id), device: undefined }, codeOf(toBase32(totpSecret)))).toBe(
    true,
  );
});

test('servers of the version before can read what upgraded ones write, until a second key is configured', async () => {
  const where = await copyOfOlder();
  const { parts } = await openParts(where, secretKey);
  expect([parts.vault.encrypt('x')[0], Buffer.from(parts.vault.seal({}), 'base64url')[0]]).toEqual([1, 1]);
  const { parts: first } = await openParts(where, secretKey, nextKey);
  expect(first.vault.encrypt('x')[0]).toBe(2);
  // They write format 1 themselves.
  const write = () => query(where, 'update users set totp_secret = $1', [sealFormat1(secretKey, 'stored', totpSecret)]);
  expect((await write()).rowCount).toBe(1);
});

test('two servers that start the upgrade at once agree', async () => {
  const where = await copyOfOlder();
  const opened = await Promise.all([openParts(where, secretKey), openParts(where, secretKey)]);
  for (const { parts } of opened) await expectKept(where, parts);
  expect(await keysIn(where)).toHaveLength(1);
});

test('an upgrade together with a new key keeps the names of the former key', async () => {
  const where = await copyOfOlder();
  const { parts } = await openParts(where, nextKey, secretKey);
  await expectKept(where, parts);
  expect(await keysIn(where)).toEqual([
    { key_id: idOf(secretKey), seals_format_1: true },
    { key_id: idOf(nextKey), seals_format_1: false },
  ]);
});

test('a rekey after the upgrade makes the former key unnecessary, for good', async () => {
  const where = await copyOfOlder();
  const { parts, background } = await openParts(where, nextKey, secretKey);
  expect(await rekey(background, parts.vault, { report: () => undefined })).toBe(true);
  const { parts: later } = await openParts(where, nextKey);
  await expectKept(where, later);
  expect(await keysIn(where)).toEqual([{ key_id: idOf(nextKey), seals_format_1: false }]);
  // A server of the version before, which was forgotten, cannot store what nobody could read.
  const forgotten = query(where, 'update users set totp_secret = $1', [sealFormat1(secretKey, 'stored', totpSecret)]);
  await expect(forgotten).rejects.toMatchObject({ constraint: 'secret_keys__in_use' });
});

test('an upgrade with a wrong key is refused, and changes nothing', async () => {
  const where = await copyOfOlder();
  await expect(openParts(where, nextKey)).rejects.toThrow('this is not the key that the database was made with');
  expect(await keysIn(where)).toEqual([]);
  const { parts } = await openParts(where, secretKey);
  await expectKept(where, parts);
});
