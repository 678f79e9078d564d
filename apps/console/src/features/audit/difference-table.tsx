import { ComparisonTable } from '../../patterns/comparison-table/comparison-table.tsx';
import { fieldLabel } from '../../patterns/form/field-label.ts';
import classes from './difference-table.module.css';
import { differencesOf } from './differences.ts';

type DifferenceTableProps = { before: unknown; after: unknown; names: Readonly<Record<string, string>> };

/** The old and the new values of a change, side by side. Fields that differ are marked. */
export function DifferenceTable({ before, after, names }: DifferenceTableProps) {
  const differences = differencesOf(before, after, names);
  if (differences.length === 0) return <p className={classes.none}>The record has no further details.</p>;
  return (
    <ComparisonTable
      caption="What was changed"
      sides={['Before', 'After']}
      rows={differences.map((difference) => ({
        label: fieldLabel(difference.field),
        isMarked: difference.differs,
        values: [
          <Value key="before" side="Before" text={difference.before} />,
          <Value key="after" side="After" text={difference.after} />,
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
