import { type Attribute, attributeSourceLabels } from '@opensocial/contract';
import { describeCertificates } from '../../signing-keys/signing-keys.service.ts';
import type { Names } from './audit.names.queries.ts';

/** What a value is compared with: the names of a network, and the value on the other side if this one is the later one. */
type Context = { names: Names; before?: unknown };

/** Says a value that is neither null nor an empty text. */
type Say = (value: unknown, context: Context) => string;

/** A field of audit records: what screens call it, and how they show its values. `time` is written by the reader, in their time zone. */
export type Field = {
  label: string;
  format: 'text' | 'time';
  say: Say;
  /** What null means, if it has a meaning. */
  none?: string;
  /** The kind of record whose id or name is the value. */
  refers?: keyof Names;
};

/** A field that says nothing to a reader, such as an id of our own, or several in one. */
export type FieldDescription = Field | { hidden: true } | { parts: Readonly<Record<string, Field>> };

export const hidden: FieldDescription = { hidden: true };

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

export const text = (label: string): Field => ({ label, format: 'text', say: asText });

export const time = (label: string): Field => ({ label, format: 'time', say: asText });

/** Yes or no, or the words of the screen. */
export const flag = (label: string, yes = 'Yes', no = 'No'): Field => ({
  label,
  format: 'text',
  say: (value) => (value === true ? yes : no),
});

/** One of several values with names. A value that is not known any more is shown as it is. */
export const choice = (label: string, words: Readonly<Record<string, string>>): Field => ({
  label,
  format: 'text',
  say: (value) => words[String(value)] ?? asText(value),
});

/** Several values. `each` says one of them, and `none` that there are none. */
export const list = (label: string, each: (item: never) => string = String, none = ''): Field => ({
  label,
  format: 'text',
  say: (value) => (Array.isArray(value) ? value.map((item) => each(item as never)).join('\n') || none : asText(value)),
});

export const choices = (label: string, words: Readonly<Record<string, string>>): Field =>
  list(label, (item: string) => words[item] ?? item);

/** A number with its unit; 0 may have a meaning of its own. */
export const amount = (label: string, one: string, many: string, zero?: string): Field => ({
  label,
  format: 'text',
  say: (value) => (value === 0 && zero !== undefined ? zero : `${asText(value)} ${value === 1 ? one : many}`.trim()),
});

export const number = (label: string, sayNumber: (value: number) => string): Field => ({
  label,
  format: 'text',
  say: (value) => (typeof value === 'number' ? sayNumber(value) : asText(value)),
});

/** A field for which null has a meaning. */
export const orElse = (field: Field, none: string): Field => ({ ...field, none });

/** Something that is not shown as text, such as a drawing. */
export const content = (label: string, noun: string): Field => ({
  label,
  format: 'text',
  say: (value, { before }) =>
    before !== undefined && before !== null && before !== '' && before !== value ? `Another ${noun}` : `An ${noun}`,
});

/** A secret is recorded as words of its own. */
export const secret = (label: string): Field =>
  choice(label, { none: 'None', 'a secret': 'A secret', 'another secret': 'Another secret' });

const certificateText = (value: string): string => {
  try {
    return describeCertificates(value)
      .map(({ fingerprint, notAfter }) => `SHA-256 ${fingerprint}, valid until ${notAfter.toISOString().slice(0, 10)}`)
      .join('\n');
  } catch {
    return value;
  }
};

export const certificate = (label: string): Field => ({
  label,
  format: 'text',
  say: (value) => certificateText(asText(value)),
});

/** The sentence for a record that was deleted, or has left the network. */
const gone: Record<keyof Names, string> = {
  group: 'a group that was deleted',
  site: 'a site that was deleted',
  user: 'a person who is no longer in this network',
  key: 'a key that was deleted',
  image: 'an image that was deleted',
};

/** The name of a record of the network, or that it is gone, with the id that tells several of them apart. */
export const nameOf = (kind: keyof Names, value: unknown, names: Names): string =>
  names[kind].get(String(value)) ?? `${gone[kind]} (${String(value)})`;

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

/** The id of a record, or several. */
export const named = (label: string, kind: keyof Names): Field => ({
  label,
  format: 'text',
  refers: kind,
  say: (value, { names }) =>
    (Array.isArray(value) ? value : [value])
      .map((each) => names[kind].get(String(each)) ?? capital(nameOf(kind, each, names)))
      .join('\n'),
});

/** Public keys are named by their ids. */
export const publicKeys = (label: string): Field => ({
  label,
  format: 'text',
  say: (value) =>
    (value as { keys: { kid?: string }[] }).keys.map(({ kid }, index) => `Key ${kid ?? index + 1}`).join('\n'),
});

const attributeText = (attribute: Attribute): string => {
  const { name, source } = attribute;
  if (attribute.source === 'constant') return `${name}: ${attribute.values.join(', ')}`;
  const prefix = attribute.source === 'groups' && attribute.prefix !== '' ? ` that begin with ${attribute.prefix}` : '';
  return `${name}: ${attributeSourceLabels[source]}${prefix}`;
};

export const attributes = (label: string): Field => list(label, attributeText, 'None');

export const furtherAttributes = (label: string): Field =>
  list(label, ({ index, attributes: rows }: { index: number; attributes: Attribute[] }) =>
    [`List ${index}`, ...rows.map(attributeText)].join('\n'),
  );
