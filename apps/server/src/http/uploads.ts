import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AnyCall, ApiError, type Upload } from '@opensocial/contract';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Parts } from '../parts.ts';
import { newUid } from '../secrets/tokens.ts';
import { admit, identify } from './admit.ts';
import { receive, type UploadedFile } from './receive.ts';

export type { UploadedFile } from './receive.ts';

const uploadsOfOne = 2;

/** Longer than any upload stands still and any picture is worked on: what lies there longer belongs to a killed server. */
const millisecondsUntilStale = 10 * 60_000;

const folderOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'uploads');

/**
 * Takes files that calls bring. Who sends one is known before anything of it is read, and whether they may as soon as the
 * form has said what for. It lies in a folder of its own, which is gone when the work on it is over, however that ended.
 */
export const createUploads = (parts: Parts) => {
  const underWay = new Map<string, number>();

  const counted = async <Result>(sender: string, work: () => Promise<Result>): Promise<Result> => {
    const already = underWay.get(sender) ?? 0;
    if (already >= uploadsOfOne) throw new ApiError('uploads_busy', { retryAfter: 5 });
    underWay.set(sender, already + 1);
    return work().finally(() => {
      const left = (underWay.get(sender) ?? 1) - 1;
      if (left > 0) underWay.set(sender, left);
      else underWay.delete(sender);
    });
  };

  const take = async <Result>(
    declared: AnyCall & { upload: Upload },
    request: FastifyRequest,
    use: (taken: Awaited<ReturnType<typeof admit>> & { file: UploadedFile }) => Promise<Result>,
  ): Promise<Result> => {
    const folder = join(folderOf(parts.config), newUid());
    try {
      const session = await identify(parts, declared, request);
      return await counted(session ? String(session.user.id) : request.ip, async () => {
        const isAllowed = (fields: object) => admit(parts, declared, request, session, fields);
        const { fields, file } = await receive(request, declared.upload, folder, async (early) => {
          if (declared.body?.safeParse(early).success) await isAllowed(early);
        });
        return use({ ...(await isAllowed(fields)), file });
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
      // Whatever of the form nobody read has to leave the wire before the answer is heard.
      request.raw.unpipe().resume();
    }
  };

  return { take };
};

/** Removes what a killed server has left behind. */
export const removeStaleUploads = async (config: Pick<Config, 'dataDir'>): Promise<void> => {
  const folder = folderOf(config);
  for (const name of await readdir(folder).catch(() => [])) {
    const upload = join(folder, name);
    const files = (await readdir(upload).catch(() => [])).map((file) => join(upload, file));
    const moments = await Promise.all([upload, ...files].map(movedAt));
    if (Math.max(...moments) < Date.now() - millisecondsUntilStale) await rm(upload, { recursive: true, force: true });
  }
};

const movedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
