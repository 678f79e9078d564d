import type { z } from 'zod';
import type { Access } from './access.ts';
import type { PathCodec } from './paths.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One endpoint of the API. It is declared once, served by `bind` on the server and called through `client` in the
 * console.
 */
export type Call<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answered extends z.ZodType = z.ZodType,
  Allowed extends Access = Access,
> = {
  method: Method;
  path: PathCodec<Params>;
  /** What the call does, in one sentence for the API reference page. */
  summary: string;
  access: Allowed;
  query?: Query;
  body?: Body;
  answer: Answered;
  /** The maximum size of the body in bytes, if the default of 64 KiB is not enough. */
  maxBody?: number;
  /** The media type, for a call that streams a file. */
  download?: string;
  /** The call answers with server-sent events. `answer` describes each event. */
  stream?: true;
  /** For a GET request that changes state: it needs the same CSRF protection as other methods. */
  changesState?: true;
  /** For a call that uploads a file: the body is a multipart form with the file after the other fields. */
  upload?: Upload;
};

/** The form field that holds the file, and its maximum size. */
export type Upload = { field: string; maximumBytes: number };

export const call = <
  Params extends z.ZodObject,
  Answered extends z.ZodType,
  Allowed extends Access,
  Body extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
>(
  declaration: Call<Params, Query, Body, Answered, Allowed>,
): Call<Params, Query, Body, Answered, Allowed> => declaration;

/** Declares a call that uploads a file. */
export const uploadCall = <
  Params extends z.ZodObject,
  Answered extends z.ZodType,
  Allowed extends Access,
  Body extends z.ZodType,
>(
  declaration: Call<Params, z.ZodNever, Body, Answered, Allowed> & { upload: Upload },
): Call<Params, z.ZodNever, Body, Answered, Allowed> & { upload: Upload } => declaration;

type Part<Key extends string, Schema extends z.ZodType> = [z.input<Schema>] extends [never]
  ? unknown
  : string extends keyof z.input<Schema>
    ? unknown
    : { [K in Key]: z.input<Schema> };

/** `query` is optional for callers if none of its parameters is required. */
type QueryPart<Schema extends z.ZodType> =
  Partial<z.input<Schema>> extends z.input<Schema> ? Partial<Part<'query', Schema>> : Part<'query', Schema>;

/** The type of any call, for lists of calls and for the client. */
export type AnyCall = Omit<Call, 'path'> & { path: Omit<PathCodec, 'build'> & { build: (params: never) => string } };

/** The parts that a caller passes: only those that the call declares. */
export type Input<C> =
  C extends Call<infer Params, infer Query, infer Body>
    ? Part<'params', Params> & QueryPart<Query> & Part<'body', Body> & FilePart<C>
    : never;

type FilePart<C> = C extends { upload: Upload } ? { file: File } : unknown;

export type Answer<C> = C extends Call<z.ZodObject, z.ZodType, z.ZodType, infer A> ? z.output<A> : never;

export const changesState = (declared: AnyCall): boolean => declared.method !== 'GET' || declared.changesState === true;
