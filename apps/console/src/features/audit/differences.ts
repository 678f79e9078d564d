/** A field of a record with its old and new value. */
export type Difference = { field: string; before: string; after: string; differs: boolean };

const fieldsOf = (data: unknown): Record<string, unknown> => {
  if (data === null || data === undefined) return {};
  return typeof data === 'object' && !Array.isArray(data) ? { ...data } : { value: data };
};

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value, null, 2);
};

/** All fields with a value on either side, those that differ first. Ids are shown with their names. */
export const differencesOf = (
  before: unknown,
  after: unknown,
  names: Readonly<Record<string, string>> = {},
): Difference[] => {
  const [old, present] = [fieldsOf(before), fieldsOf(after)];
  const describe = (field: string, value: unknown): string => {
    const text = textOf(value);
    return text !== '' && names[field] !== undefined ? `${names[field]} (${text})` : text;
  };
  return [...new Set([...Object.keys(old), ...Object.keys(present)])]
    .map((field) => {
      const sides = { before: describe(field, old[field]), after: describe(field, present[field]) };
      return { field, ...sides, differs: sides.before !== sides.after };
    })
    .filter((difference) => difference.before !== '' || difference.after !== '')
    .toSorted((one, other) => Number(other.differs) - Number(one.differs));
};
