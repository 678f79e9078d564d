import { fieldLabel } from '../form/field-label.ts';
import { parseMarkup } from '../markup/markup.ts';
import type { ConflictRow } from './conflict-dialog.tsx';

const longest = 200;

/** An item of a list: itself, or the name, address or index of an object. */
const itemText = (item: unknown): string => {
  if (typeof item !== 'object' || item === null) return String(item);
  const { name, url, index } = item as { name?: string; url?: string; index?: number };
  return String(name ?? url ?? index ?? '…');
};

/** Formats a value for the dialog: markup as its text, pictures and icons as a description. */
const textOf = (field: string, value: unknown): string => {
  if (field.endsWith('_secret')) return value === '' ? 'none' : 'a secret';
  if (Array.isArray(value)) return value.length > 0 ? value.map(itemText).join(', ') : 'none';
  if (value === 1 || value === true) return 'on';
  if (value === false) return 'off';
  const text = typeof value === 'string' ? value.trim() : JSON.stringify(value ?? '').replace(/^""$/, '');
  if (text === '') return 'empty';
  if (text.startsWith('<svg')) return 'an icon';
  const plain = text.startsWith('<') ? (parseMarkup(text).body.textContent ?? '') : text;
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain || 'formatted text';
};

type Sides = {
  fields: readonly string[];
  current: object;
  edited: object;
  labels: Readonly<Record<string, string>>;
  /** The fields that the user has edited. All other fields take the current value. */
  editedFields: ReadonlySet<string>;
};

export const conflictRows = ({ fields, current, edited, labels, editedFields }: Sides): ConflictRow[] => {
  const currentValues: Record<string, unknown> = { ...current };
  const editedValues: Record<string, unknown> = { ...edited };
  return fields.map((field) => ({
    label: labels[field] ?? fieldLabel(field),
    current: field in currentValues ? textOf(field, currentValues[field]) : 'another picture',
    edited: editedFields.has(field)
      ? textOf(field, editedValues[field])
      : 'not changed by you; keeps its current value',
  }));
};
