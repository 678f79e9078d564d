import type { Attribute, AttributeField, AttributeNameFormat } from '@opensocial/contract';

/** What the list of a site has: attributes of assertions, or claims of ID tokens. */
export type ReleaseKind = 'attributes' | 'claims';

export type AttributeSource = AttributeField | 'groups' | 'constant';

/** An attribute as the form edits it: with the fields of every source, so that a change of the source keeps them. */
export type AttributeRow = {
  /** Identifies the row while the list is edited. */
  key: string;
  name: string;
  friendly_name: string;
  name_format: AttributeNameFormat;
  source: AttributeSource;
  prefix: string;
  separator: string;
  /** The values of a constant, one per line. */
  lines: string;
};

let lastKey = 0;
const newKey = (): string => {
  lastKey += 1;
  return `row-${lastKey}`;
};

export const blankRow = (): AttributeRow => ({
  key: newKey(),
  name: '',
  friendly_name: '',
  name_format: 'basic',
  source: 'email',
  prefix: '',
  separator: '',
  lines: '',
});

export const toRow = (attribute: Attribute): AttributeRow => ({
  ...blankRow(),
  name: attribute.name,
  friendly_name: attribute.friendly_name,
  name_format: attribute.name_format,
  source: attribute.source,
  ...(attribute.source === 'groups' && { prefix: attribute.prefix, separator: attribute.separator }),
  ...(attribute.source === 'constant' && { lines: attribute.values.join('\n') }),
});

export const toAttribute = ({ name, friendly_name, name_format, source, ...row }: AttributeRow): Attribute => {
  const naming = { name: name.trim(), friendly_name: friendly_name.trim(), name_format };
  if (source === 'groups') return { ...naming, source, prefix: row.prefix, separator: row.separator };
  return source === 'constant' ? { ...naming, source, values: linesOf(row.lines) } : { ...naming, source };
};

const linesOf = (lines: string): string[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** The row at `from` moved to `to`. */
export const moveRow = (rows: readonly AttributeRow[], from: number, to: number): AttributeRow[] => {
  const moved = [...rows];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
};

/** Explains a source whose label is not enough. */
export const sourceHints: Partial<Record<AttributeSource, string>> = {
  uid: 'An id of the account that never changes and is never used again.',
  firstname: 'People can change their own name.',
  lastname: 'People can change their own name.',
  fullname: 'People can change their own name.',
  groups: "The person's groups to which this site is assigned, and no others.",
  persistent_id: 'The value of the persistent NameID: the same at each sign-in, and different at each site.',
  constant: 'The same for everybody who signs in.',
};
