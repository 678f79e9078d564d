import type { AuditField, AuditObject } from '@opensocial/contract';
import type { Queryable } from '../../../database/connect.ts';
import { auditFields } from './audit.fields.ts';
import { findNames, type Names, type Wanted } from './audit.names.queries.ts';
import { titleOf } from './audit.titles.ts';
import { type Field, type FieldDescription, text } from './audit.values.ts';

/** A record as it is stored. */
export type StoredRecord = {
  object: AuditObject;
  action: string;
  description: string;
  subject_key: string | null;
  old_data: unknown;
  new_data: unknown;
};

type Values = Readonly<Record<string, unknown>>;

const toValues = (data: unknown): Values => {
  if (data === null || data === undefined) return {};
  return typeof data === 'object' && !Array.isArray(data) ? { ...data } : { value: data };
};

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

const fieldsOf = (object: AuditObject): Readonly<Record<string, FieldDescription>> =>
  object === 'claim' ? {} : auditFields[object];

/** A claim has any fields, and an old record may have one that does not exist any more. */
const descriptionOf = (object: AuditObject, name: string): FieldDescription => {
  const fields = fieldsOf(object);
  return (Object.hasOwn(fields, name) && fields[name]) || text(capital(name.replaceAll('_', ' ')));
};

/** What a field is called on the screens. */
export const labelOf = (object: AuditObject, name: string): string => {
  const description = descriptionOf(object, name);
  return 'label' in description ? description.label : capital(name);
};

/** The fields of a record, with the values on both sides. Ids beside a name that was recorded are left out. */
const pairsOf = ({ object, old_data, new_data }: StoredRecord) => {
  const [before, after] = [toValues(old_data), toValues(new_data)];
  // In the order of the list of fields, which is that of the screens: the database sorts the keys of objects by their length.
  const order = Object.keys(fieldsOf(object));
  const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted(
    (one, other) => placeOf(one) - placeOf(other),
  );
  const hasName = (id: string) => id.endsWith('_id') && names.includes(id.slice(0, -'_id'.length));
  return names.flatMap((name): { name: string; field: Field; before: unknown; after: unknown }[] => {
    const description = descriptionOf(object, name);
    if ('hidden' in description || hasName(name)) return [];
    if (!('parts' in description)) return [{ name, field: description, before: before[name], after: after[name] }];
    const [old, present] = [toValues(before[name]), toValues(after[name])];
    return Object.entries(description.parts).map(([part, field]) => ({
      name: `${name}.${part}`,
      field,
      before: old[part],
      after: present[part],
    }));
  });
};

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

const describeFields = (record: StoredRecord, names: Names): AuditField[] =>
  pairsOf(record)
    .map(({ name, field, before, after }) => {
      const say = (value: unknown, context: { names: Names; before?: unknown }) => {
        if (value === null && field.none !== undefined) return field.none;
        return isEmpty(value) ? '' : field.say(value, context);
      };
      return {
        field: name,
        label: field.label,
        format: field.format,
        before: say(before, { names }),
        after: say(after, { names, before }),
        differs: JSON.stringify(before ?? null) !== JSON.stringify(after ?? null),
      };
    })
    .filter(({ before, after }) => before !== '' || after !== '')
    .toSorted((one, other) => Number(other.differs) - Number(one.differs));

const wantedOf = (records: readonly StoredRecord[]): Wanted => {
  const wanted = {
    group: new Set<string>(),
    site: new Set<string>(),
    user: new Set<string>(),
    key: new Set<string>(),
    image: new Set<string>(),
  };
  for (const record of records) {
    const siteId = record.subject_key?.match(/^site:(\d+)$/)?.[1];
    if (siteId !== undefined) wanted.site.add(siteId);
    for (const { field, before, after } of pairsOf(record))
      if (field.refers !== undefined)
        for (const value of [before, after].flat()) if (!isEmpty(value)) wanted[field.refers].add(String(value));
  }
  return wanted;
};

/** A record in the words of the screens. */
export type Worded = { title: string; fields: AuditField[] };

/** Puts records of a network into words, with the names of what they refer to. The name that was recorded with a change is preferred. */
export const putIntoWords = async <Record extends StoredRecord>(
  db: Queryable,
  networkId: number,
  records: readonly Record[],
): Promise<(Record & Worded)[]> => {
  const names = await findNames(db, networkId, wantedOf(records));
  return records.map((record) => ({
    ...record,
    title:
      record.object === 'claim'
        ? record.description
        : titleOf(
            record.object,
            { ...record, before: toValues(record.old_data), after: toValues(record.new_data) },
            names,
          ),
    fields: describeFields(record, names),
  }));
};

const noneWanted: Wanted = { group: new Set(), site: new Set(), user: new Set(), key: new Set(), image: new Set() };

type Ids = { group_id?: number; user_id?: number; site_id?: number };

/** The ids with the names that they have now, so that the record can be read when they do not exist any more. */
export const withNames = async <Given extends Ids>(
  db: Queryable,
  networkId: number,
  ids: Given,
): Promise<Given & { group?: string; user?: string; site?: string }> => {
  const { group_id, user_id, site_id } = ids;
  const only = (id: number | undefined) => new Set(id === undefined ? [] : [String(id)]);
  const wanted = { ...noneWanted, group: only(group_id), user: only(user_id), site: only(site_id) };
  const names = await findNames(db, networkId, wanted);
  const nameOf = (kind: 'group' | 'user' | 'site', id: number | undefined) => {
    const name = names[kind].get(String(id));
    return name === undefined ? {} : { [kind]: name };
  };
  return { ...ids, ...nameOf('group', group_id), ...nameOf('user', user_id), ...nameOf('site', site_id) };
};
