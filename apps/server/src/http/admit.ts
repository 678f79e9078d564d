import {
  type AnyCall,
  type Anyone,
  ApiError,
  type Call,
  type OfNetwork,
  type OfSelectedNetwork,
  type SessionNeed,
} from '@opensocial/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Actor, InSession } from '../identity/actor.ts';
import type { GrantedNetwork } from '../identity/network-access.ts';
import type { Parts } from '../parts.ts';
import { authorise } from './access.ts';

type ParamsOf<C> = C extends Call<infer P> ? z.output<P> : never;
type QueryOf<C> = C extends Call<z.ZodObject, infer Q> ? z.output<Q> : never;
type BodyOf<C> = C extends Call<z.ZodObject, z.ZodType, infer B> ? z.output<B> : never;
export type AnswerOf<C> = C extends Call<z.ZodObject, z.ZodType, z.ZodType, infer A> ? z.input<A> : never;
type AccessOf<C> = C extends { access: infer A } ? A : never;

/** A call that needs a session declares it with its access. Other handlers cannot rely on one. */
type Granted<A> = A extends Anyone
  ? { actor: Actor | undefined }
  : (A extends { needs: SessionNeed } ? InSession : { actor: Actor }) &
      (A extends OfNetwork | OfSelectedNetwork ? { network: GrantedNetwork } : unknown);

/** The input of a handler: the parsed parts of the call, and the caller, who is authorised for it. */
export type HandlerInput<C> = {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  request: FastifyRequest;
  reply: FastifyReply;
} & Granted<AccessOf<C>>;

/** Parses the path, query and body of a call, and checks whether the caller may make it. */
export const admit = async (
  parts: Parts,
  declared: AnyCall,
  request: FastifyRequest,
  actor: Actor | undefined,
  given: unknown = request.body ?? {},
) => {
  const [pathname = ''] = request.raw.url?.split('?') ?? [];
  const segments = declared.path.parse(pathname);
  if (!segments) throw new ApiError('not_found');
  const params = parse(declared.path.params, segments);
  const body = declared.body ? parse(declared.body, given) : undefined;
  const query = declared.query ? parse(declared.query, request.query) : undefined;
  const network = await authorise(parts.db, declared.access, { ...asFields(body), ...params }, actor);
  return { params, query, body, actor, user: actor?.user, session: actor?.session, network };
};

const parse = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  throw new ApiError('invalid_input', { message: `${where}${issue?.message ?? 'not valid'}`, cause: parsed.error });
};

const asFields = (body: unknown): object => (typeof body === 'object' && body !== null ? body : {});
