import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import { type AnyCall, callsByNoun, type Upload } from '@opensocial/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Parts } from '../parts.ts';
import { resolveActor } from './actor.ts';
import { type AnswerOf, admit, type HandlerInput } from './admit.ts';
import { type BindStream, createStreams } from './streams.ts';
import { createUploads, type UploadedFile } from './uploads.ts';

export type Bind = <C extends AnyCall>(declared: C, handler: (input: HandlerInput<C>) => Promise<AnswerOf<C>>) => void;

/** Binds a call with a file. The file exists until the handler has finished. */
export type BindUpload = <C extends AnyCall & { upload: Upload }>(
  declared: C,
  handler: (input: HandlerInput<C> & { file: UploadedFile }) => Promise<AnswerOf<C>>,
) => void;

/** Binds a call whose response is a file, which is generated while it is sent. */
export type BindDownload = <C extends AnyCall>(
  declared: C,
  handler: (input: HandlerInput<C>) => Promise<{ name: string; pieces: AsyncIterable<string> }>,
) => void;

/**
 * Serves calls by their declarations. Path, query and body of a request are parsed, and so is the answer, so that a column that is not
 * declared is never sent.
 */
export const createBinder = (app: FastifyInstance, parts: Parts) => {
  const bound = new Set<AnyCall>();
  const register = (declared: AnyCall) => {
    if (!declared.access) throw new Error(`${declared.method} ${declared.path.template} declares no access.`);
    bound.add(declared);
  };
  const bind: Bind = (declared, handler) => {
    register(declared);
    serve(app, declared, async (request, reply) => {
      const admitted = await admit(parts, declared, request, await resolveActor(parts, declared, request));
      return handler({ ...admitted, request, reply } as never);
    });
  };
  const bindDownload: BindDownload = (declared, handler) => {
    register(declared);
    app.get(declared.path.route, { config: { template: declared.path.template } }, async (request, reply) => {
      const admitted = await admit(parts, declared, request, await resolveActor(parts, declared, request));
      const { name, pieces } = await handler({ ...admitted, request, reply } as never);
      return reply
        .headers({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${name}"` })
        .type(`${declared.download}; charset=utf-8`)
        .send(Readable.from(pieces));
    });
  };
  const streams = createStreams(app, parts);
  const bindStream: BindStream = (declared, handler) => {
    register(declared);
    app.get(declared.path.route, { config: { template: declared.path.template } }, (request, reply) =>
      streams(declared, request, reply, handler),
    );
  };
  const uploads = createUploads(parts);
  const bindUpload: BindUpload = (declared, handler) => {
    register(declared);
    // In a scope of its own, so that other routes do not accept multipart bodies.
    void app.register(async (scope) => {
      await scope.register(multipart);
      serve(scope, declared, (request, reply) =>
        uploads.receiveUpload(declared, request, (admitted) => handler({ ...admitted, request, reply } as never)),
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
      // Serialised here, because Fastify would send a string as plain text.
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
    /** The declared path, which logs, metrics and the API reference show. */
    template?: string;
    /** Whether the body is an upload, for which other timeouts apply. */
    isUpload?: boolean;
  }
}
