import {
  type AnyCall,
  type Anyone,
  ApiError,
  type Call,
  callsByNoun,
  changesState,
  type OfNetwork,
} from '@opensocial/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { findSession, type SessionRow } from '../features/session/session.service.ts';
import type { Parts } from '../parts.ts';
import { authorise, type GrantedNetwork } from './access.ts';
import { readCookie } from './cookies.ts';
import { assertOwnPage } from './origin.ts';

type ParamsOf<C> = C extends Call<infer P> ? z.output<P> : never;
type QueryOf<C> = C extends Call<z.ZodObject, infer Q> ? z.output<Q> : never;
type BodyOf<C> = C extends Call<z.ZodObject, z.ZodType, infer B> ? z.output<B> : never;
type AnswerOf<C> = C extends Call<z.ZodObject, z.ZodType, z.ZodType, infer A> ? z.input<A> : never;
type AccessOf<C> = C extends { access: infer A } ? A : never;

type Granted<A> = A extends OfNetwork
  ? { user: SessionRow['user']; session: SessionRow; network: GrantedNetwork }
  : A extends Anyone
    ? { session: SessionRow | undefined }
    : { user: SessionRow['user']; session: SessionRow };

/** What a handler gets: the parts that its call declares, already parsed, and whoever its access has let through. */
type Handled<C> = {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  request: FastifyRequest;
  reply: FastifyReply;
} & Granted<AccessOf<C>>;

export type Bind = <C extends AnyCall>(declared: C, handler: (handled: Handled<C>) => Promise<AnswerOf<C>>) => void;

/**
 * Serves calls as their declarations say: path, query and body are parsed on the way in and the answer on the way out, so
 * that a column nobody declared never leaves.
 */
export const createBinder = (app: FastifyInstance, parts: Parts) => {
  const bound = new Set<AnyCall>();
  const bind: Bind = (declared, handler) => {
    if (!declared.access) throw new Error(`${declared.method} ${declared.path.template} declares no access.`);
    bound.add(declared);
    app.route({
      method: declared.method,
      url: declared.path.route,
      config: { template: declared.path.template },
      ...(declared.maxBody !== undefined && { bodyLimit: declared.maxBody }),
      handler: async (request, reply) => {
        const handled = await admit(parts, declared, request);
        const answer = await handler({ ...handled, request, reply } as never);
        // Written out here, because Fastify would send a bare string as text.
        const body = JSON.stringify(declared.answer.parse(answer));
        return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(body);
      },
    });
  };
  return { bind, assertComplete: () => assertComplete(bound) };
};

const admit = async (parts: Parts, declared: AnyCall, request: FastifyRequest) => {
  const token = readCookie(parts.config, request, 'session');
  if (changesState(declared)) assertOwnPage(parts, request, token);
  const session = token === undefined ? undefined : await findSession(parts.db, token);
  if (!session && declared.access.who !== 'anyone') throw new ApiError('auth_required');
  const [pathname = ''] = request.raw.url?.split('?') ?? [];
  const segments = declared.path.parse(pathname);
  if (!segments) throw new ApiError('not_found');
  const params = parse(declared.path.params, segments);
  const body = declared.body ? parse(declared.body, request.body ?? {}) : undefined;
  const query = declared.query ? parse(declared.query, request.query) : undefined;
  const grant = await authorise(parts.db, declared.access, { ...asFields(body), ...params }, session);
  return { params, query, body, session, ...grant };
};

const parse = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  throw new ApiError('invalid_input', { message: `${where}${issue?.message ?? 'not valid'}`, cause: parsed.error });
};

const asFields = (body: unknown): object => (typeof body === 'object' && body !== null ? body : {});

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
  }
}
