import classes from './difference-table.module.css';
import { differencesOf } from './differences.ts';

type DifferenceTableProps = { before: unknown; after: unknown; names: Readonly<Record<string, string>> };

/** Old and new side by side; what differs is marked. */
export function DifferenceTable({ before, after, names }: DifferenceTableProps) {
  const differences = differencesOf(before, after, names);
  if (differences.length === 0) return <p className={classes.none}>No more was written down of it.</p>;
  return (
    <table className={classes.table}>
      <caption className="visually-hidden">What was changed</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ field, differs, ...sides }) => (
          <tr key={field} data-differs={differs || undefined}>
            <th scope="row">
              {field}
              {differs && <span className="visually-hidden"> (differs)</span>}
            </th>
            <Value side="Before" text={sides.before} />
            <Value side="After" text={sides.after} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type ValueProps = { side: string; text: string };

/** As text, whatever it holds: a template's HTML is none here. */
function Value({ side, text }: ValueProps) {
  return (
    <td data-side={side}>
      {text === '' ? (
        <span className={classes.empty}>–</span>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long values scroll, by the keyboard too
        <div className={classes.value} {...(text.length > 400 && { tabIndex: 0, role: 'group', 'aria-label': side })}>
          {text}
        </div>
      )}
    </td>
  );
}
