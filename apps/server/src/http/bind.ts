import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import { type AnyCall, callsByNoun, type Upload } from '@opensocial/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Parts } from '../parts.ts';
import { type AnswerOf, admit, type Handled, identify } from './admit.ts';
import { type BindStream, createStreams } from './streams.ts';
import { createUploads, type UploadedFile } from './uploads.ts';

export type Bind = <C extends AnyCall>(declared: C, handler: (handled: Handled<C>) => Promise<AnswerOf<C>>) => void;

/** The same for a call that brings a file, which is there until the handler is done. */
export type BindUpload = <C extends AnyCall & { upload: Upload }>(
  declared: C,
  handler: (handled: Handled<C> & { file: UploadedFile }) => Promise<AnswerOf<C>>,
) => void;

/** The same for a call that answers with a file, which is made while it is sent. */
export type BindDownload = <C extends AnyCall>(
  declared: C,
  handler: (handled: Handled<C>) => Promise<{ name: string; pieces: AsyncIterable<string> }>,
) => void;

/**
 * Serves calls as their declarations say: path, query and body are parsed on the way in and the answer on the way out, so
 * that a column nobody declared never leaves.
 */
export const createBinder = (app: FastifyInstance, parts: Parts) => {
  const bound = new Set<AnyCall>();
  const claim = (declared: AnyCall) => {
    if (!declared.access) throw new Error(`${declared.method} ${declared.path.template} declares no access.`);
    bound.add(declared);
  };
  const bind: Bind = (declared, handler) => {
    claim(declared);
    serve(app, declared, async (request, reply) => {
      const admitted = await admit(parts, declared, request, await identify(parts, declared, request));
      return handler({ ...admitted, request, reply } as never);
    });
  };
  const bindDownload: BindDownload = (declared, handler) => {
    claim(declared);
    app.get(declared.path.route, { config: { template: declared.path.template } }, async (request, reply) => {
      const admitted = await admit(parts, declared, request, await identify(parts, declared, request));
      const { name, pieces } = await handler({ ...admitted, request, reply } as never);
      return reply
        .headers({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${name}"` })
        .type(`${declared.download}; charset=utf-8`)
        .send(Readable.from(pieces));
    });
  };
  const streams = createStreams(app, parts);
  const bindStream: BindStream = (declared, handler) => {
    claim(declared);
    app.get(declared.path.route, { config: { template: declared.path.template } }, (request, reply) =>
      streams(declared, request, reply, handler),
    );
  };
  const uploads = createUploads(parts);
  const bindUpload: BindUpload = (declared, handler) => {
    claim(declared);
    // Elsewhere a form is no body that anybody reads.
    void app.register(async (scope) => {
      await scope.register(multipart);
      serve(scope, declared, (request, reply) =>
        uploads.take(declared, request, (taken) => handler({ ...taken, request, reply } as never)),
      );
    });
  };
  return { bind, bindUpload, bindDownload, bindStream, assertComplete: () => assertComplete(bound) };
};

const serve = (
  app: FastifyInstance,
  declared: AnyCall,
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void => {
  app.route({
    method: declared.method,
    url: declared.path.route,
    config: { template: declared.path.template, isUpload: declared.upload !== undefined },
    ...(declared.maxBody !== undefined && { bodyLimit: declared.maxBody }),
    handler: async (request, reply) => {
      // Written out here, because Fastify would send a bare string as text.
      const body = JSON.stringify(declared.answer.parse(await handle(request, reply)));
      return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(body);
    },
  });
};

const assertComplete = (bound: Set<AnyCall>): void => {
  const missing = Object.values(callsByNoun)
    .flatMap((calls) => Object.entries(calls))
    .filter(([, declared]) => !bound.has(declared))
    .map(([name]) => name);
  if (missing.length > 0) throw new Error(`No handler for: ${missing.join(', ')}.`);
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path as declared: what logs, metrics and the reference call the route. */
    template?: string;
    /** A body that may take as long as it moves. */
    isUpload?: boolean;
  }
}
