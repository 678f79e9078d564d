import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AnyCall, ApiError, type Upload } from '@opensocial/contract';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { limitKeyOf } from '../identity/actor.ts';
import type { Parts } from '../parts.ts';
import { newUid } from '../secrets/tokens.ts';
import { resolveActor } from './actor.ts';
import { admit } from './admit.ts';
import { receive, type UploadedFile } from './receive.ts';

export type { UploadedFile } from './receive.ts';

/** The maximum number of concurrent uploads of one sender. */
const uploadsPerSender = 2;

/** Longer than an upload may be idle and a picture may take to process. Older folders were left by a killed server. */
const millisecondsUntilStale = 10 * 60_000;

const folderOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'uploads');

/**
 * Receives the files of calls. The sender is authenticated before the body is read, and the call is authorised as soon as the fields
 * before the file are read. Each file is in a temporary folder, which is deleted after the handler, even if it fails.
 */
export const createUploads = (parts: Parts) => {
  const running = new Map<string, number>();

  const limitConcurrency = async <Result>(sender: string, work: () => Promise<Result>): Promise<Result> => {
    const count = running.get(sender) ?? 0;
    if (count >= uploadsPerSender) throw new ApiError('uploads_busy', { retryAfter: 5 });
    running.set(sender, count + 1);
    return work().finally(() => {
      const left = (running.get(sender) ?? 1) - 1;
      if (left > 0) running.set(sender, left);
      else running.delete(sender);
    });
  };

  const receiveUpload = async <Result>(
    declared: AnyCall & { upload: Upload },
    request: FastifyRequest,
    handle: (admitted: Awaited<ReturnType<typeof admit>> & { file: UploadedFile }) => Promise<Result>,
  ): Promise<Result> => {
    const folder = join(folderOf(parts.config), newUid());
    try {
      const actor = await resolveActor(parts, declared, request);
      return await limitConcurrency(actor ? limitKeyOf(actor) : request.ip, async () => {
        const admitWith = (fields: object) => admit(parts, declared, request, actor, fields);
        const { fields, file } = await receive(request, declared.upload, folder, async (early) => {
          if (declared.body?.safeParse(early).success) await admitWith(early);
        });
        return handle({ ...(await admitWith(fields)), file });
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
      // The rest of the body has to be read, because clients read the response only after they have sent it.
      request.raw.unpipe().resume();
    }
  };

  return { receiveUpload };
};

/** Removes the folders that a killed server has left. */
export const removeStaleUploads = async (config: Pick<Config, 'dataDir'>): Promise<void> => {
  const folder = folderOf(config);
  for (const name of await readdir(folder).catch(() => [])) {
    const upload = join(folder, name);
    const files = (await readdir(upload).catch(() => [])).map((file) => join(upload, file));
    const moments = await Promise.all([upload, ...files].map(modifiedAt));
    if (Math.max(...moments) < Date.now() - millisecondsUntilStale) await rm(upload, { recursive: true, force: true });
  }
};

const modifiedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
