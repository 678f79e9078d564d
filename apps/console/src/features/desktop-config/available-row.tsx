import { useDraggable } from '@dnd-kit/core';
import type { ConfiguredApp } from '@opensocial/contract';
import { IconGripVertical, IconPlus } from '@tabler/icons-react';
import type { CellPlace } from './app-cells.tsx';
import classes from './available-row.module.css';
import { releaseSpace } from './release-space.ts';

/** Made once: rows are drawn anew as they move, their icons are not. */
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

/** A site that is not on the desktop: to be dragged there, or added by its button. */
export function AvailableRow({ app, place, onAdd }: AvailableRowProps) {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners } = useDraggable({
    id: app.id,
    attributes: { roleDescription: 'movable app', tabIndex: place.tabIndex },
  });
  const setRefs = (node: HTMLButtonElement | null) => {
    setNodeRef(node);
    setActivatorNodeRef(node);
  };
  const handleAdd = () => {
    place.onLeave();
    onAdd(app.id);
  };
  return (
    <div className={classes.row}>
      <button
        {...attributes}
        {...listeners}
        ref={setRefs}
        type="button"
        className={classes.body}
        data-index={place.index}
        title={app.name === app.domain ? app.domain : `${app.domain}\n${app.name}`}
        onFocus={place.onFocus}
        onKeyUp={releaseSpace}
        // By Enter or a screen reader; a hand that only meant to drag adds nothing.
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
