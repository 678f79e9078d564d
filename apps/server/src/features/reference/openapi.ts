import { type AnyCall, Conflict, callsByNoun, describeAccess, ErrorAnswer, type Upload } from '@opensocial/contract';
import { z } from 'zod';

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return described;
};

const json = (schema: z.ZodType, io: 'input' | 'output') => ({
  'application/json': { schema: jsonSchema(schema, io) },
});

/** The schema of a multipart form with its file. */
const form = (schema: z.ZodType, { field }: Upload) => {
  const { properties = {}, required = [], ...described } = jsonSchema(schema, 'input');
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  return {
    'multipart/form-data': {
      schema: { ...described, properties: { ...properties, [field]: file }, required: [...required, field] },
    },
  };
};

const contentOf = (body: z.ZodType, { upload }: AnyCall) => (upload ? form(body, upload) : json(body, 'input'));

const parameters = (declared: AnyCall) => {
  const named = (schema: z.ZodType, where: 'path' | 'query') => {
    const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema: property,
    }));
  };
  return [...named(declared.path.params, 'path'), ...(declared.query ? named(declared.query, 'query') : [])];
};

const mediaTypeOf = ({ download, stream }: AnyCall): string =>
  download ?? (stream ? 'text/event-stream' : 'application/json');

/** Whether a save can be refused because of a concurrent change. */
const takesVersion = ({ body }: AnyCall): boolean =>
  body !== undefined && 'based_on' in (z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }).properties ?? {});

const errorWith = (description: string, schema: 'Error' | 'Conflict') => ({
  description,
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
});

const operation = (noun: string, name: string, declared: AnyCall) => ({
  operationId: name,
  tags: [noun],
  summary: declared.summary,
  'x-access': describeAccess(declared.access),
  parameters: parameters(declared),
  ...(declared.body && { requestBody: { required: true, content: contentOf(declared.body, declared) } }),
  responses: {
    200: {
      description: 'The answer',
      content: { [mediaTypeOf(declared)]: { schema: jsonSchema(declared.answer, 'output') } },
    },
    ...(takesVersion(declared) && {
      409: errorWith(
        'Somebody else has changed the record since the version in based_on, or another conflict',
        'Conflict',
      ),
    }),
    default: errorWith('An error', 'Error'),
  },
});

/** The OpenAPI document, generated from the declarations that serve the API. */
export const describeApi = (publicUrl: string) => {
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  for (const [noun, calls] of Object.entries(callsByNoun)) {
    for (const [name, declared] of Object.entries(calls)) {
      const methods = (paths[declared.path.template] ??= {});
      methods[declared.method.toLowerCase()] = operation(noun, name, declared);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'OpenSocial SSO',
      version: '0.1.0',
      description:
        'The calls of the console. Lists are paged by the id of the last row that the client has. The answer of a failed call has a text for people in message and error, and a fixed code for programs in code.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: {
        Error: jsonSchema(ErrorAnswer, 'output'),
        // `conflict` is only part of errors with the code changed_meanwhile.
        Conflict: jsonSchema(ErrorAnswer.extend({ conflict: Conflict.optional() }), 'output'),
      },
    },
  };
};
