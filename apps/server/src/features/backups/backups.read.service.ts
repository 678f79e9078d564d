import type { Hash } from 'node:crypto';
import { type ArchiveEntry, digestOf, newHash, readArchive, readWhole } from './backups.archive.ts';
import { BackupError, entryNames, formatVersion, Manifest, Opening, parseEntry } from './backups.format.ts';

/** What is done with the content of a backup while it is read. Without a receiver, the content is only checked. */
export type Receiver = {
  /** Called for every chunk of a table, in order. */
  onRows: (table: string, chunk: Buffer) => Promise<void>;
  /** Reads the content of a file completely. */
  onMedia: (name: string, content: AsyncIterable<Buffer>) => Promise<void>;
};

export type ReadBackup = { manifest: Manifest; secretKey: string | undefined };

const openingLimit = 64 * 1024;
const keyLimit = 64 * 1024;
const manifestLimit = 1024 * 1024 * 1024;

type Counted = { hash: Hash; bytes: number; parts: number };

const newCount = (): Counted => ({ hash: newHash(), bytes: 0, parts: 0 });

/**
 * Reads a backup to its end and checks its structure and all checksums. Fails with a `BackupError` that says what is wrong. The checksums
 * are known only at the end, so a receiver must be able to take everything back.
 */
export const readBackup = async (file: string, receiver?: Receiver): Promise<ReadBackup> => {
  const wrong = (what: string): BackupError =>
    new BackupError(`${file} is damaged or incomplete: ${what}. Use another backup, or copy this one again.`);
  const tables = new Map<string, Counted>();
  const media = new Map<string, Counted>();
  const count = async function* (counted: Counted, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      counted.hash.update(chunk);
      counted.bytes += chunk.length;
      yield chunk;
    }
  };

  const readTable = async (table: string, part: number, entry: ArchiveEntry): Promise<void> => {
    const counted = tables.get(table) ?? newCount();
    tables.set(table, counted);
    if (part !== counted.parts + 1) throw wrong(`part ${counted.parts + 1} of the table ${table} is missing`);
    counted.parts = part;
    for await (const chunk of count(counted, entry.content)) await receiver?.onRows(table, chunk);
  };

  const readMedia = async (name: string, entry: ArchiveEntry): Promise<void> => {
    if (media.has(name)) throw wrong(`the file ${name} is contained twice`);
    const counted = newCount();
    media.set(name, counted);
    const content = count(counted, entry.content);
    if (receiver) await receiver.onMedia(name, content);
    else for await (const _ of content);
  };

  let isFirst = true;
  let secretKey: string | undefined;
  let manifestText: Buffer | undefined;
  let digest: string | undefined;
  for await (const entry of readArchive(file)) {
    if (isFirst) await readOpening(file, entry);
    else if (digest !== undefined) throw wrong(`${entry.name} is behind the end`);
    else if (entry.name === entryNames.digest) digest = (await readWhole(entry, openingLimit)).toString().slice(0, 64);
    else if (manifestText) throw wrong(`${entry.name} is behind the list of contents`);
    else if (entry.name === entryNames.manifest) manifestText = await readWhole(entry, manifestLimit);
    else if (entry.name === entryNames.secretKey) secretKey = (await readWhole(entry, keyLimit)).toString();
    else {
      const parsed = parseEntry(entry.name);
      if (!parsed) throw wrong(`${entry.name} does not belong to a backup`);
      if ('table' in parsed) await readTable(parsed.table, parsed.part, entry);
      else await readMedia(parsed.media, entry);
    }
    isFirst = false;
  }
  if (isFirst) throw wrong('it is empty');
  if (!manifestText || digest === undefined) throw wrong('its end is missing');
  if (digestOf(manifestText) !== digest) throw wrong('the checksum of the list of contents is wrong');
  const manifest = Manifest.parse(JSON.parse(manifestText.toString()));
  assertSame('table', tables, manifest.tables, wrong);
  assertSame('file', media, manifest.media, wrong);
  const isKeyRight = manifest.secret_key.sha256 === (secretKey === undefined ? null : digestOf(secretKey));
  if (!isKeyRight) throw wrong('the checksum of the secret key is wrong');
  return { manifest, secretKey };
};

const readOpening = async (file: string, entry: ArchiveEntry): Promise<void> => {
  const text = entry.name === entryNames.opening ? (await readWhole(entry, openingLimit)).toString() : '';
  const opening = Opening.safeParse(parseJson(text));
  if (!opening.success) throw new BackupError(`${file} is not a backup of OpenSocial SSO.`);
  const { format, version } = opening.data;
  if (format > formatVersion)
    throw new BackupError(
      `${file} was made by version ${version}, whose backups this version cannot read. Update the program, then restore.`,
    );
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type Listed = { name: string; bytes: number; parts?: number; sha256: string };

/** Compares what was read with what the manifest lists. */
const assertSame = (
  kind: string,
  read: Map<string, Counted>,
  listed: readonly Listed[],
  wrong: (what: string) => BackupError,
): void => {
  const names = new Set(listed.map(({ name }) => name));
  for (const name of read.keys()) if (!names.has(name)) throw wrong(`the ${kind} ${name} is not listed`);
  for (const { name, bytes, parts = 0, sha256 } of listed) {
    const counted = read.get(name) ?? newCount();
    if (!read.has(name) && (bytes > 0 || kind === 'file')) throw wrong(`the ${kind} ${name} is missing`);
    if (counted.bytes !== bytes || counted.parts !== parts || counted.hash.digest('hex') !== sha256)
      throw wrong(`the checksum of the ${kind} ${name} is wrong`);
  }
};
