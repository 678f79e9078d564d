import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Config } from '../../config.ts';
import { backgroundLimits, connect } from '../../database/connect.ts';
import { listMigrations, migrate } from '../../database/migrate.ts';
import { migrationsFolder } from '../../places.ts';
import { createVault, type Vault } from '../../secrets/encryption.ts';
import { parseSecretKeys, secretKeyFile } from '../../secrets/secret-keys.ts';
import type { Storage } from '../../storage/storage.ts';
import { clearDatabase, findState, markRestored, prepareLoad } from './backups.database.service.ts';
import { BackupError, type Manifest } from './backups.format.ts';
import { connectAlone, findMedia, findOthers, findTables, quoted } from './backups.queries.ts';
import { type ReadBackup, type Receiver, readBackup } from './backups.read.service.ts';

export type RestoreTarget = {
  config: Pick<Config, 'dataDir' | 'secretKeys'>;
  where: pg.ClientConfig;
  /** Whether no other program can use the database. */
  isAlone: boolean;
  storage: Storage;
};

export type RestoreOptions = {
  /** Asked before a database that was used is emptied. */
  mayReplace: () => Promise<boolean>;
  report: (line: string) => void;
};

/** Checks a backup completely, without a database: its structure, its checksums, and whether this program can restore it. */
export const verifyBackup = async (file: string): Promise<ReadBackup> => {
  const read = await readBackup(file);
  const known = await listMigrations();
  const unknown = read.manifest.migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new BackupError(
      `${file} was made by a newer version (${read.manifest.version}): it contains the changes ${unknown.join(', ')}, which this version does not know. Update the program, then restore.`,
    );
  return read;
};

/**
 * Replaces the content of a database and the storage by that of a backup. The file is read twice: it is checked completely before anything is
 * changed. From then on the database is marked, so that no server starts on it before everything is restored; an interrupted restore is
 * repeated from the start.
 */
export const restoreBackup = async (
  file: string,
  target: RestoreTarget,
  { mayReplace, report }: RestoreOptions,
): Promise<Manifest> => {
  report(`Checking ${file}…`);
  const { manifest, secretKey } = await verifyBackup(file);
  const keys = await chooseKeys(target.config, manifest, secretKey);
  let lost: Error | undefined;
  const onLost = (error: Error) => {
    lost = error;
  };
  const client = await connectAlone(target.where, onLost);
  const { pool, close } = connect(target.where, onLost, { ...backgroundLimits, max: 1 });
  try {
    if (!target.isAlone) await assertAlone(client);
    const state = await findState(client);
    if (state === 'used' && !(await mayReplace())) throw new BackupError(notEmpty);
    const former = state === 'used' ? await findMedia(client) : new Map<string, unknown>();
    await clearDatabase(client);
    if (!target.isAlone) await assertAlone(client);
    report('Creating the tables…');
    await migrate(pool, migrationsFolder, { only: manifest.migrations, isRestore: true });
    report(`Loading ${countOf(manifest)}…`);
    await load(file, client, { manifest, vault: keys.vault, target });
    report('Migrating…');
    await migrate(pool, migrationsFolder, { isRestore: true });
    await client.query('analyze');
    await keys.store();
    await markRestored(client);
    for (const name of former.keys())
      if (!manifest.media.some((kept) => kept.name === name)) await target.storage.remove(name);
    return manifest;
  } catch (error) {
    throw lost ?? error;
  } finally {
    await close().catch(() => undefined);
    await client.end().catch(() => undefined);
  }
};

const countOf = ({ tables, media }: Manifest): string =>
  `${tables.reduce((sum, { rows }) => sum + rows, 0).toLocaleString('en')} rows and ${media.length.toLocaleString('en')} files`;

const notEmpty =
  'The database is not empty. Restore into an empty one, or add --replace to delete everything in it. Make a backup of it first if you may need it.';

/** Servers that are connected would write into the tables that are being restored. */
const assertAlone = async (client: pg.Client): Promise<void> => {
  const others = await findOthers(client);
  if (others.length > 0)
    throw new BackupError(
      `Other programs are connected to the database: ${others.join('; ')}. Stop all servers and disconnect other programs, then restore.`,
    );
};

type ChosenKeys = { vault: Vault; store: () => Promise<void> };

/**
 * Finds the keys that decrypt the values of the backup: the configured ones, those in the backup, or those in the data folder. Without them
 * nobody could sign in with an authenticator app, and no site would accept a sign-in.
 */
const chooseKeys = async (
  { secretKeys, dataDir }: RestoreTarget['config'],
  { secret_key: { needed } }: Manifest,
  included: string | undefined,
): Promise<ChosenKeys> => {
  const file = secretKeyFile(dataDir);
  const fits = (keys: readonly string[]): boolean =>
    needed.every((id) => keys.length > 0 && createVault(keys).keyIds.includes(id));
  const nothing = async () => undefined;
  const inBackup = included === undefined ? [] : parseSecretKeys(included, 'of the backup');
  if (secretKeys.length > 0) {
    if (fits(secretKeys)) return { vault: createVault(secretKeys), store: nothing };
    const hint = fits(inBackup)
      ? 'The backup contains its key: unset SECRET_KEY to restore it together with the data.'
      : 'Set the SECRET_KEY of the server that the backup was made of.';
    throw new BackupError(
      `SECRET_KEY: the backup was made with ${describe(needed)}; configured: ${createVault(secretKeys).keyIds.join(', ')}. ${hint}`,
    );
  }
  const stored = await readFile(file, 'utf8').catch(() => undefined);
  const inFolder = stored === undefined ? [] : parseSecretKeys(stored, file);
  if (inFolder.length > 0 && fits(inFolder)) return { vault: createVault(inFolder), store: nothing };
  if (included !== undefined && fits(inBackup))
    return { vault: createVault(inBackup), store: () => storeKey(file, included, stored !== undefined) };
  throw new BackupError(
    `The backup was made with ${describe(needed)}, which it does not contain. Set SECRET_KEY to this key, or copy the file secret-key of the original DATA_DIR to ${file}, then restore.`,
  );
};

const describe = (keys: readonly string[]): string =>
  `the secret ${keys.length === 1 ? 'key' : 'keys'} ${keys.join(', ')}`;

/** A key is never deleted: somebody may need it for another backup. */
const storeKey = async (file: string, text: string, hasFormer: boolean): Promise<void> => {
  if (hasFormer) await rename(file, `${file}.before-restore-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`);
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  await rename(temporary, file);
};

type Loading = { manifest: Manifest; vault: Vault; target: RestoreTarget };

/** Loads all rows in one transaction, and stores the files meanwhile. Files without a row do no harm if the transaction fails. */
const load = async (file: string, client: pg.Client, { manifest, vault, target }: Loading): Promise<void> => {
  await client.query('begin');
  let tables: Tables | undefined;
  try {
    const { finish } = await prepareLoad(client);
    for (const month of manifest.log_months) await client.query('select add_login_log_month($1)', [month]);
    tables = await createTables(client, manifest);
    const read = await readBackup(file, { onRows: tables.onRows, onMedia: storeFile(target) });
    await tables.end();
    if (JSON.stringify(read.manifest) !== JSON.stringify(manifest))
      throw new Error('The backup was changed meanwhile.');
    for (const { name, last_value, is_called } of manifest.sequences)
      await client.query('select setval($1::regclass, $2, $3)', [quoted(name), last_value, is_called]);
    await finish();
    await giveUpMails(client);
    await assertReadable(client, vault);
    await client.query('commit');
  } catch (error) {
    await tables?.abort();
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
};

type Tables = Pick<Receiver, 'onRows'> & {
  end: () => Promise<void>;
  /** Ends a copy that would otherwise wait for more rows. */
  abort: () => Promise<void>;
};

/** Copies the rows of one table after the other. */
const createTables = async (client: pg.Client, manifest: Manifest): Promise<Tables> => {
  const columns = new Map((await findTables(client)).map((table) => [table.name, table.columns]));
  const listed = new Map(manifest.tables.map((table) => [table.name, table]));
  let current: { table: string; copy: ReturnType<typeof copyFrom>; ended: Promise<void> } | undefined;
  const begin = (name: string) => {
    const table = listed.get(name);
    const known = columns.get(name);
    if (!table || !known || table.columns.some((column) => !known.includes(column)))
      throw new BackupError(`The backup has a table ${name} that does not fit its version.`);
    const copy = client.query(copyFrom(`copy ${quoted(name)} (${table.columns.map(quoted).join(', ')}) from stdin`));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    copy.once('finish', resolve).once('error', reject);
    promise.catch(() => undefined);
    current = { table: name, copy, ended: promise };
    return current;
  };
  const end = async () => {
    if (!current) return;
    const { table, copy, ended } = current;
    current = undefined;
    copy.end();
    await ended;
    const expected = listed.get(table)?.rows;
    if (copy.rowCount !== expected)
      throw new BackupError(`The table ${table} has ${copy.rowCount} rows instead of ${expected}.`);
  };
  return {
    onRows: async (table, chunk) => {
      if (current?.table !== table) await end();
      const { copy, ended } = current ?? begin(table);
      if (copy.destroyed) await ended;
      if (copy.write(chunk)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      copy.once('drain', resolve);
      await Promise.race([promise, ended]);
    },
    end,
    abort: async () => {
      current?.copy.destroy(new Error('The restore was given up.'));
      await current?.ended.catch(() => undefined);
    },
  };
};

const storeFile =
  ({ storage, config }: RestoreTarget): Receiver['onMedia'] =>
  async (name, content) => {
    const folder = join(config.dataDir, 'uploads');
    const file = join(folder, `restore-${randomUUID()}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await pipeline(content, createWriteStream(file, { mode: 0o600 }));
      await storage.put(name, file);
    } finally {
      await rm(file, { force: true });
    }
  };

/**
 * Queued mails are not part of a backup: the server that the backup was made of has sent most of them. Their records say that they were not
 * sent, so that an owner can send them again.
 */
const giveUpMails = async (client: pg.Client): Promise<void> => {
  const { rowCount } = await client.query(`select from pg_class where oid = to_regclass('person_mails')`);
  if (rowCount === 1) await client.query(`update person_mails set outcome = 'failed' where outcome = 'queued'`);
};

const assertReadable = async (client: pg.Client, vault: Vault): Promise<void> => {
  const { rows } = await client.query<{ console_private_key: Buffer | null }>(
    'select console_private_key from installation',
  );
  const sealed = rows[0]?.console_private_key;
  if (sealed && vault.keyIdOf(sealed) === undefined)
    throw new BackupError(
      'The secret key does not decrypt the values of the backup. Set the SECRET_KEY that it was made with.',
    );
};
