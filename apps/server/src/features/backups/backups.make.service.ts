import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import program from '../../../../../package.json' with { type: 'json' };
import { queryableOn } from '../../database/connect.ts';
import { findMailQueue } from '../../jobs/mail-queue.ts';
import type { Storage } from '../../storage/storage.ts';
import { findNeededKeys } from '../secret-keys/secret-keys.service.ts';
import { type ArchiveWriter, createArchive, digestOf, isCompressedName, newHash } from './backups.archive.ts';
import {
  BackupError,
  entryNames,
  formatVersion,
  type Manifest,
  type MediaEntry,
  mediaEntry,
  partSize,
  type TableEntry,
  tablePart,
} from './backups.format.ts';
import { partialName } from './backups.names.ts';
import {
  connectAlone,
  exists,
  findLogMonths,
  findMedia,
  findMigrations,
  findTables,
  isDetachedMonth,
  quoted,
  readSequences,
  rowsOf,
  type Table,
  transientTables,
} from './backups.queries.ts';
import { readBackup } from './backups.read.service.ts';

export type BackupSource = {
  where: pg.ClientConfig;
  storage: Storage;
  /** The content of the key file if it becomes part of the backup. */
  secretKey: string | undefined;
};

export type MadeBackup = { file: string; bytes: number; manifest: Manifest };

/**
 * Writes a backup while servers run. The file has a temporary name until it is complete, was read again and has reached the disk, so that a
 * file with a proper name is always a whole backup.
 */
export const makeBackup = async (source: BackupSource, file: string, signal?: AbortSignal): Promise<MadeBackup> => {
  const temporary = partialName(file);
  try {
    if (await isThere(file)) throw new BackupError(`${file} exists already. Choose another name.`);
    await write(source, temporary, isCompressedName(file), signal);
    const { manifest } = await readBackup(temporary);
    signal?.throwIfAborted();
    await rename(temporary, file);
    await flushFolder(dirname(file));
    return { file, bytes: (await stat(file)).size, manifest };
  } catch (error) {
    throw explain(error, dirname(file));
  } finally {
    await rm(temporary, { force: true });
  }
};

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

const flushFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder, 'r');
  await handle.sync();
};

const explain = (error: unknown, folder: string): unknown => {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new BackupError(
      `The backup was not made, because ${folder} has no space left. Earlier backups are unchanged. Free some space, or choose another folder.`,
      { cause: error },
    );
  const isAboutFolder = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'].includes(code) && syscall !== 'connect';
  if (isAboutFolder)
    return new BackupError(`The backup was not made, because ${folder} cannot be written to (${message}).`, {
      cause: error,
    });
  return error;
};

type TableData = Pick<
  Manifest,
  'migrations' | 'postgres' | 'log_months' | 'sequences' | 'tables' | 'waiting_mails' | 'secret_key'
> & { files: Map<string, { isOptional: boolean }> };

const write = async (
  { where, storage, secretKey }: BackupSource,
  file: string,
  isCompressed: boolean,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const archive = createArchive(file, { isCompressed });
  try {
    const common = { format: formatVersion, version: program.version } as const;
    await archive.add(entryNames.opening, JSON.stringify({ product: 'opensocial-sso', ...common }));
    const created_at = new Date().toISOString();
    const { files, ...data } = await writeTables(where, archive, secretKey, signal);
    const media = await writeMedia(storage, archive, files, signal);
    if (secretKey !== undefined) await archive.add(entryNames.secretKey, secretKey);
    const manifest = JSON.stringify({ ...common, created_at, ...data, ...media } satisfies Manifest);
    await archive.add(entryNames.manifest, manifest);
    await archive.add(entryNames.digest, `${digestOf(manifest)}  ${entryNames.manifest}\n`);
    await archive.finish();
  } catch (error) {
    throw await archive.abort(error);
  }
};

/** Copies every table in one snapshot, so that the rows fit together however many are changed meanwhile. */
const writeTables = async (
  where: pg.ClientConfig,
  archive: ArchiveWriter,
  secretKey: string | undefined,
  signal: AbortSignal | undefined,
): Promise<TableData> => {
  let lost: Error | undefined;
  const client = await connectAlone(where, (error) => {
    lost = error;
  });
  try {
    if (!(await exists(client, 'installation')))
      throw new BackupError('The database has no installation of OpenSocial SSO, so there is nothing to back up.');
    const all = await beginSnapshot(client);
    const tables = all.filter((table) => !transientTables.includes(table.name) && !isDetachedMonth(table));
    const names = new Set(tables.map(({ name }) => name));
    const db = queryableOn(client);
    const needed = names.has('secret_keys')
      ? await findNeededKeys(db, (column) => names.has(column.split('.')[0] ?? ''))
      : [];
    const data = {
      postgres: (await client.query<{ server_version: string }>('show server_version')).rows[0]?.server_version ?? '',
      migrations: await findMigrations(client),
      log_months: await findLogMonths(client),
      files: await findMedia(client),
      waiting_mails: (await exists(client, 'graphile_worker.jobs')) ? (await findMailQueue(db)).waiting : 0,
      secret_key: { needed, sha256: secretKey === undefined ? null : digestOf(secretKey) },
    };
    const copied: TableEntry[] = [];
    for (const table of tables) copied.push(await copyTable(client, archive, table, all, signal));
    const sequences = await readSequences(client);
    await client.query('commit');
    return { ...data, tables: copied, sequences };
  } catch (error) {
    throw lost ?? error;
  } finally {
    await client.end().catch(() => undefined);
  }
};

const snapshotAttempts = 5;

/** A server that is dropping a month of the log, or migrates, may have to be waited for. */
const lockTimeout = '60s';

/**
 * Begins a transaction whose snapshot contains the tables as they are now. The tables are locked against changes of their structure before the
 * snapshot is taken by the first query, because a table that was dropped in between could not be read any more.
 */
const beginSnapshot = async (client: pg.Client): Promise<Table[]> => {
  for (let attempt = 1; ; attempt += 1) {
    const expected = await findTables(client);
    try {
      await client.query('begin isolation level repeatable read, read only');
      await client.query(`set local lock_timeout = '${lockTimeout}'`);
      await client.query(`lock table ${expected.map(({ name }) => quoted(name)).join(', ')} in access share mode`);
      const tables = await findTables(client);
      if (JSON.stringify(tables) === JSON.stringify(expected)) return tables;
    } catch (error) {
      if (!isChangeOfStructure(error)) throw error;
    }
    await client.query('rollback');
    if (attempt === snapshotAttempts)
      throw new BackupError('The tables are being changed, probably by an update. Try again when it has finished.');
  }
};

/** An undefined table, or a lock that was not granted in time. */
const isChangeOfStructure = (error: unknown): boolean =>
  ['42P01', '55P03'].includes((error as { code?: string }).code ?? '');

const copyTable = async (
  client: pg.Client,
  archive: ArchiveWriter,
  table: Table,
  all: readonly Table[],
  signal: AbortSignal | undefined,
): Promise<TableEntry> => {
  const hash = newHash();
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let bytes = 0;
  let parts = 0;
  const flush = async () => {
    if (pendingBytes === 0) return;
    signal?.throwIfAborted();
    parts += 1;
    await archive.add(tablePart(table.name, parts), Buffer.concat(pending));
    pending = [];
    pendingBytes = 0;
  };
  const copy = client.query(copyTo(`copy (${rowsOf(table, all)}) to stdout`));
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes >= partSize) await flush();
  }
  await flush();
  return { ...table, rows: copy.rowCount, bytes, parts, sha256: hash.digest('hex') };
};

/** Files are never changed, so they need no snapshot. One that is deleted meanwhile belonged to a row that was deleted. */
const writeMedia = async (
  storage: Storage,
  archive: ArchiveWriter,
  files: ReadonlyMap<string, { isOptional: boolean }>,
  signal: AbortSignal | undefined,
): Promise<Pick<Manifest, 'media' | 'missing_media'>> => {
  const media: MediaEntry[] = [];
  const missing: string[] = [];
  for (const [name, { isOptional }] of files) {
    signal?.throwIfAborted();
    const stored = await storage.get(name);
    if (stored) {
      const { size, stream } = stored;
      media.push({ name, bytes: size, sha256: await archive.addStream(mediaEntry(name), size, stream) });
    } else if (!isOptional) missing.push(name);
  }
  return { media, missing_media: missing };
};
