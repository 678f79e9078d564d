/** The part of OpenAPI 3.1 that the API reference page reads. */
export type OpenApiDocument = {
  info: { title: string; version: string; description?: string | undefined };
  tags?: readonly { name: string; description?: string | undefined }[] | undefined;
  paths: Record<string, Partial<Record<Method, Operation>>>;
  components?: { schemas?: Record<string, Schema> | undefined } | undefined;
};

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof methods)[number];

type Operation = {
  operationId?: string | undefined;
  summary?: string | undefined;
  description?: string | undefined;
  tags?: readonly string[] | undefined;
  parameters?: readonly Parameter[] | undefined;
  requestBody?: { content?: Content | undefined; required?: boolean | undefined } | undefined;
  responses?: Record<string, { description?: string | undefined; content?: Content | undefined }> | undefined;
  /** Who may make the call, in words. */
  'x-access'?: string | undefined;
};

export type Parameter = {
  name: string;
  in: string;
  required?: boolean | undefined;
  description?: string | undefined;
  schema?: Schema | undefined;
};

export type Content = Record<string, { schema?: Schema | undefined }>;

export type Schema = boolean | SchemaObject;

export type SchemaObject = {
  $ref?: string | undefined;
  type?: string | readonly string[] | undefined;
  format?: string | undefined;
  enum?: readonly unknown[] | undefined;
  const?: unknown;
  properties?: Record<string, Schema> | undefined;
  required?: readonly string[] | undefined;
  additionalProperties?: Schema | undefined;
  items?: Schema | undefined;
  anyOf?: readonly Schema[] | undefined;
  oneOf?: readonly Schema[] | undefined;
  allOf?: readonly Schema[] | undefined;
};

export type Call = { id: string; method: Method; path: string; operation: Operation };
export type CallGroup = { id: string; name: string; description: string | undefined; calls: Call[] };

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Groups calls by their first tag: first the tags of the document in order, then unlisted ones. */
export const groupCalls = ({ paths, tags = [] }: OpenApiDocument): CallGroup[] => {
  const groups = new Map<string, CallGroup>();
  const groupOf = (name: string, description?: string): CallGroup => {
    const group = groups.get(name) ?? { id: `tag-${slug(name)}`, name, description, calls: [] };
    groups.set(name, group);
    return group;
  };
  for (const { name, description } of tags) groupOf(name, description);
  for (const [path, operations] of Object.entries(paths)) {
    for (const method of methods) {
      const operation = operations[method];
      if (!operation) continue;
      const id = operation.operationId ?? slug(`${method} ${path}`);
      groupOf(operation.tags?.[0] ?? 'Other').calls.push({ id, method, path, operation });
    }
  }
  return [...groups.values()].filter(({ calls }) => calls.length > 0);
};
