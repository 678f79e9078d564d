import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import type { Bucket } from './bucket-url.ts';
import type { Storage } from './storage.ts';

const transferTimeout = 120_000;

/** A person waits for an image, and a page has many: a bucket that does not begin to answer is unavailable. */
const answerTimeout = 10_000;

/** The bucket is unavailable or refuses access. */
export class BucketError extends Error {}

/**
 * Stores files in an S3 bucket. The digest of the file is part of the signed request, so that the stored bytes are the
 * sent ones.
 */
export const createBucketStorage = ({ endpoint, ...credentials }: Bucket): Storage => {
  const client = new AwsClient({ ...credentials, service: 's3', retries: 3 });
  const send = async (key: string, init: RequestInit, timeout = answerTimeout): Promise<Response> => {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), timeout);
    const signal = AbortSignal.any([waiting.signal, AbortSignal.timeout(transferTimeout)]);
    try {
      return await client.fetch(`${endpoint}/${encodeURIComponent(key)}`, { ...init, signal });
    } catch (cause) {
      throw new BucketError('MEDIA_URL: the bucket does not answer.', { cause });
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    put: async (key, file) => {
      const headers = { 'x-amz-content-sha256': await digestOf(file) };
      await assertOk(await send(key, { method: 'PUT', body: await openAsBlob(file), headers }, transferTimeout));
    },
    get: async (key) => {
      const response = await send(key, { method: 'GET' });
      if (response.status === 404) {
        await response.body?.cancel();
        return undefined;
      }
      if (!response.ok || !response.body) throw await bucketError(response);
      const stream = Readable.fromWeb(response.body as ReadableStream);
      return { size: Number(response.headers.get('content-length')), stream };
    },
    remove: async (key) => {
      const response = await send(key, { method: 'DELETE' });
      if (response.status === 404) await response.body?.cancel();
      else await assertOk(response);
    },
  };
};

const digestOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};

const assertOk = async (response: Response): Promise<void> => {
  if (!response.ok) throw await bucketError(response);
  await response.body?.cancel();
};

const bucketError = async (response: Response): Promise<BucketError> => {
  await response.body?.cancel();
  return new BucketError(`MEDIA_URL: the bucket answered ${response.status}.`);
};
