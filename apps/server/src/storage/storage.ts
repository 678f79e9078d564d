import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { createBucketStorage } from './bucket.ts';
import { createFolderStorage } from './folder.ts';

type Stored = { size: number; stream: Readable };

/** Where files are kept, each under a key that is never used again. */
export type Storage = {
  /** Keeps a copy of a file: whole, or not at all. */
  put: (key: string, file: string) => Promise<void>;
  get: (key: string) => Promise<Stored | undefined>;
  /** What is not there any more is not there. */
  remove: (key: string) => Promise<void>;
};

/** The bucket that the settings name, else a folder of this machine. */
export const createStorage = ({ bucket, dataDir }: Pick<Config, 'bucket' | 'dataDir'>): Storage =>
  bucket ? createBucketStorage(bucket) : createFolderStorage(join(dataDir, 'media'));
