import {
  type AnyCall,
  type Anyone,
  ApiError,
  type Call,
  changesState,
  type OfNetwork,
  type OfSelectedNetwork,
  sessionUserHeader,
} from '@opensocial/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { findSession, type SessionRow } from '../identity/console-sessions.ts';
import type { GrantedNetwork } from '../identity/network-access.ts';
import type { Parts } from '../parts.ts';
import { authorise } from './access.ts';
import { readCookie } from './cookies.ts';
import { assertOwnPage } from './origin.ts';

type ParamsOf<C> = C extends Call<infer P> ? z.output<P> : never;
type QueryOf<C> = C extends Call<z.ZodObject, infer Q> ? z.output<Q> : never;
type BodyOf<C> = C extends Call<z.ZodObject, z.ZodType, infer B> ? z.output<B> : never;
export type AnswerOf<C> = C extends Call<z.ZodObject, z.ZodType, z.ZodType, infer A> ? z.input<A> : never;
type AccessOf<C> = C extends { access: infer A } ? A : never;

type Granted<A> = A extends OfNetwork | OfSelectedNetwork
  ? { user: SessionRow['user']; session: SessionRow; network: GrantedNetwork }
  : A extends Anyone
    ? { session: SessionRow | undefined }
    : { user: SessionRow['user']; session: SessionRow };

/** The input of a handler: the parsed parts of the call, and the caller, who is authorised for it. */
export type HandlerInput<C> = {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  request: FastifyRequest;
  reply: FastifyReply;
} & Granted<AccessOf<C>>;

/** Finds the session of a call. A call that changes state must come from one of our own pages. The body is not read yet. */
export const authenticate = async (
  parts: Parts,
  declared: AnyCall,
  request: FastifyRequest,
): Promise<SessionRow | undefined> => {
  const token = readCookie(parts.config, request, 'session');
  if (changesState(declared)) assertOwnPage(parts, request, token);
  const session = token === undefined ? undefined : await findSession(parts.db, token);
  if (declared.access.who === 'anyone') return session;
  if (!session) throw new ApiError('auth_required');
  assertShownPerson(request, session);
  return session;
};

/**
 * The console names the person whom it shows. The tabs of a browser share one session cookie, so after a sign-in in another tab the
 * request would otherwise be carried out, and audited, in the name of somebody who did not make it. Scripts need not send the header.
 */
const assertShownPerson = (request: FastifyRequest, { user }: SessionRow): void => {
  const shown = request.headers[sessionUserHeader];
  if (shown !== undefined && shown !== String(user.id)) throw new ApiError('other_person');
};

/** Parses the path, query and body of a call, and checks whether the caller may make it. */
export const admit = async (
  parts: Parts,
  declared: AnyCall,
  request: FastifyRequest,
  session: SessionRow | undefined,
  given: unknown = request.body ?? {},
) => {
  const [pathname = ''] = request.raw.url?.split('?') ?? [];
  const segments = declared.path.parse(pathname);
  if (!segments) throw new ApiError('not_found');
  const params = parse(declared.path.params, segments);
  const body = declared.body ? parse(declared.body, given) : undefined;
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
