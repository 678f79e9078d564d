import type { OpenApiDocument, Schema, SchemaObject } from './openapi.ts';

type Schemas = NonNullable<NonNullable<OpenApiDocument['components']>['schemas']>;

/** A schema in short notation: `{ id: integer, name?: string, mode: "Open" | "Closed" }`, one field per line. */
export const schemaText = (schema: Schema, schemas: Schemas = {}): string => write(schema, schemas, []);

// `open` contains the names that are being written: a recursive schema is referred to by name instead of expanded
// again.
const write = (schema: Schema, schemas: Schemas, open: readonly string[]): string => {
  if (typeof schema === 'boolean') return schema ? 'anything' : 'nothing';
  if (schema.$ref !== undefined) return writeNamed(schema.$ref, schemas, open);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => write(choice, schemas, open)).join(' | ');
  if (schema.allOf) return schema.allOf.map((part) => write(part, schemas, open)).join(' & ');
  if (schema.items !== undefined) return writeList(write(schema.items, schemas, open));
  if (schema.properties) return writeFields(schema.properties, schema.required ?? [], schemas, open);
  if (typeof schema.additionalProperties === 'object') {
    return `{ [key]: ${write(schema.additionalProperties, schemas, open)} }`;
  }
  return writePlain(schema);
};

const writeNamed = (ref: string, schemas: Schemas, open: readonly string[]): string => {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  const schema = schemas[name];
  return schema === undefined || open.includes(name) ? name : write(schema, schemas, [...open, name]);
};

const writeList = (item: string): string =>
  item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;

const writeFields = (
  properties: Record<string, Schema>,
  required: readonly string[],
  schemas: Schemas,
  open: readonly string[],
): string => {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const text = write(schema, schemas, open).replaceAll('\n', '\n  ');
    return `  ${name}${required.includes(name) ? '' : '?'}: ${text}`;
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n}`;
};

const writePlain = ({ type, format }: SchemaObject): string => {
  const types = type === undefined ? 'anything' : [type].flat().join(' | ');
  return format ? `${types} (${format})` : types;
};
