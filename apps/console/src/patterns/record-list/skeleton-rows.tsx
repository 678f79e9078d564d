import classes from './record-table.module.css';

const places = Array.from({ length: 12 }, (_, index) => index);

type SkeletonRowsProps = { width: number };

/** As high as the rows to come, so that nothing jumps. */
export function SkeletonRows({ width }: SkeletonRowsProps) {
  return places.map((place) => (
    <tr key={place} aria-hidden="true" className={classes.skeleton}>
      <td colSpan={width} aria-label="Loading">
        <span className={classes.bone} />
      </td>
    </tr>
  ));
}
