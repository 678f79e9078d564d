import { ApiError } from '@opensocial/contract';
import type { FastifyInstance } from 'fastify';
import { readCookie } from '../../http/cookies.ts';
import { findSession } from '../../identity/console-sessions.ts';
import type { Parts } from '../../parts.ts';
import { hasProfilePicture, pictureFolder } from './profile.pictures.service.ts';

const mediaTypes = { webp: 'image/webp', svg: 'image/svg+xml' } as const;

/** The picture files, only for signed-in users. */
export const profilePictureFileRoutes = (app: FastifyInstance, { db, config, storage }: Parts): void => {
  app.get<{ Params: { name: string } }>(
    `${pictureFolder}:name`,
    { config: { template: `${pictureFolder}{name}` } },
    async (request, reply) => {
      const { name } = request.params;
      const token = readCookie(config, request, 'session');
      if (token === undefined || !(await findSession(db, token))) throw new ApiError('auth_required');
      const type = /^[0-9a-f]{32}\.(webp|svg)$/.exec(name)?.[1] as keyof typeof mediaTypes | undefined;
      const stored = type && (await hasProfilePicture(db, name)) ? await storage.get(name) : undefined;
      if (!type || !stored) throw new ApiError('not_found');
      return reply
        .headers({
          // A name is random and never reused, so its content never changes.
          'cache-control': 'private, max-age=31536000, immutable',
          // A picture that is opened on its own may only draw.
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          'cross-origin-resource-policy': 'same-origin',
          'content-disposition': 'attachment',
          'content-length': stored.size,
        })
        .type(mediaTypes[type])
        .send(stored.stream);
    },
  );
};
