import type { z } from 'zod';
import type { Access } from './access.ts';
import type { PathCodec } from './paths.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One call of the product: declared once, served by `bind` on the server and made by `client` in the console. */
export type Call<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answered extends z.ZodType = z.ZodType,
  Allowed extends Access = Access,
> = {
  method: Method;
  path: PathCodec<Params>;
  /** What the call does, as one sentence for the reference page. */
  summary: string;
  access: Allowed;
  query?: Query;
  body?: Body;
  answer: Answered;
  /** Bytes of body, where the usual 64 KiB are too few. */
  maxBody?: number;
  /** The media type of a call that answers with a file, piece by piece. */
  download?: string;
  /** Answers with events, each as the answer says, for as long as somebody listens. */
  stream?: true;
  /** A GET that changes state: it needs the same proof of origin as every other method. */
  changesState?: true;
  /** A call that brings a file is a form: the file beside the fields of the body. */
  upload?: Upload;
};

/** The part of the form that is the file, and how large it may be. */
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

/** A call that brings a file. */
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

/** A query of which nothing is required may be left out. */
type QueryPart<Schema extends z.ZodType> =
  Partial<z.input<Schema>> extends z.input<Schema> ? Partial<Part<'query', Schema>> : Part<'query', Schema>;

/** Any call, whatever its parts: what lists of calls and the client take. */
export type AnyCall = Omit<Call, 'path'> & { path: Omit<PathCodec, 'build'> & { build: (params: never) => string } };

/** What a caller passes: only the parts that the call declares. */
export type Input<C> =
  C extends Call<infer Params, infer Query, infer Body>
    ? Part<'params', Params> & QueryPart<Query> & Part<'body', Body> & FilePart<C>
    : never;

type FilePart<C> = C extends { upload: Upload } ? { file: File } : unknown;

export type Answer<C> = C extends Call<z.ZodObject, z.ZodType, z.ZodType, infer A> ? z.output<A> : never;

export const changesState = (declared: AnyCall): boolean => declared.method !== 'GET' || declared.changesState === true;
