import type { Column } from '../model/list-description.ts';
import classes from './record-table.module.css';

const places = Array.from({ length: 12 }, (_, index) => index);

type SkeletonRowsProps = {
  columns: readonly Pick<Column<never>, 'id' | 'wideOnly'>[];
  withTicks: boolean;
  withTools: boolean;
};

/** Placeholders with the height and columns of the rows, so that the layout does not shift. */
export function SkeletonRows({ columns, withTicks, withTools }: SkeletonRowsProps) {
  return places.map((place) => (
    <tr key={place} aria-hidden="true" className={classes.skeleton}>
      {withTicks && <td aria-label="Loading" />}
      {columns.map(({ id, wideOnly }) => (
        <td key={id} data-wide-only={wideOnly} aria-label="Loading">
          <span className={classes.bone} />
        </td>
      ))}
      {withTools && <td aria-label="Loading" />}
    </tr>
  ));
}
