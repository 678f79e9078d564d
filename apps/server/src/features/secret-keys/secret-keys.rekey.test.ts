import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { backgroundLimits, connect } from '../../database/connect.ts';
import { networkSettings, secretKeys, trashRows, users } from '../../database/schema.ts';
import type { Actor } from '../../identity/actor.ts';
import { createVault } from '../../secrets/encryption.ts';
import { makeUser, networkNamed } from '../../testing/app/builders.ts';
import { openParts } from '../../testing/app/open-parts.ts';
import { afterFile } from '../../testing/machine/cleanup.ts';
import { makeDatabase } from '../../testing/machine/database.ts';
import { templateName } from '../../testing/machine/global-setup.ts';
import { moveToTrash } from '../trash/trash.service.ts';
import { describeKeys, rekey } from './secret-keys.rekey.service.ts';
import { reportKeyUse } from './secret-keys.service.ts';

const key = 'a secret key that only tests use';
const nextKey = 'the next secret key that only tests use';
const before = createVault([key]);
const [id, nextId] = [before.keyIds[0], createVault([nextKey]).keyIds[0]];

/** An installation with some values of the former key, whose servers have the next one too. */
const makeChanged = async (people = 0) => {
  const where = await makeDatabase(templateName);
  const connection = connect(where, () => undefined, backgroundLimits);
  afterFile(connection.close);
  const { db } = connection;
  const { id: network } = await networkNamed(db, 'northlab');
  const toUser = (place: number) => ({
    uid: `u${place}`,
    email: `u${place}@northlab.org`,
    home_network_id: network,
    default_network_id: network,
    totp_secret: before.encrypt(`secret ${place}`),
  });
  if (people > 0) await db.insert(users).values(Array.from({ length: people }, (_, place) => toUser(place)));
  const { parts } = await openParts(where, nextKey, key);
  const lines: string[] = [];
  const run = (unusedFor?: number) =>
    rekey(connection, parts.vault, {
      report: (line) => lines.push(line),
      ...(unusedFor !== undefined && { unusedFor }),
    });
  return { ...connection, where, parts, lines, run };
};

const listedIn = async ({ db }: Pick<Awaited<ReturnType<typeof makeChanged>>, 'db'>) =>
  (await db.select().from(secretKeys)).map(({ key_id }) => key_id);

describe('a rekey', () => {
  test('encrypts everything with the first key, and says that the other can be removed', async () => {
    const changed = await makeChanged(3);
    const { db, parts, lines, run, where } = changed;
    await db
      .update(networkSettings)
      .set({ google_secret: before.encrypt('google'), github_secret: before.encrypt('x') });
    const mail = { to: 'a@b.org', subject: 'Hello', text: 'Hello', html: '' };
    await parts.jobs.sendMail(db, mail);
    const queued = { sealed: before.seal(mail) };
    await db.execute(sql`update graphile_worker._private_jobs set payload = ${JSON.stringify(queued)}::json`);
    expect(await describeKeys(db, parts.vault)).toEqual([
      id,
      '  1 the signing key of the console',
      '  1 the key of persistent NameIDs',
      '  3 signing keys of networks',
      '  3 google secrets of networks',
      '  3 github secrets of networks',
      '  3 authenticator apps',
      '  1 emails and requests in the queue',
      `${nextId} (current)`,
    ]);
    const name = parts.persistentNames({ uid: 'u' }, { identity: 'i' });

    expect(await run()).toBe(true);
    expect(lines).toContain('authenticator apps: 3 encrypted, 0 left');
    expect(lines.at(-1)).toMatch(
      new RegExp(`^No value in the database needs the key ${id} any more. It can be removed`),
    );
    expect(await listedIn(changed)).toEqual([nextId]);

    const { parts: later } = await openParts(where, nextKey);
    expect(later.persistentNames({ uid: 'u' }, { identity: 'i' })).toBe(name);
    const secrets = (await db.select().from(users).orderBy(users.id)).map(({ totp_secret }) => totp_secret);
    expect(secrets.flatMap((sealed) => (sealed ? [later.vault.decrypt(sealed).toString()] : []))).toEqual([
      'secret 0',
      'secret 1',
      'secret 2',
    ]);
    const { rows } = await db.execute<{ payload: { sealed: string } }>(
      sql`select payload from graphile_worker._private_jobs`,
    );
    expect(rows.map(({ payload }) => later.vault.open(payload.sealed))).toEqual([mail]);
    expect(await run()).toBe(true);
    expect(lines.at(-1)).toMatch(/There is nothing to do\.$/);
  });

  test('also encrypts what is in the trash, and a start without its key is refused until then', async () => {
    const changed = await makeChanged();
    const { db, parts, run, where } = changed;
    const user = await makeUser(db, { totp_secret: before.encrypt('of the app') });
    const network = await networkNamed(db, 'northlab');
    const deletion = { kind: 'user' as const, id: user.id, label: user.email, detail: '', auditId: 1 };
    const actor = { kind: 'session', user: { id: user.id, email: user.email } } as Actor;
    await db.transaction(async (tx) => {
      await moveToTrash(tx, parts, { actor, network }, deletion);
      await tx.delete(users).where(eq(users.id, user.id));
    });
    const [copied] = await db.select().from(trashRows).where(eq(trashRows.table_name, 'users'));
    expect(copied?.row).not.toHaveProperty('totp_secret');
    expect(await describeKeys(db, parts.vault)).toContain('  1 authenticator apps in the trash');
    await expect(openParts(where, nextKey)).rejects.toThrow('authenticator apps in the trash (1)');
    expect(await run()).toBe(true);
    expect(await listedIn(changed)).toEqual([nextId]);
    const { parts: later } = await openParts(where, nextKey);
    const [resealed] = await db.select().from(trashRows).where(eq(trashRows.table_name, 'users'));
    expect(later.vault.decrypt(resealed?.sealed ?? Buffer.of()).toString()).toBe('of the app');
  });

  test('does not wait for rows that somebody has locked, and comes back to them', async () => {
    const { db, lines, run, parts } = await makeChanged(5);
    const rows = await db.select().from(users).where(sql`totp_secret is not null`).orderBy(users.id);
    const { done } = await db.transaction(async (tx) => {
      await tx
        .update(users)
        .set({ firstname: 'Changed' })
        .where(eq(users.id, rows[2]?.id ?? 0));
      const running = run();
      while (!lines.some((line) => line.includes('1 left, which were locked'))) await new Promise(setImmediate);
      return { done: running };
    });
    expect(await done).toBe(true);
    const after = await db
      .select()
      .from(users)
      .where(eq(users.id, rows[2]?.id ?? 0));
    expect(after[0]).toMatchObject({ firstname: 'Changed' });
    expect(parts.vault.keyIdOf(after[0]?.totp_secret ?? Buffer.of())).toBe(nextId);
  });

  test('leaves a value that was replaced or removed meanwhile as it is', async () => {
    const { db, run, parts } = await makeChanged(450);
    const rows = await db.select().from(users).where(sql`totp_secret is not null`).orderBy(users.id);
    const changes = Promise.all([
      ...rows.slice(0, 60).map(({ id: user }) => db.update(users).set({ totp_secret: null }).where(eq(users.id, user))),
      ...rows.slice(300, 360).map(({ id: user }) =>
        db
          .update(users)
          .set({ totp_secret: before.encrypt('replaced') })
          .where(eq(users.id, user)),
      ),
    ]);
    expect((await Promise.all([run(), changes]))[0]).toBe(true);
    const after = await db.select().from(users).orderBy(users.id);
    const plain = after.flatMap(({ totp_secret }) =>
      totp_secret ? [parts.vault.decrypt(totp_secret).toString()] : [],
    );
    expect(plain).toHaveLength(390);
    expect(plain.filter((text) => text === 'replaced')).toHaveLength(60);
  });

  test('changes nothing while a server still encrypts with another key, which may not know this one', async () => {
    const changed = await makeChanged(1);
    const { db, lines, run, parts } = changed;
    (await reportKeyUse(db, before, parts.log)).stop();
    const use = setInterval(() => void db.update(secretKeys).set({ last_used_at: sql`now()` }).execute(), 100);
    expect(await run(0.5)).toBe(false);
    clearInterval(use);
    expect(await db.$count(users, sql`encode(substring(totp_secret from 2 for 8), 'hex') = ${id}`)).toBe(1);
    expect(lines.at(-1)).toMatch(new RegExp(`^A server still encrypts with the key ${id}. Restart all servers`));
    expect(await listedIn(changed)).toContain(id);
    // Once it has stopped, waiting is enough.
    expect(await run(0.5)).toBe(true);
    expect(await listedIn(changed)).toEqual([nextId]);
  });

  test('keeps the key and names the rows if a value is damaged', async () => {
    const changed = await makeChanged(2);
    const { db, lines, run } = changed;
    const [user] = await db.select().from(users).where(sql`totp_secret is not null`).orderBy(users.id);
    const damaged = Buffer.from(user?.totp_secret ?? '');
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    await db
      .update(users)
      .set({ totp_secret: damaged })
      .where(eq(users.id, user?.id ?? 0));
    expect(await run()).toBe(false);
    expect(lines).toContain(`These values cannot be decrypted: users.totp_secret of ${user?.id}.`);
    expect(lines).toContain(`Values in the database still need the key ${id}. Keep it, and run this command again.`);
    expect(await listedIn(changed)).toContain(id);
    await db
      .update(users)
      .set({ totp_secret: null })
      .where(eq(users.id, user?.id ?? 0));
    expect(await run()).toBe(true);
  });

  test('runs once at a time', async () => {
    const { run, pool } = await makeChanged();
    const client = await pool.connect();
    await client.query('select pg_advisory_lock(7350023)');
    await expect(run()).rejects.toThrow('Another `npm run rekey` is running on this database.');
    client.release(true);
  });
});
