import { useDraggable } from '@dnd-kit/core';
import type { ConfiguredApp } from '@opensocial/contract';
import { IconX } from '@tabler/icons-react';
import { TileButton } from '../../patterns/app-tile/tile-button.tsx';
import type { CellPlace } from './app-cells.tsx';
import classes from './desktop-tile.module.css';
import { releaseSpace } from './release-space.ts';

/** Made once: tiles are drawn anew as they move, their icons are not. */
const cross = <IconX size={14} stroke={2.2} />;

type DesktopTileProps = {
  app: ConfiguredApp;
  place: CellPlace;
  onOpen: (id: number) => void;
  onRemove: (id: number) => void;
};

/** A tile of the desktop: to be dragged elsewhere, opened, or taken off by its button. */
export function DesktopTile({ app, place, onOpen, onRemove }: DesktopTileProps) {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners } = useDraggable({
    id: app.id,
    attributes: { roleDescription: 'movable app', tabIndex: place.tabIndex },
  });
  const setRefs = (node: HTMLButtonElement | null) => {
    setNodeRef(node);
    setActivatorNodeRef(node);
  };
  const handleRemove = () => {
    place.onLeave();
    onRemove(app.id);
  };
  return (
    <div className={classes.tile}>
      <TileButton
        {...attributes}
        {...listeners}
        ref={setRefs}
        app={app}
        aria-haspopup="dialog"
        data-index={place.index}
        onFocus={place.onFocus}
        onKeyUp={releaseSpace}
        onClick={() => onOpen(app.id)}
      />
      <button
        type="button"
        className={classes.remove}
        aria-label={`Remove ${app.name} from the desktop`}
        tabIndex={place.tabIndex}
        onFocus={place.onFocus}
        onClick={handleRemove}
      >
        {cross}
      </button>
    </div>
  );
}
