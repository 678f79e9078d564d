import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { backgroundLimits, connect } from '../../database/connect.ts';
import { listMigrations, migrate } from '../../database/migrate.ts';
import { migrationsFolder } from '../../places.ts';
import { backUp, makeTarget, restore } from '../../testing/app/backups.ts';
import { makeImage, makeSite, makeUser } from '../../testing/app/builders.ts';
import { fillTables } from '../../testing/app/fill-tables.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { makeDataFolder } from '../../testing/machine/data-folder.ts';
import { makeDatabase, query } from '../../testing/machine/database.ts';
import { digestTables } from '../../testing/machine/table-digests.ts';
import { thumbnailKey } from '../media/media.service.ts';
import { transientTables } from './backups.queries.ts';

/** Columns, constraints, indexes of every partition, and triggers, with whether they are enabled and valid. */
const describeStructure = async (where: pg.ClientConfig): Promise<string[]> => {
  const { rows } = await query<{ line: string }>(
    where,
    `select format('%s.%s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull) as line
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
     union all
     select format('%s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) from pg_constraint
     where connamespace = 'public'::regnamespace
     union all
     select format('%s %s %s', indrelid::regclass, regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\w+', 'INDEX'), indisvalid) from pg_index join pg_class on pg_class.oid = indrelid
     where relnamespace = 'public'::regnamespace
     union all
     select format('%s %s %s %s', tgrelid::regclass, tgname, tgenabled, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
     order by 1`,
  );
  return rows.map(({ line }) => line);
};

const sequencesOf = async (where: pg.ClientConfig) => {
  const { rows } = await query(
    where,
    `select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`,
  );
  return rows;
};

/** Lines of the log in several months, one of them without a partition. */
const logSignIns = ({ pool }: TestApp) =>
  pool.query(
    `insert into login_log (network_id, site, email, login_status, reason, ip_address, login_time)
     select networks.id, 'crm.example.org', 'ana@northlab.org', status, reason, '10.0.0.8', moment
     from networks, (values ('Success', ''), ('Failed', 'Wrong password: 2')) as given (status, reason),
       (values (now()), (now() - interval '40 days'), (timestamptz '2019-05-06')) as at (moment)
     where name = 'northlab'`,
  );

const storeFile = async ({ parts }: TestApp, name: string, bytes: Buffer): Promise<void> => {
  const file = join(await makeDataFolder(), 'given');
  await writeFile(file, bytes);
  await parts.storage.put(name, file);
};

const removed = (digests: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(digests).filter(([name]) => !names.includes(name)));

describe('a backup', () => {
  test('restores every table, sequence, index and file exactly, without sessions and queued mails', async () => {
    const testApp = await buildTestApp();
    const { pool, where } = testApp;
    await pool.query(`select add_login_log_month((now() - interval '40 days')::date)`);
    await logSignIns(testApp);
    await makeUser(testApp.db, { firstname: 'Zoë\t', lastname: '\\N\n"x"', alsoIn: ['southlab'] });
    await makeSite(testApp.db);
    const image = await makeImage(testApp.db);
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, place) => (place * 7) % 256));
    await storeFile(testApp, image.name, bytes);
    await storeFile(testApp, thumbnailKey(image.name), Buffer.from('small'));
    const lost = await makeImage(testApp.db);
    await pool.query(
      `insert into profile_pictures (name, user_id) select '/server/sso/profile_pic/face.webp', id from users limit 1`,
    );
    await storeFile(testApp, 'face.webp', Buffer.from('face'));
    await fillTables(where);
    await pool.query(`update person_mails set outcome = 'sent'`);
    await pool.query(`select graphile_worker.add_job('send_mail', '{}')`);

    const { file, manifest } = await backUp(testApp);
    const target = await makeTarget();
    await restore(file, target);

    const before = await digestTables(where);
    const after = await digestTables(target.where);
    const ownRows = [...transientTables, 'migrations'];
    expect(Object.keys(before).filter((name) => before[name]?.rows === 0)).toEqual([]);
    expect(removed(after, ownRows)).toEqual(removed(before, ownRows));
    for (const name of transientTables) expect(after[name], name).toMatchObject({ rows: 0 });
    expect(await sequencesOf(target.where)).toEqual(await sequencesOf(where));
    expect(await describeStructure(target.where)).toEqual(await describeStructure(where));
    const { rows: jobs } = await query(target.where, `select to_regnamespace('graphile_worker') as queue`);
    expect(jobs).toEqual([{ queue: null }]);

    const read = async (name: string) => {
      const stored = await target.storage.get(name);
      return stored && buffer(stored.stream);
    };
    expect(await read(image.name)).toEqual(bytes);
    expect(await read(thumbnailKey(image.name))).toEqual(Buffer.from('small'));
    expect(await read('face.webp')).toEqual(Buffer.from('face'));
    expect(manifest).toMatchObject({ waiting_mails: 1, missing_media: expect.arrayContaining([lost.name]) as unknown });

    const restored = connect(target.where, () => undefined);
    await makeUser(restored.db);
    const { rows: counts } = await restored.pool.query(
      `select (select sum(members)::int from member_counts) as counted, (select count(*)::int from memberships) as members`,
    );
    expect(counts).toEqual([
      {
        counted: before['memberships'] && before['memberships'].rows + 1,
        members: before['memberships'] && before['memberships'].rows + 1,
      },
    ]);
    await restored.close();
  });

  test('says of mails that were queued that they were not sent', async () => {
    const testApp = await buildTestApp();
    await testApp.pool.query(
      `insert into person_mails (network_id, email, kind, outcome) select id, 'ana@northlab.org', 'invitation', outcome
       from networks, (values ('queued'), ('sent')) as given (outcome) where name = 'northlab'`,
    );
    const target = await makeTarget();
    await restore((await backUp(testApp)).file, target);
    const { rows } = await query(target.where, 'select outcome from person_mails order by id');
    expect(rows).toEqual([{ outcome: 'failed' }, { outcome: 'sent' }]);
  });

  test('of an older version is migrated', async () => {
    const names = (await listMigrations()).filter((name) => name < '0024');
    const former = await makeDatabase();
    const connection = connect(former, () => undefined, backgroundLimits);
    const folder = await makeDataFolder();
    for (const name of names) await cp(new URL(name, migrationsFolder), join(folder, name));
    await migrate(connection.pool, pathToFileURL(`${folder}/`));
    await connection.pool.query(
      `with made as (insert into networks (sso_id, name) values ('one', 'opensocial') returning id)
       insert into users (uid, email, home_network_id, default_network_id) select 'ana', 'ana@northlab.org', id, id from made`,
    );
    await connection.pool.query('insert into memberships (network_id, user_id) select home_network_id, id from users');
    await connection.close();
    const target = await makeTarget();
    const { storage } = target;
    await mkdir(folder, { recursive: true });
    const { file, manifest } = await backUp({ where: former, parts: { storage } as TestApp['parts'] });
    expect(manifest.migrations).toEqual(names);
    await restore(file, target);
    const { rows } = await query(
      target.where,
      'select (select array_agg(name order by name) from migrations) as names, (select sum(members)::int from member_counts) as members, version from networks',
    );
    expect(rows).toEqual([{ names: await listMigrations(), members: 1, version: '1' }]);
  });

  test('is one snapshot, however much is written meanwhile', async () => {
    const testApp = await buildTestApp();
    const { pool } = testApp;
    // A table that takes some time, in the alphabet before those that are written.
    await pool.query(
      `insert into audit_records (network_id, actor, audit_type, action, description, new_data)
       select id, 'ana', 'Site', 'edit', 'Site', jsonb_build_object('text', repeat(md5(place::text), 80))
       from networks, generate_series(1, 10000) as place where name = 'northlab'`,
    );
    const controller = new AbortController();
    let written = 0;
    const write = async () => {
      while (!controller.signal.aborted) {
        await testApp.db.transaction((tx) => makeUser(tx, { alsoIn: ['southlab'] }));
        written += 1;
      }
    };
    const writing = [write(), write()];
    await expect.poll(() => written).toBeGreaterThan(5);
    const begun = written;
    const { file } = await backUp(testApp);
    const during = written - begun;
    controller.abort();
    await Promise.all(writing);
    const target = await makeTarget();
    await restore(file, target);
    const { rows } = await query<{ people: number }>(
      target.where,
      `select (select count(*)::int from users) as people, (select count(*)::int from memberships) as memberships,
         (select sum(members)::int from member_counts) as counted`,
    );
    const people = rows[0]?.people ?? 0;
    expect(rows).toEqual([{ people, memberships: 2 * people, counted: 2 * people }]);
    expect(during).toBeGreaterThan(5);
    expect(people).toBeLessThan(written);
  });
});
