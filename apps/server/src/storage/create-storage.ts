import type { Config } from '../config.ts';
import { createBucketStorage } from './bucket.ts';
import { createFolderStorage } from './folder.ts';
import type { Storage } from './storage.ts';
import { mediaFolder } from './storage-place.ts';

/** The bucket of the configuration, or a folder of this machine if no bucket is configured. */
export const createStorage = ({ bucket, dataDir }: Pick<Config, 'bucket' | 'dataDir'>): Storage =>
  bucket ? createBucketStorage(bucket) : createFolderStorage(mediaFolder({ dataDir }));
