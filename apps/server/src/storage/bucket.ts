import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import type { Bucket } from './bucket-url.ts';
import type { Storage } from './storage.ts';

const longestTransfer = 120_000;

/** The bucket is away, or does not let us in. */
export class BucketError extends Error {}

/** Files in a bucket that speaks S3. What was sent is what is kept: its digest is part of the signature. */
export const createBucketStorage = ({ endpoint, ...credentials }: Bucket): Storage => {
  const client = new AwsClient({ ...credentials, service: 's3', retries: 3 });
  const send = async (key: string, init: RequestInit): Promise<Response> => {
    const signal = AbortSignal.timeout(longestTransfer);
    try {
      return await client.fetch(`${endpoint}/${encodeURIComponent(key)}`, { ...init, signal });
    } catch (cause) {
      throw new BucketError('MEDIA_URL: the bucket does not answer.', { cause });
    }
  };

  return {
    put: async (key, file) => {
      const headers = { 'x-amz-content-sha256': await digestOf(file) };
      await taken(await send(key, { method: 'PUT', body: await openAsBlob(file), headers }));
    },
    get: async (key) => {
      const answer = await send(key, { method: 'GET' });
      if (answer.status === 404) {
        await answer.body?.cancel();
        return undefined;
      }
      if (!answer.ok || !answer.body) throw await refusal(answer);
      const stream = Readable.fromWeb(answer.body as ReadableStream);
      return { size: Number(answer.headers.get('content-length')), stream };
    },
    remove: async (key) => {
      const answer = await send(key, { method: 'DELETE' });
      if (answer.status === 404) await answer.body?.cancel();
      else await taken(answer);
    },
  };
};

const digestOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};

const taken = async (answer: Response): Promise<void> => {
  if (!answer.ok) throw await refusal(answer);
  await answer.body?.cancel();
};

const refusal = async (answer: Response): Promise<BucketError> => {
  await answer.body?.cancel();
  return new BucketError(`MEDIA_URL: the bucket answered ${answer.status}.`);
};
