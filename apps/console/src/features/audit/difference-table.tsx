import type { AuditField } from '@opensocial/contract';
import { ComparisonTable } from '../../patterns/comparison-table/comparison-table.tsx';
import { exactTime } from '../../patterns/format/format.ts';
import classes from './difference-table.module.css';

type DifferenceTableProps = { fields: readonly AuditField[] };

const shown = (format: AuditField['format'], value: string): string =>
  format === 'time' && !Number.isNaN(Date.parse(value)) ? exactTime(value) : value;

/** The old and the new values of a change, side by side. Fields that differ are marked. */
export function DifferenceTable({ fields }: DifferenceTableProps) {
  if (fields.length === 0) return <p className={classes.none}>The record has no further details.</p>;
  return (
    <ComparisonTable
      caption="What was changed"
      sides={['Before', 'After']}
      rows={fields.map(({ label, format, before, after, differs }) => ({
        label,
        isMarked: differs,
        values: [
          <Value key="before" side="Before" text={shown(format, before)} />,
          <Value key="after" side="After" text={shown(format, after)} />,
        ],
      }))}
    />
  );
}

type ValueProps = { side: string; text: string };

/** Always plain text, so that the HTML of a mail template is not rendered. */
function Value({ side, text }: ValueProps) {
  return text === '' ? (
    <span className={classes.empty}>–</span>
  ) : (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long values scroll, and the keyboard needs the focus for that
    <div className={classes.value} {...(text.length > 400 && { tabIndex: 0, role: 'group', 'aria-label': side })}>
      {text}
    </div>
  );
}
