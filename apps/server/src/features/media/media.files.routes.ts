import { ApiError, getIconImage, getImage } from '@opensocial/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Parts } from '../../parts.ts';
import { findImage, type ImageKind } from './media.queries.ts';
import { isDrawing, thumbnailKey } from './media.service.ts';

/** A name is random and never reused, so its content never changes. */
const forever = 'public, max-age=31536000, immutable';

/** An image that is opened on its own may only draw. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * The image files, for everybody: the sign-in page shows them before anybody is signed in. The same URLs return the
 * record if the request asks for JSON, which is an ordinary call.
 */
export const mediaFileRoutes = (app: FastifyInstance, parts: Parts): void => {
  app.addConstraintStrategy({
    name: 'wants',
    storage: () => {
      const handlers = new Map();
      return { get: (wants) => handlers.get(wants) ?? null, set: (wants, handler) => handlers.set(wants, handler) };
    },
    deriveConstraint: ({ headers }) => (headers.accept?.includes('application/json') ? 'record' : 'bytes'),
    validate: () => undefined,
  });

  for (const [kind, { path }] of [
    ['image', getImage],
    ['icon', getIconImage],
  ] as const) {
    app.get(path.route, { constraints: { wants: 'bytes' }, config: { template: path.template } }, (request, reply) =>
      sendImage(parts, kind, path.parse(pathOf(request)), request, reply),
    );
  }
};

/** The form of the names that we generate; others are not looked up. */
const isName = (name: string): boolean => /^\w+\.\w+$/.test(name);

const pathOf = ({ raw }: FastifyRequest): string => raw.url?.split('?')[0] ?? '';

type Named = { name?: string; server?: string } | undefined;

const sendImage = async (
  { db, storage }: Parts,
  kind: ImageKind,
  named: Named,
  request: FastifyRequest,
  reply: FastifyReply,
) => {
  const { name = '', server } = named ?? {};
  const image = isName(name)
    ? await findImage(db, { kind, name, ...(server !== undefined && { network: server }) })
    : undefined;
  if (!image) throw new ApiError('not_found');
  const isSmall = Object.hasOwn(request.query as object, 'thumbnail') && !isDrawing(image);
  const key = isSmall ? thumbnailKey(image.name) : image.name;
  void reply.headers({
    'cache-control': forever,
    'content-security-policy': policy,
    // Mails show them too, wherever they are read.
    'cross-origin-resource-policy': 'cross-origin',
    etag: `"${key}"`,
    vary: 'accept',
    // `img` elements ignore this header.
    ...(isDrawing(image) && { 'content-disposition': 'attachment' }),
  });
  if (request.headers['if-none-match'] === `"${key}"`) return reply.status(304).send();
  const stored = await storage.get(key);
  if (!stored) throw new ApiError('not_found');
  return reply
    .type(isSmall ? 'image/webp' : image.media_type)
    .header('content-length', stored.size)
    .send(stored.stream);
};
