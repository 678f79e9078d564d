import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PageError } from './errors.ts';

const Fields = z.record(
  z.string(),
  z.string().refine((value) => !value.includes('\0')),
);

export type Fields = Partial<z.infer<typeof Fields>>;

/** The fields of a form or a query. Every field must be a text and occur only once. */
export const formFields = (request: FastifyRequest): Fields => read(request.body ?? {});
export const queryFields = (request: FastifyRequest): Fields => read(request.query);

const read = (given: unknown): Fields => {
  const fields = Fields.safeParse(given);
  if (!fields.success)
    throw new PageError(400, 'This did not work', 'A field of the request is not text or is given twice.');
  return fields.data;
};

/** The query string exactly as it was sent, because SAML signatures cover it byte for byte. */
export const rawQuery = (request: FastifyRequest): string => {
  const url = request.raw.url ?? '';
  return url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
};
