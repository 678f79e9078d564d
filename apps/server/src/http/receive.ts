import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile, MultipartValue } from '@fastify/multipart';
import { ApiError, type Upload } from '@opensocial/contract';
import type { FastifyRequest } from 'fastify';

/** An uploaded file: its temporary path, and the name that the client sent. */
export type UploadedFile = { path: string; name: string };

type Fields = Record<string, string>;
export type Received = { fields: Fields; file: UploadedFile };

const formLimits = { files: 1, fields: 20, parts: 21, fieldSize: 1_000, fieldNameSize: 100, headerPairs: 20 };

/** The maximum size of a form without the file. */
const overhead = 64 * 1024;

/** Reads a form and writes its file to the disk. `beforeFile` gets the fields that precede the file, before the file is read. */
export const receive = async (
  request: FastifyRequest,
  { field, maximumBytes }: Upload,
  folder: string,
  beforeFile: (fields: Fields) => Promise<unknown>,
): Promise<Received> => {
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes + overhead) throw tooLarge(maximumBytes);
  return readForm(request, { field, maximumBytes }, folder, beforeFile).catch((error: unknown) => {
    throw isMalformed(error) ? new ApiError('bad_request', { cause: error }) : error;
  });
};

/** The parser reports a malformed form by a plain error. Those of the disk and of the connection have a code. */
const isMalformed = (error: unknown): boolean =>
  error instanceof Error && Object.getPrototypeOf(error) === Error.prototype && !('code' in error);

const readForm = async (
  request: FastifyRequest,
  { field, maximumBytes }: Upload,
  folder: string,
  beforeFile: (fields: Fields) => Promise<unknown>,
): Promise<Received> => {
  const fields: Fields = {};
  let file: UploadedFile | undefined;
  for await (const part of request.parts({ limits: { ...formLimits, fileSize: maximumBytes } })) {
    if (part.type === 'field') addField(fields, part);
    else if (part.fieldname !== field) throw new ApiError('bad_request');
    else {
      await beforeFile(fields);
      file = await save(part, folder);
      if (part.file.truncated) throw tooLarge(maximumBytes);
    }
  }
  if (!file) throw new ApiError('file_missing');
  return { fields, file };
};

/** Refuses a duplicate field, because the access check and the handler could read different values of it. */
const addField = (fields: Fields, { fieldname, value, valueTruncated }: MultipartValue): void => {
  if (Object.hasOwn(fields, fieldname) || valueTruncated || typeof value !== 'string')
    throw new ApiError('bad_request');
  fields[fieldname] = value;
};

const save = async ({ file, filename }: MultipartFile, folder: string): Promise<UploadedFile> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'file');
  await pipeline(file, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return { path, name: filename };
};

const tooLarge = (maximumBytes: number): ApiError =>
  new ApiError('file_too_large', {
    message: `File size too large, max size allowed is ${maximumBytes / 1024 / 1024} MB`,
  });
