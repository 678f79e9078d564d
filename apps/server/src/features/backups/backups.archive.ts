import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, type Header, pack } from 'tar-stream';
import { BackupError } from './backups.format.ts';

/** Password hashes and encrypted values cannot be compressed. More effort hardly makes the rest smaller, but takes much longer. */
const compressionLevel = 1;

export const isCompressedName = (file: string): boolean => /\.(tar\.gz|tgz)$/.test(file);

export type ArchiveWriter = {
  add: (name: string, content: Buffer | string) => Promise<void>;
  /** Adds a file whose size is known, and returns the digest of its content. */
  addStream: (name: string, size: number, content: AsyncIterable<Buffer>) => Promise<string>;
  /** Resolves when everything is on the disk. */
  finish: () => Promise<void>;
  /** Ends the writing, and returns the error that was first: entries of an archive that could not be written fail later. */
  abort: (reason: unknown) => Promise<unknown>;
};

/** Writes an archive that only its owner can read. Each method resolves when the writer is ready for more. */
export const createArchive = (file: string, { isCompressed }: { isCompressed: boolean }): ArchiveWriter => {
  const archive = pack();
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  const written = isCompressed
    ? pipeline(archive, createGzip({ level: compressionLevel }), target)
    : pipeline(archive, target);
  // Entries of an archive that cannot be written are never finished, so each of them also waits for the failure.
  const failure = written.then(() => new Promise<never>(() => undefined));
  failure.catch(() => undefined);
  const mtime = new Date();
  const headersOf = (name: string, size: number): Partial<Header> & { name: string } => ({
    name,
    size,
    mode: 0o600,
    mtime,
  });
  return {
    add: (name, content) => {
      const bytes = Buffer.from(content);
      const added = new Promise<void>((resolve, reject) => {
        const entry = archive.entry(headersOf(name, bytes.length), bytes, (error) =>
          error ? reject(error) : resolve(),
        );
        entry.on('error', reject);
      });
      return Promise.race([failure, added]);
    },
    addStream: async (name, size, content) => {
      const hash = createHash('sha256');
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const entry = archive.entry(headersOf(name, size), (error) => (error ? reject(error) : resolve()));
      entry.on('error', reject);
      promise.catch(() => undefined);
      for await (const chunk of content) {
        hash.update(chunk);
        if (entry.write(chunk)) continue;
        const drained = new Promise<void>((ready) => {
          entry.once('drain', () => ready());
        });
        await Promise.race([failure, promise, drained]);
      }
      entry.end(null);
      await Promise.race([failure, promise]);
      return hash.digest('hex');
    },
    finish: async () => {
      archive.finalize();
      await written;
    },
    abort: async (reason) => {
      archive.destroy(reason instanceof Error ? reason : new Error(String(reason)));
      return written.then(
        () => reason,
        (first: unknown) => first,
      );
    },
  };
};

export type ArchiveEntry = { name: string; size: number; content: AsyncIterable<Buffer> };

const damaged = (file: string, cause: unknown): BackupError =>
  new BackupError(
    `${file} is damaged or incomplete (${cause instanceof Error ? cause.message : String(cause)}). Use another backup, or copy this one again.`,
    { cause },
  );

/** Whether an error is about the content of the file, rather than about reading it. */
const isAboutContent = (error: unknown): boolean => {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined && (code === '' || code.startsWith('Z_'));
};

const explainFault = (file: string, error: unknown): unknown => (isAboutContent(error) ? damaged(file, error) : error);

async function* explainFaults(file: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (error) {
    throw explainFault(file, error);
  }
}

/** Reads the entries of an archive one after the other. The content of an entry has to be read before the next one. */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  const handle = await open(file).catch((cause: unknown) => {
    throw new BackupError(`${file} cannot be read: ${(cause as Error).message}`, { cause });
  });
  const start = Buffer.alloc(2);
  await handle.read(start, 0, 2, 0);
  const source = handle.createReadStream({ start: 0 });
  const entries = extract();
  const isCompressed = start.equals(Buffer.of(0x1f, 0x8b));
  const read = isCompressed ? pipeline(source, createGunzip(), entries) : pipeline(source, entries);
  read.catch(() => undefined);
  const failure = read.then(() => new Promise<never>(() => undefined));
  failure.catch(() => undefined);
  try {
    const iterator = entries[Symbol.asyncIterator]();
    for (;;) {
      const { done, value: entry } = await Promise.race([iterator.next(), failure]);
      if (done) break;
      yield {
        name: entry.header.name,
        size: entry.header.size ?? 0,
        content: explainFaults(file, entry as AsyncIterable<Buffer>),
      };
    }
    await read;
  } catch (error) {
    throw explainFault(file, error);
  } finally {
    source.destroy();
  }
}

export const readWhole = async ({ content, size }: ArchiveEntry, limit: number): Promise<Buffer> => {
  if (size > limit) throw new Error(`an entry has ${size} bytes`);
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
};

export const digestOf = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
export const newHash = (): Hash => createHash('sha256');
