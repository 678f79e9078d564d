import type { ReactNode } from 'react';
import classes from './comparison-table.module.css';

type ComparisonRow = {
  label: string;
  /** The values, in the order of `sides`. */
  values: readonly [ReactNode, ReactNode];
  /** Whether the row is marked, because its values differ. */
  isMarked?: boolean;
};

type ComparisonTableProps = {
  caption?: string;
  /** The headings of the two values. On narrow screens, where they are one below the other, each value has its heading. */
  sides: readonly [string, string];
  rows: readonly ComparisonRow[];
};

/** The fields of a record with two values each, side by side. */
export function ComparisonTable({ caption, sides, rows }: ComparisonTableProps) {
  return (
    <table className={classes.table}>
      {caption && <caption className="visually-hidden">{caption}</caption>}
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">{sides[0]}</th>
          <th scope="col">{sides[1]}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, values, isMarked }) => (
          <tr key={label} data-differs={isMarked || undefined}>
            <th scope="row">
              {label}
              {isMarked && <span className="visually-hidden"> (differs)</span>}
            </th>
            <td data-side={sides[0]}>{values[0]}</td>
            <td data-side={sides[1]}>{values[1]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
