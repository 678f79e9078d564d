import classes from './record-table.module.css';

const places = Array.from({ length: 12 }, (_, index) => index);

/** As high as the rows to come, so that nothing jumps. One cell does: which columns there are depends on the room. */
export function SkeletonRows() {
  return places.map((place) => (
    <tr key={place} aria-hidden="true" className={classes.skeleton}>
      <td aria-label="Loading">
        <span className={classes.bone} />
      </td>
    </tr>
  ));
}
