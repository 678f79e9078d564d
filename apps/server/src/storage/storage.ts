import type { Readable } from 'node:stream';

type Stored = { size: number; stream: Readable };

/** A store for files. Each file has a key that is never used again. */
export type Storage = {
  /** Stores a copy of a file atomically. */
  put: (key: string, file: string) => Promise<void>;
  get: (key: string) => Promise<Stored | undefined>;
  /** Deletes a file. A missing file is not an error. */
  remove: (key: string) => Promise<void>;
};
