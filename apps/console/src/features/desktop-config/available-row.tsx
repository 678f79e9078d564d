import type { ConfiguredApp } from '@opensocial/contract';
import { IconGripVertical, IconPlus } from '@tabler/icons-react';
import type { CellPlace } from './app-cells.tsx';
import classes from './available-row.module.css';
import { useDraggableApp } from './use-draggable-app.ts';

/** Constant elements, so that React does not render the icons again while rows move. */
const grip = <IconGripVertical className={classes.grip} size={16} stroke={1.6} aria-hidden="true" />;
const plus = <IconPlus size={18} stroke={1.8} />;

type RowFaceProps = { app: ConfiguredApp };

export function RowFace({ app }: RowFaceProps) {
  return (
    <span className={classes.face}>
      {grip}
      <span className={classes.domain}>{app.domain}</span>
    </span>
  );
}

type AvailableRowProps = { app: ConfiguredApp; place: CellPlace; onAdd: (id: number) => void };

/** A site that is not on the desktop. It is dragged there, or added by its button. */
export function AvailableRow({ app, place, onAdd }: AvailableRowProps) {
  const draggable = useDraggableApp(app.id, place);
  const handleAdd = () => {
    place.onRemoved();
    onAdd(app.id);
  };
  return (
    <div className={classes.row}>
      <button
        {...draggable}
        type="button"
        className={classes.body}
        title={app.name === app.domain ? app.domain : `${app.domain}\n${app.name}`}
        // Only Enter and screen readers add the app (detail is 0); a mouse click may be the end of a drag.
        onClick={({ detail }) => detail === 0 && handleAdd()}
      >
        <RowFace app={app} />
      </button>
      <button
        type="button"
        className={classes.add}
        aria-label={`Add ${app.domain} to the desktop`}
        tabIndex={place.tabIndex}
        onFocus={place.onFocus}
        onClick={handleAdd}
      >
        {plus}
      </button>
    </div>
  );
}
