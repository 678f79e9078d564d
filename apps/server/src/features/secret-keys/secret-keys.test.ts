import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { connect } from '../../database/connect.ts';
import { secretKeys, users } from '../../database/schema.ts';
import { createLog } from '../../log.ts';
import { createVault } from '../../secrets/encryption.ts';
import { makeUser } from '../../testing/app/builders.ts';
import { openParts } from '../../testing/app/open-parts.ts';
import { testParts } from '../../testing/app/test-parts.ts';
import { afterFile } from '../../testing/machine/cleanup.ts';
import { makeDataFolder } from '../../testing/machine/data-folder.ts';
import { makeDatabase, query } from '../../testing/machine/database.ts';
import { eventually } from '../../testing/machine/eventually.ts';
import { templateName } from '../../testing/machine/global-setup.ts';
import { sealedValues } from './sealed-values.ts';
import { reportKeyUse, retireKey } from './secret-keys.service.ts';

const key = 'a secret key that only tests use';
const nextKey = 'the next secret key that only tests use';
const [id, nextId] = [key, nextKey].map((secret) => createVault([secret]).keyIds[0]) as [string, string];

/** An installed database whose key is `key`. */
const makeInstalled = async () => {
  const where = await makeDatabase(templateName);
  const connection = connect(where, () => undefined);
  afterFile(connection.close);
  return { where, db: connection.db };
};

type Db = Awaited<ReturnType<typeof makeInstalled>>['db'];

const listedIn = async (db: Db): Promise<string[]> =>
  (await db.select().from(secretKeys)).map(({ key_id }) => key_id).toSorted();

const markUnused = (db: Db) => db.update(secretKeys).set({ last_used_at: sql`now() - interval '2 minutes'` });

describe('the inventory of encrypted columns', () => {
  /** Columns of bytes that are not encrypted: hashes, public keys and challenges. */
  const plain = [
    'activation_proofs.token_hash',
    'audit_chain.mac',
    'console_sessions.token_hash',
    'declined_invitations.email_hash',
    'identity_sessions.token_hash',
    'logout_sites.token_hash',
    'logouts.token_hash',
    'oidc_artifacts.id_hash',
    'oidc_secrets.secret_hash',
    'one_time_tokens.token_hash',
    'passkeys.credential_id',
    'passkeys.public_key',
    'pending_passkeys.challenge',
    'recovery_codes.code_hash',
    'sign_ins.browser_hash',
    'sign_ins.known_hash',
    'sign_ins.passkey_challenge',
    'sign_ins.token_hash',
    'site_tests.code_hash',
    'site_tests.token_hash',
    'users.passkey_handle',
  ];

  test('is complete, and the database guards each of them', async () => {
    const { where } = await makeInstalled();
    const { rows: columns } = await query<{ name: string }>(
      where,
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and data_type = 'bytea'`,
    );
    const { rows: guarded } = await query<{ name: string }>(
      where,
      `select tgrelid::regclass || '.' || guarded as name
       from pg_trigger, unnest(string_to_array(encode(tgargs, 'escape'), '\\000')) as guarded
       where tgname = 'assert_secret_key_in_use' and guarded <> ''`,
    );
    const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name).toSorted();
    expect(namesOf(columns).filter((name) => !plain.includes(name))).toEqual(namesOf(guarded));
    const inventory = sealedValues.map(({ name }) => name).filter((name) => !name.startsWith('graphile_worker.'));
    expect(inventory.toSorted()).toEqual(namesOf(guarded));
  });
});

describe('a start', () => {
  test('without a key that values need is refused with its id and what needs it', async () => {
    const { where, db } = await makeInstalled();
    const { vault } = testParts(db, await makeDataFolder());
    await makeUser(db, { totp_secret: vault.encrypt('secret') });
    await expect(openParts(where, nextKey)).rejects.toThrow(
      `SECRET_KEY: the key ${id} is missing; configured: ${nextId}. ` +
        'These values in the database need it: the signing key of the console (1), the key of persistent NameIDs (1), ' +
        'signing keys of networks (3), authenticator apps (1). ' +
        'Restore it. To replace it, list both, SECRET_KEYS=new,old, until `npm run rekey` has finished.',
    );
    expect(await listedIn(db)).toEqual([id]);
  });

  test('with both keys lists the new one; a start with only the former one is refused once a value needs it', async () => {
    const { where, db } = await makeInstalled();
    const { parts } = await openParts(where, nextKey, key);
    expect(await listedIn(db)).toEqual([id, nextId].toSorted());
    await makeUser(db, { totp_secret: parts.vault.encrypt('secret') });
    await expect(openParts(where, key)).rejects.toThrow(`the key ${nextId} is missing; configured: ${id}. These`);
    await expect(openParts(where, key, nextKey)).resolves.toBeDefined();
  });

  test('without a key that is listed but encrypts nothing takes it off the list, unless a server uses it', async () => {
    const { where, db } = await makeInstalled();
    const { parts } = await openParts(where, nextKey, key);
    const use = await reportKeyUse(db, parts.vault, createLog('silent'));
    use.stop();
    await expect(openParts(where, key)).rejects.toThrow(
      `the key ${nextId} is missing; configured: ${id}. A server uses it`,
    );
    await markUnused(db);
    await openParts(where, key);
    expect(await listedIn(db)).toEqual([id]);
  });

  test('of two servers on an empty database makes one random key of names', async () => {
    const where = await makeDatabase();
    const [one, other] = await Promise.all([openParts(where, key), openParts(where, key)]);
    const name = (parts: typeof one) => parts.parts.persistentNames({ uid: 'u' }, { identity: 'i' });
    expect(name(one)).toBe(name(other));
    const { parts } = await openParts(await makeDatabase(), key);
    expect(parts.persistentNames({ uid: 'u' }, { identity: 'i' })).not.toBe(name(one));
    expect(parts.vault.sign('persistent-name', 'u\0i')).not.toBe(name(one));
  });
});

describe('a value with a key that is not listed', () => {
  test.for([
    ['users', 'totp_secret'],
    ['network_settings', 'github_secret'],
    ['signing_keys', 'private_key'],
    ['installation', 'name_id_key'],
  ])('is refused by the database in %s.%s', async ([table, column]) => {
    const { where, db } = await makeInstalled();
    await makeUser(db);
    const write = (sealed: Buffer) => query(where, `update ${table} set ${column} = $1`, [sealed]);
    for (const sealed of [createVault([nextKey]), createVault([key], 1)].map((vault) => vault.encrypt('x')))
      await expect(write(sealed)).rejects.toMatchObject({ constraint: 'secret_keys__in_use' });
    await expect(write(Buffer.from('plain text'))).rejects.toMatchObject({ constraint: 'secret_keys__in_use' });
    expect((await write(createVault([key]).encrypt('x'))).rowCount).toBeGreaterThan(0);
  });
});

describe('taking a key off the list', () => {
  test('waits for a transaction that has written a value with it, and then does not happen', async () => {
    const { db } = await makeInstalled();
    await db.insert(secretKeys).values({ key_id: nextId });
    const user = await makeUser(db);
    const { retired } = await db.transaction(async (tx) => {
      const sealed = createVault([nextKey]).encrypt('secret');
      await tx.update(users).set({ totp_secret: sealed }).where(eq(users.id, user.id));
      const begun = db.transaction((other) => retireKey(other, nextId));
      await eventually(async () => {
        const { rows } = await db.execute(
          sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rows).toHaveLength(1);
      });
      return { retired: begun };
    });
    expect(await retired).toBe('needed');
    expect(await listedIn(db)).toEqual([id, nextId].toSorted());
  });

  test('is noticed by a server that still uses it', async () => {
    const { db } = await makeInstalled();
    const errors: unknown[] = [];
    const log = Object.assign(createLog('silent'), { error: (about: unknown) => errors.push(about) });
    (await reportKeyUse(db, createVault([nextKey]), log)).stop();
    expect(errors).toEqual([{ keyId: nextId }]);
    (await reportKeyUse(db, createVault([key]), log)).stop();
    expect(errors).toHaveLength(1);
  });
});
